#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "models/softmax/objective.hpp"
#include "models/softmax/whitening.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;
using models::softmax::Problem;
using models::softmax::SoftmaxObjective;

namespace {

struct MadeProblem {
  Problem problem;
  std::vector<double> z;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

/// Built in place: the problem points to the rows, labels and weights beside it.
void fill(MadeProblem& made, std::size_t n, std::size_t d, std::size_t classes) {
  std::mt19937_64 random(n + classes);
  std::normal_distribution<double> normal;
  made.problem.rows = n;
  made.problem.columns = d;
  made.problem.classes = classes;
  for (std::size_t i = 0; i < n * d; ++i) { made.z.push_back(normal(random)); }
  made.problem.x = made.z.data();
  made.problem.stride = d;
  made.problem.center.assign(d, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    made.labels.push_back(static_cast<std::int32_t>(random() % classes));
    made.weights.push_back(1.0 + static_cast<double>(random() % 3));
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      made.problem.decay.push_back(0.3 * ((i == j ? 2.0 : 0.0) + 0.5));
    }
  }
  made.problem.labels = made.labels.data();
  made.problem.weights = made.weights.data();
}

}  // namespace

TEST_CASE("softmax: the gradient is that of finite differences, for two classes and for more") {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{4}}) {
    MadeProblem made;
    fill(made, 2100, 3, classes);
    SoftmaxObjective objective(made.problem);
    std::mt19937_64 random(classes);
    std::normal_distribution<double> normal;
    std::vector<double> theta(objective.dimension());
    for (auto& value : theta) { value = normal(random); }
    std::vector<double> gradient(theta.size());
    std::vector<double> unused(theta.size());
    objective.evaluate(theta, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      constexpr double kStep = 1e-5;
      auto moved = theta;
      moved[i] += kStep;
      const double up = objective.evaluate(moved, unused);
      moved[i] -= 2 * kStep;
      const double down = objective.evaluate(moved, unused);
      CHECK(gradient[i] == doctest::Approx((up - down) / (2 * kStep)).epsilon(1e-6));
    }
  }
}

TEST_CASE(
    "softmax: whitened rows have mean 0 and covariance I, but for directions without variance") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  constexpr std::size_t kN = 500;
  constexpr std::size_t kD = 4;
  std::vector<double> rows;
  for (std::size_t r = 0; r < kN; ++r) {
    const double a = normal(random);
    const double b = normal(random);
    rows.insert(rows.end(), {1e6 + a, 1e-3 * (a + 0.1 * b), 3.0, a - b});
  }
  const auto whitening = models::softmax::whiten({rows.data(), kN, kD, kD}, nullptr,
                                                 std::vector<double>(kD, 0.0), true, true);
  const auto z = whitening.apply(rows.data(), kN, kD);
  std::vector<double> second(kD * kD, 0.0);
  for (std::size_t r = 0; r < kN; ++r) {
    for (std::size_t i = 0; i < kD; ++i) {
      for (std::size_t j = 0; j < kD; ++j) {
        second[i * kD + j] += z[r * kD + i] * z[r * kD + j] / kN;
      }
    }
  }
  double trace = 0.0;
  for (std::size_t i = 0; i < kD; ++i) {
    trace += second[i * kD + i];
    for (std::size_t j = 0; j < i; ++j) { CHECK(std::abs(second[i * kD + j]) < 1e-6); }
  }
  CHECK(trace == doctest::Approx(2.0).epsilon(1e-6));  // two directions vary
}

TEST_CASE("softmax: separable classes under the default decay give a model and say what to do") {
  const std::string text = "class,x\na,1\na,2\nb,4\nb,5\n";
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  const auto fitted = train(*source, "softmax");
  REQUIRE(fitted.report.notes.size() == 2);  // the optimizer, and this
  CHECK(fitted.report.notes[1].find("separable") != std::string::npos);
  const std::vector<double> x{1.5, 4.5};
  std::vector<double> p(4);
  posteriors(*fitted.model, row_major(x.data(), 2, 1), p);
  CHECK(p[0] > 0.99);
  CHECK(p[3] > 0.99);
}

