// Posteriors computed again from the natural parameters alone.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// T_t(x) by its name: "a", "color=red", "a^2", "a*b".
double statistic(const std::string& name, const std::map<std::string, double>& x) {
  if (const auto found = x.find(name); found != x.end()) { return found->second; }
  if (name.ends_with("^2")) { return std::pow(x.at(name.substr(0, name.size() - 2)), 2.0); }
  const auto times = name.find('*');
  return x.at(name.substr(0, times)) * x.at(name.substr(times + 1));
}

std::map<std::string, double> coordinates(const Table& table, std::size_t row) {
  std::map<std::string, double> x;
  for (std::size_t c = 1; c < table.names.size(); ++c) {
    const std::string& cell = table.rows[row][c];
    if (table.names[c] == "color" || table.names[c] == "sex") {
      for (const std::string level : {"blue", "green", "red", "f", "m"}) {
        x[table.names[c] + "=" + level] = cell == level ? 1.0 : 0.0;
      }
    } else {
      x[table.names[c]] = std::stod(cell);
    }
  }
  return x;
}

std::vector<double> posteriors_from(const NaturalParameters& natural, const Table& table) {
  const std::size_t classes = natural.constants.size();
  const std::size_t statistics = natural.statistics.size();
  std::vector<double> all;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto x = coordinates(table, r);
    std::vector<double> scores = natural.constants;
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t t = 0; t < statistics; ++t) {
        scores[k] += natural.parameters[k * statistics + t] * statistic(natural.statistics[t], x);
      }
    }
    double total = 0.0;
    for (const double score : scores) { total += std::exp(score - scores[0]); }
    for (const double score : scores) { all.push_back(std::exp(score - scores[0]) / total); }
  }
  return all;
}

}  // namespace

TEST_CASE("natural parameters of gaussian: posteriors from them alone") {
  const Table table = made_table(300, 3, 21);
  for (const std::string covariance :
       {"shared", "own", "groups", "diagonal", "shared-diagonal", "spherical"}) {
    CAPTURE(covariance);
    OptionMap options{{"covariance", covariance}};
    if (covariance == "groups") { options["groups"] = "class0+class2"; }
    const auto fit = train_table(table, "gaussian", options);
    const auto natural = fit.model->natural_parameters();
    REQUIRE(natural);
    CHECK(largest_difference(posteriors_from(*natural, table), posteriors_of(*fit.model, table)) <
          1e-9);
    for (std::size_t k = 0; k < 3; ++k) {
      double constant = natural->log_priors[k];
      const std::size_t parts = natural->parts.size();
      for (std::size_t p = 0; p < parts; ++p) {
        constant -= natural->log_partitions[k * parts + p];
      }
      CHECK(constant == doctest::Approx(natural->constants[k]));
    }
  }
}

TEST_CASE("natural parameters of gaussian: which statistics, and whose") {
  const Table table = made_table(200, 3, 22);
  const auto diagonal = train_table(table, "gaussian", {{"covariance", "diagonal"}});
  const auto natural = diagonal.model->natural_parameters();
  CHECK(natural->parts == std::vector<std::string>{"a", "b", "c", "d", "e", "color", "sex"});
  CHECK(natural->statistics[0] == "a");
  CHECK(natural->statistics[1] == "a^2");
  CHECK(natural->statistics.back() == "sex=m^2");
  CHECK(natural->part_of_statistic.back() == 6);
  const auto shared = train_table(table, "gaussian", {});
  CHECK(shared.model->natural_parameters()->statistics ==
        std::vector<std::string>{"a", "b", "c", "d", "e", "color=green", "color=red", "sex=m"});
  CHECK(shared.model->natural_parameters()->parts ==
        std::vector<std::string>{"a+b+c+d+e+color+sex"});
  CHECK_FALSE(train_table(table, "gaussian", {{"components", "2"}}).model->natural_parameters());
  CHECK_FALSE(train_table(table, "softmax", {}).model->natural_parameters());
}
