#include "models/naive_bayes/columns/samples.hpp"

#include <algorithm>

#include "models/naive_bayes/column_sample.hpp"

using namespace logodds;
using namespace logodds::models::naive_bayes;
using namespace logodds::models::naive_bayes::testing;
using columns::interquartile_range;

namespace {

/// Type 7 of R, of rows that all weigh the same.
double plain_quantile(std::vector<double> x, double share) {
  std::sort(x.begin(), x.end());
  const double position = share * static_cast<double>(x.size() - 1);
  const auto whole = static_cast<std::size_t>(position);
  const double next = x[std::min(whole + 1, x.size() - 1)];
  return x[whole] + (position - static_cast<double>(whole)) * (next - x[whole]);
}

}  // namespace

TEST_CASE("quartiles of equal weights are R's, with ties, whatever the weight") {
  std::mt19937_64 generator(13);
  for (std::size_t n = 1; n < 60; ++n) {
    for (const double weight : {1.0, 0.1, 7.0}) {
      ColumnSample sample = empty_sample(ColumnKind::real);
      for (std::size_t i = 0; i < n; ++i) {
        sample.add(static_cast<double>(generator() % 40) / 8.0, 0, weight);
      }
      sample.x[0] = 2.0 + 1.0 / 16.0;  // the lightest value is one row
      const auto found = columns::class_sample(sample.summary(), 0);
      CAPTURE(n);
      CAPTURE(weight);
      CHECK(found.count == doctest::Approx(static_cast<double>(n)));
      CHECK(interquartile_range(found) ==
            doctest::Approx(plain_quantile(sample.x, 0.75) - plain_quantile(sample.x, 0.25))
                .epsilon(1e-9));
    }
  }
}

TEST_CASE("the variance of a sample has the divisor n - 1, a row of weight 3 being three rows") {
  ColumnSample sample = empty_sample(ColumnKind::real);
  for (const double x : {1.0, 4.0, 4.0, 7.5}) { sample.add(x, 1); }
  CHECK(columns::sample_variance(columns::class_sample(sample.summary(), 1)) ==
        doctest::Approx(21.1875 / 3.0));
  ColumnSample weighted = empty_sample(ColumnKind::real);
  weighted.add(0.0, 0, 0.5);
  weighted.add(10.0, 0, 1.5);
  CHECK(columns::sample_variance(columns::class_sample(weighted.summary(), 0)) ==
        doctest::Approx(75.0 / 3.0));
  CHECK(columns::sample_variance(columns::class_sample(weighted.summary(), 2)) ==
        columns::sample_variance(columns::whole_sample(weighted.summary())));
}
