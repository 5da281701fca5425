#include <doctest/doctest.h>

#include <limits>

#include "models/gaussian/test_densities.hpp"
#include "models/gaussian/uses.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using namespace logodds::models::gaussian::testing;

namespace {

std::vector<double> p_values(const Densities& model, const std::vector<double>& values) {
  std::vector<double> out(values.size() / model.size);
  outlier_p_values(model, rows_of(values, model.size), out);
  return out;
}

/// The tail at x with `df` degrees of freedom: a row whose squared distance is x.
double upper_tail(std::size_t df, double x) {
  const std::vector<double> zeros(df, 0.0);
  const Densities model = densities({1.0}, {zeros}, {diagonal(std::vector<double>(df, 1.0))});
  std::vector<double> row(df, 0.0);
  row[0] = std::sqrt(x);
  return p_values(model, row)[0];
}

}  // namespace

TEST_CASE("Upper tails of chi-square agree with 20 digits computed elsewhere") {
  struct Known {
    std::size_t df;
    double x, tail;
  };
  const std::vector<Known> known = {{1, 3.841458820694124, 0.050000000000000057435},
                                    {2, 5.0, 0.08208499862389879517},
                                    {3, 0.001, 0.99999159208094195384},
                                    {10, 30.0, 0.00085664121077530039211},
                                    {50, 20.0, 0.99995305061857320029},
                                    {100, 250.0, 7.7669364035391770701e-15},
                                    {784, 1000.0, 2.3510432063183508935e-7},
                                    {1000, 800.0, 0.99999918906189212008},
                                    {5, 700.0, 4.911986103573200591e-149},
                                    {1, 1e-10, 0.99999202115439210433},
                                    {7, 1400.0, 3.8599631812373352211e-298}};
  for (const Known& entry : known) {
    CAPTURE(entry.df);
    CAPTURE(entry.x);
    CHECK(upper_tail(entry.df, entry.x) / entry.tail == doctest::Approx(1.0).epsilon(2e-13));
  }
  CHECK(upper_tail(3, 0.0) == 1.0);
  CHECK(upper_tail(3, 1e5) == 0.0);
  CHECK(upper_tail(3, std::numeric_limits<double>::infinity()) == 0.0);
}

TEST_CASE("The nearest class counts, and only values that are there") {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const Densities model =
      densities({0.7, 0.3}, {{2.0, 1.0}, {1.0, 2.0}}, {cholesky({{1.0, 0.5}, {0.5, 2.0}})});
  const std::vector<double> p =
      p_values(model, {2.0, 1.0, 4.0, kMissing, kMissing, kMissing, 50.0, -50.0});
  CHECK(p[0] == 1.0);
  CHECK(p[1] == doctest::Approx(0.045500263896358417).epsilon(1e-13));  // |z| = 2 from class 0
  CHECK(p[2] == 1.0);
  CHECK(p[3] < 1e-100);
}

TEST_CASE("P-values of drawn rows are uniform") {
  Random random(5);
  const Densities model = densities({1.0}, {random.normals(4)}, {cholesky(random.covariance(4))});
  constexpr std::size_t kRows = 20000;
  std::vector<std::int32_t> labels(kRows);
  std::vector<double> values(kRows * 4);
  draw(model, 9, 0, labels, values);
  std::vector<double> bins(20, 0.0);
  for (const double p : p_values(model, values)) {
    bins[std::min<std::size_t>(19, static_cast<std::size_t>(p * 20.0))] += 1.0;
  }
  double chi_square = 0.0;
  for (const double count : bins) { chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0; }
  CHECK(chi_square < 43.8);  // 19 degrees of freedom, level 0.001
}
