#include <doctest/doctest.h>

#include <cmath>

#include "logodds/error.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::input_of;
using test::made_sample;
using test::Sample;

namespace {

Fit clustered(const Sample& sample, const std::string& clustering,
              const std::map<std::string, std::string>& options) {
  MatrixData data = sample.data();
  data.labels = nullptr;
  const auto source = open_matrix(data);
  return cluster(*source, clustering, options);
}

plots::PlotInput rows_of(const Classifier& model, const Sample& sample) {
  return {.model = &model, .open_rows = [&model, &sample] {
            MatrixData data = sample.data();
            data.labels = nullptr;
            return open_matrix(data, model.schema());
          }};
}

}  // namespace

TEST_CASE("plot elbow: E of each K is that of a clustering by itself") {
  const Sample sample = made_sample(200, 2, 3, 21);
  const Fit fit = clustered(sample, "k-means", {{"k", "3"}, {"restarts", "3"}});
  const auto plot = plots::plot("elbow", rows_of(*fit.model, sample), {{"k", "2-5"}});
  CHECK(test::array_of(plot, "K").values == std::vector<double>{2, 3, 4, 5});
  const std::vector<double>& values = test::array_of(plot, "E").values;
  const std::vector<double>& gaps = test::array_of(plot, "gaps").values;
  for (std::size_t i = 0; i < 4; ++i) {
    const Fit alone =
        clustered(sample, "k-means", {{"k", std::to_string(i + 2)}, {"restarts", "3"}});
    CHECK(values[i] == doctest::Approx(std::get<double>(alone.report.facts[0].second)));
    if (i > 0) { CHECK(gaps[i] == doctest::Approx(values[i - 1] - values[i])); }
  }
}

TEST_CASE("plot elbow: BIC of mixtures") {
  const Sample sample = made_sample(300, 2, 2, 22);
  const Fit fit = clustered(sample, "mixture", {{"k", "2"}, {"covariance", "shared"}});
  const auto plot = plots::plot("elbow", rows_of(*fit.model, sample), {{"k", "1-3"}});
  const std::vector<double>& values = test::array_of(plot, "BIC").values;
  REQUIRE(values.size() == 3);
  CHECK(values[1] == doctest::Approx(fit.model->training_likelihood()->bic()).epsilon(1e-6));
}

TEST_CASE("plot elbow: models that are no clusterings, and one K") {
  const Sample sample = made_sample(60, 2, 2, 23);
  const Fit fit = test::trained(sample, "gaussian");
  CHECK_THROWS_WITH_AS(static_cast<void>(plots::plot("elbow", input_of(*fit.model, sample))),
                       doctest::Contains("logodds cluster"), Error);
  const Fit clusters = clustered(sample, "k-means", {{"k", "2"}});
  CHECK_THROWS_WITH_AS(
      static_cast<void>(plots::plot("elbow", rows_of(*clusters.model, sample), {{"k", "3"}})),
      doctest::Contains("range"), Error);
}
