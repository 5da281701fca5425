#include "models/softmax/inference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

#include "logodds/models/coefficients.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;
using models::softmax::curvature;
using models::softmax::Scores;

namespace {

struct Rows {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  models::softmax::FitRows fit;
};

/// `to` is pointed into.
void fill(Rows& to, std::size_t n, std::size_t d, std::size_t classes) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < n * d; ++i) { to.x.push_back(3.0 + 2.0 * normal(random)); }
  for (std::size_t r = 0; r < n; ++r) {
    to.labels.push_back(static_cast<std::int32_t>(random() % classes));
    to.weights.push_back(1.0 + static_cast<double>(random() % 3));
  }
  to.fit = {.x = {to.x.data(), n, d, d},
            .rows = n,
            .columns = d,
            .classes = classes,
            .labels = to.labels.data(),
            .weights = to.weights.data()};
  for (const double w : to.weights) { to.fit.weight += w; }
}

/// Scores whose first class has 0, from phi in standardised columns.
Scores scores_of(const std::vector<double>& phi, const models::linear::Identifiability& columns,
                 std::size_t classes) {
  const std::size_t d = columns.center.size();
  Scores scores{columns.center, std::vector<double>(d * classes, 0.0),
                std::vector<double>(classes, 0.0)};
  for (std::size_t k = 1; k < classes; ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      scores.coefficients[i * classes + k] = columns.scale[i] * phi[(k - 1) * (d + 1) + i];
    }
    scores.bias[k] = phi[(k - 1) * (d + 1) + d];
  }
  return scores;
}

std::map<std::string, Coefficient> by_name(const Fit& fit) {
  std::map<std::string, Coefficient> found;
  for (const auto& row : fit.model->coefficients()->coefficient_table(0.95).rows) {
    found[row.label + " " + row.feature] = row;
  }
  return found;
}

}  // namespace

TEST_CASE("softmax: the information is the derivative of the gradient [threads]") {
  Rows rows;
  fill(rows, 2100, 2, 3);
  const auto columns = models::linear::identify(models::softmax::view_of(rows.fit), true);
  std::vector<double> phi{0.3, -0.7, 0.2, 1.1, 0.4, -0.5};
  const auto here = curvature(rows.fit, scores_of(phi, columns, 3), columns, true);
  REQUIRE(here.gradient.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    constexpr double kStep = 1e-5;
    auto moved = phi;
    moved[i] += kStep;
    const auto up = curvature(rows.fit, scores_of(moved, columns, 3), columns, true).gradient;
    moved[i] -= 2 * kStep;
    const auto down = curvature(rows.fit, scores_of(moved, columns, 3), columns, true).gradient;
    for (std::size_t j = 0; j < 6; ++j) {
      const double slope = (up[j] - down[j]) / (2 * kStep);
      CHECK(std::abs(here.information[i * 6 + j] - slope) < 1e-5 * rows.fit.weight);
    }
  }
  for (const int threads : {2, 7}) {
    rows.fit.threads = threads;
    const auto again = curvature(rows.fit, scores_of(phi, columns, 3), columns, true);
    CHECK(again.information == here.information);
    CHECK(again.gradient == here.gradient);
  }
}

TEST_CASE("softmax: errors scale with the units and do not care where 0 is") {
  const Table table = made_table(300, 3, 41);
  Table moved = table;
  const auto a = table.column("a");
  for (auto& row : moved.rows) { row[a] = format_number(1e3 * *parse_number(row[a]) + 5e4); }
  const auto one = by_name(train_table(table, "softmax", {{"decay", "0"}}));
  const auto other = by_name(train_table(moved, "softmax", {{"decay", "0"}}));
  REQUIRE(one.size() == other.size());
  for (const auto& [name, row] : one) {
    if (row.feature == "(intercept)") { continue; }
    const double unit = row.feature == "a" ? 1e3 : 1.0;
    CHECK(other.at(name).standard_error * unit ==
          doctest::Approx(row.standard_error).epsilon(1e-6));
    CHECK(other.at(name).z == doctest::Approx(row.z).epsilon(1e-5));
  }
}

TEST_CASE("softmax: weights of 2 are rows twice, so errors fall by sqrt 2 from weights of 1") {
  Table table = made_table(200, 2, 42);
  const auto one = by_name(train_table(table, "softmax", {{"decay", "0"}}));
  table.add_column("w", "2");
  const auto two = by_name(train_table(table, "softmax", {{"decay", "0"}}, 1, "w"));
  for (const auto& [name, row] : one) {
    CHECK(two.at(name).estimate == doctest::Approx(row.estimate).epsilon(1e-6));
    CHECK(two.at(name).standard_error * std::sqrt(2.0) ==
          doctest::Approx(row.standard_error).epsilon(1e-6));
  }
}

TEST_CASE("softmax: errors come back from a model file") {
  const auto fit = train_table(made_table(200, 3, 43), "softmax", {{"decay", "0"}});
  const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*fit.model), "model");
  const auto before = fit.model->coefficients()->coefficient_table(0.9);
  const auto after = loaded->coefficients()->coefficient_table(0.9);
  REQUIRE(before.rows.size() == after.rows.size());
  CHECK(before.notes == after.notes);
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    CHECK(before.rows[i].standard_error > 0.0);
    CHECK(before.rows[i].standard_error == after.rows[i].standard_error);
    CHECK(before.rows[i].lower == after.rows[i].lower);
    CHECK(before.rows[i].identifiable == after.rows[i].identifiable);
  }
}

TEST_CASE("softmax: one class has no coefficients to show, and its model works") {
  const auto source = open_csv_bytes("class,x\na,1\na,2\n", "table", {.target = "class"});
  const auto fit = train(*source, "softmax", {{"decay", "0"}});
  const auto table = fit.model->coefficients()->coefficient_table(0.95);
  CHECK(table.rows.empty());
  CHECK(table.notes ==
        std::vector<std::string>{"there is only one class, so there are no odds to show"});
  CHECK_NOTHROW(static_cast<void>(modelfile::from_bytes(modelfile::to_bytes(*fit.model), "model")));
}