TEST_CASE("softmax: the optimum is that of the stated objective in the user's units") {
  // At the optimum the gradient of the log-likelihood is 2 eps theta for every coefficient, and 0
  // for every intercept.
  const Table table = made_table(400, 3, 31);
  constexpr double kDecay = 0.5;
  const auto model = train_table(table, "softmax", {{"decay", format_number(kDecay)}}).model;
  const auto description = model->describe();
  const auto p = posteriors_of(*model, table);
  const auto a = table.column("a");
  for (std::size_t k = 0; k < 3; ++k) {
    double likelihood_gradient = 0.0;
    double intercept_gradient = 0.0;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const double y = table.rows[r][0] == "class" + std::to_string(k) ? 1.0 : 0.0;
      likelihood_gradient += (y - p[r * 3 + k]) * *parse_number(table.rows[r][a]);
      intercept_gradient += y - p[r * 3 + k];
    }
    const auto& row = description.tables[0].rows[1];  // the intercept stands first, then column a
    REQUIRE(std::get<std::string>(row[0]) == "a");
    const double coefficient = std::get<double>(row[1 + k]);
    CHECK(std::abs(likelihood_gradient - 2.0 * kDecay * coefficient) < 1e-6);
    CHECK(std::abs(intercept_gradient) < 1e-6);
  }
}

TEST_CASE("softmax: with decay, columns in very different units reach the optimum") {
  Table table = made_table(300, 3, 32);
  for (auto& row : table.rows) {
    row[table.column("a")] = format_number(1e-6 * *parse_number(row[table.column("a")]));
    row[table.column("b")] = format_number(1e6 * *parse_number(row[table.column("b")]));
  }
  for (const double decay : {0.5, 100.0}) {
    const auto fitted = train_table(table, "softmax", {{"decay", format_number(decay)}});
    CHECK(fitted.report.notes.size() == 2);  // one-hot, which optimizer, and not that it failed
    const auto description = fitted.model->describe();
    const auto p = posteriors_of(*fitted.model, table);
    for (const std::string name : {"a", "b", "d"}) {
      const auto& rows = description.tables[0].rows;
      const auto at = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
        return std::get<std::string>(row[0]) == name;
      });
      double gradient = 0.0;
      double size = 0.0;
      for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const double x = *parse_number(table.rows[r][table.column(name)]);
        gradient += ((table.rows[r][0] == "class0" ? 1.0 : 0.0) - p[r * 3]) * x;
        size += std::abs(x);
      }
      // The optimiser stops at 1e-11 of the weight in its own coordinates, whose unit is the
      // larger of the column's size and what the decay leaves of it.
      const double unit = size + 300.0 * std::sqrt(2.0 * decay / 30.0);
      CHECK(std::abs(gradient - 2.0 * decay * std::get<double>((*at)[1])) < 1e-10 * unit);
    }
  }
}

TEST_CASE("softmax: more columns than are rotated reach the optimum all the same") {
  // Half of the columns repeat the other half, so that every coefficient is shared by two.
  constexpr std::size_t kN = 200;
  const std::size_t half = models::softmax::kMostRotated / 2 + 10;
  std::mt19937_64 random(77);
  std::normal_distribution<double> normal;
  std::vector<double> narrow;
  std::vector<double> wide;
  std::vector<std::int64_t> labels;
  for (std::size_t r = 0; r < kN; ++r) {
    std::vector<double> row;
    for (std::size_t i = 0; i < half; ++i) { row.push_back(normal(random)); }
    labels.push_back(row[0] + 0.5 * row[1] + normal(random) > 0.0 ? 1 : 0);
    narrow.insert(narrow.end(), row.begin(), row.end());
    wide.insert(wide.end(), row.begin(), row.end());
    wide.insert(wide.end(), row.begin(), row.end());
  }
  // Two equal columns carry half the coefficient each, at half the decay: decay 2 there is 1 here.
  const auto fit = [&](const std::vector<double>& rows, const std::string& decay) {
    const MatrixView view = row_major(rows.data(), kN, rows.size() / kN);
    const auto source = open_matrix({.features = view, .labels = labels.data()});
    const auto model = train(*source, "softmax", {{"decay", decay}}).model;
    std::vector<double> p(2 * kN);
    posteriors(*model, view, p);
    return p;
  };
  CHECK(largest_difference(fit(narrow, "1"), fit(wide, "2")) < 1e-7);
}

TEST_CASE(
    "softmax: of the coefficients that give the same posteriors, those that sum to 0 are kept") {
  const Table table = made_table(400, 3, 33);
  for (const std::string decay : {"0", "0.5"}) {
    const auto model = train_table(table, "softmax", {{"decay", decay}}).model;
    const auto description = model->describe();
    for (const auto& row : description.tables[0].rows) {
      double sum = 0.0;
      double size = 0.0;
      for (std::size_t k = 1; k < row.size(); ++k) {
        sum += std::get<double>(row[k]);
        size += std::abs(std::get<double>(row[k]));
      }
      CHECK(std::abs(sum) < 1e-9 * (1.0 + size));
    }
  }
}
