#include "models/perceptron/perceptron.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "models/perceptron/calibration.hpp"
#include "random/shuffle.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;
using namespace logodds::models;
using namespace logodds::models::perceptron;

namespace {

/// Rows of d normal numbers whose class is the largest of some linear scores; `noise` blurs it, and
/// rows with a margin below `gap` are left out.
struct Sample {
  std::size_t d;
  Schema schema;
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;

  Sample(std::size_t n, std::size_t columns, std::size_t classes, double noise, double gap,
         std::uint64_t seed)
      : d(columns) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < d; ++i) {
      schema.columns.push_back({"x" + std::to_string(i), ColumnKind::real, {}});
    }
    for (std::size_t k = 0; k < classes; ++k) { schema.labels.push_back(std::to_string(k)); }
    std::vector<double> truth(classes * (d + 1));
    for (double& value : truth) { value = normal(random); }
    while (labels.size() < n) {
      std::vector<double> row;
      for (std::size_t i = 0; i < d; ++i) { row.push_back(normal(random)); }
      std::vector<double> scores;
      for (std::size_t k = 0; k < classes; ++k) {
        const double* const u = truth.data() + k * (d + 1);
        scores.push_back(std::inner_product(row.begin(), row.end(), u, u[d]) +
                         noise * normal(random));
      }
      const auto top = std::ranges::max_element(scores);
      const double best = *top;
      const auto label = static_cast<std::int32_t>(top - scores.begin());
      *top = -1e9;
      if (best - *std::ranges::max_element(scores) < gap) { continue; }
      labels.push_back(label);
      weights.push_back(1.0 + static_cast<double>(random() % 3));
      values.insert(values.end(), row.begin(), row.end());
    }
  }

  [[nodiscard]] RowBlock block() const {
    return {.rows = labels.size(),
            .numeric = values.data(),
            .numeric_columns = d,
            .numeric_stride = d,
            .codes = {},
            .labels = labels.data(),
            .weights = weights.data()};
  }
  [[nodiscard]] linear::Features features() const { return {schema, OneHot::full}; }
};

std::size_t total(const std::vector<std::size_t>& mistakes) {
  return std::accumulate(mistakes.begin(), mistakes.end(), std::size_t{0});
}

const std::string kXor =
    "class,a,b\n0,0,0\n1,0,1\n1,1,0\n0,1,1\n0,0.1,0.1\n1,0.1,0.9\n1,0.9,0.1\n0,0.9,0.9\n";

Fit fit_text(const std::string& text, const OptionMap& options = {}) {
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  return train(*source, "perceptron", options);
}

}  // namespace

TEST_CASE("perceptron: separable rows are learnt without a mistake, within Novikoff's bound") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::size_t classes = 2 + seed % 3;
    Sample sample(150, 3, classes, 0.0, 0.3, seed);
    std::ranges::fill(sample.weights, 1.0);
    const InnerRows rows(sample.block(), sample.features());
    const auto learnt = learn_linear(rows, {.classes = classes, .passes = 10000, .seed = seed});
    REQUIRE(learnt.mistakes.back() == 0);
    CHECK(std::ranges::count(learnt.mistakes, std::size_t{0}) == 1);
    // Any U of length 1 that separates by g = min (u_y - u_k).z bounds the mistakes by 2 R^2 / g^2,
    // z with its bias unit: U.W grows by g with each, |W|^2 by at most 2 R^2.
    const double length = std::sqrt(
        std::inner_product(learnt.last.begin(), learnt.last.end(), learnt.last.begin(), 0.0));
    double gap = 1e300;
    double radius = 0.0;
    std::vector<double> scores(classes);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      linear_scores(rows.row(r), learnt.last, scores);
      const std::size_t rival = rival_of(scores, rows.label(r));
      gap = std::min(gap, (scores[rows.label(r)] - scores[rival]) / length);
      double square = 1.0;
      for (const double z : rows.row(r).values) { square += z * z; }
      radius = std::max(radius, square);
    }
    REQUIRE(gap > 0.0);
    CHECK(static_cast<double>(total(learnt.mistakes)) <= 2.0 * radius / (gap * gap));
  }
}

TEST_CASE("perceptron: the averaged weights are those of a straight implementation") {
  const Sample sample(80, 4, 3, 1.0, 0.0, 5);
  const InnerRows rows(sample.block(), sample.features());
  const auto learnt = learn_linear(rows, {.classes = 3, .passes = 4, .seed = 9});
  std::vector<double> w(15, 0.0);
  std::vector<double> sum(15, 0.0);
  double seen = 0.0;
  for (std::uint64_t pass = 0; pass < 4; ++pass) {
    for (const auto r : random::shuffled(80, 9, pass)) {
      std::vector<double> z(rows.row(r).values.begin(), rows.row(r).values.end());
      z.push_back(1.0);
      std::vector<double> s(3, 0.0);
      for (std::size_t i = 0; i < 15; ++i) { s[i % 3] += z[i / 3] * w[i]; }
      const auto y = static_cast<std::size_t>(sample.labels[r]);
      const std::size_t q = y == 0   ? (s[2] > s[1] ? 2 : 1)
                            : y == 1 ? (s[2] > s[0] ? 2 : 0)
                                     : (s[1] > s[0] ? 1 : 0);
      for (std::size_t i = 0; i < 5 && s[y] <= s[q]; ++i) {
        w[i * 3 + y] += sample.weights[r] * z[i];
        w[i * 3 + q] -= sample.weights[r] * z[i];
      }
      for (std::size_t i = 0; i < 15; ++i) { sum[i] += sample.weights[r] * w[i]; }
      seen += sample.weights[r];
    }
  }
  for (double& value : sum) { value /= seen; }
  CHECK(total(learnt.mistakes) > 20);
  CHECK(largest_difference(learnt.last, w) < 1e-11);
  CHECK(largest_difference(learnt.mean, sum) < 1e-11);
}

TEST_CASE("perceptron: the linear kernel learns what the weights learn, decision for decision") {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{4}}) {
    const Sample sample(120, 3, classes, 0.5, 0.0, classes);
    const InnerRows rows(sample.block(), sample.features());
    const Learning learning{.classes = classes, .passes = 6, .seed = 2};
    const auto weights = learn_linear(rows, learning);
    const auto kernel = learn_kernel(rows, {.kind = KernelKind::linear}, learning);
    CHECK(weights.mistakes == kernel.mistakes);
    CHECK(kernel.changes.size() == total(kernel.mistakes));
    std::vector<double> last(rows.rows() * classes);
    std::vector<double> mean(rows.rows() * classes);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      linear_scores(rows.row(r), weights.last, {last.data() + r * classes, classes});
      linear_scores(rows.row(r), weights.mean, {mean.data() + r * classes, classes});
    }
    CHECK(largest_difference(last, kernel.last_scores) < 1e-10);
    CHECK(largest_difference(mean, kernel.mean_scores) < 1e-10);
    const KernelScores scores(sample.features(), rows.units(), {.kind = KernelKind::linear},
                              Supports(rows, kernel.supports), kernel.mean, classes);
    std::vector<double> out(rows.rows() * classes);
    scores.log_scores(sample.block(), out);
    CHECK(largest_difference(mean, out) < 1e-10);
  }
}

TEST_CASE("perceptron: votes are those of the weights after every row") {
  const Sample sample(40, 2, 3, 0.5, 0.0, 8);
  const InnerRows rows(sample.block(), sample.features());
  const auto learnt =
      learn_kernel(rows, {.kind = KernelKind::linear}, {.classes = 3, .passes = 3, .seed = 1});
  const KernelScores scores(sample.features(), rows.units(), {.kind = KernelKind::linear},
                            Supports(rows, learnt.supports), learnt.changes, 3);
  std::vector<double> out(120);
  scores.log_scores(sample.block(), out);
  std::vector<double> votes(120, 0.0);
  std::vector<double> w(9, 0.0);
  double cast = 0.0;
  for (std::uint64_t pass = 0; pass < 3; ++pass) {
    for (const auto r : random::shuffled(40, 1, pass)) {
      std::vector<double> s(3);
      linear_scores(rows.row(r), w, s);
      const std::size_t q = rival_of(s, rows.label(r));
      if (s[rows.label(r)] <= s[q]) {
        for (std::size_t i = 0; i < 3; ++i) {
          const double z = i < 2 ? rows.row(r).values[i] : 1.0;
          w[i * 3 + rows.label(r)] += rows.weight(r) * z;
          w[i * 3 + q] -= rows.weight(r) * z;
        }
      }
      cast += rows.weight(r);
      for (std::size_t t = 0; t < 40; ++t) {
        linear_scores(rows.row(t), w, s);
        votes[t * 3 + static_cast<std::size_t>(std::ranges::max_element(s) - s.begin())] +=
            rows.weight(r);
      }
    }
  }
  for (std::size_t i = 0; i < 120; ++i) {
    CHECK(std::exp(out[i]) == doctest::Approx(votes[i] / cast).epsilon(1e-12));
  }
}

TEST_CASE("perceptron: XOR is learnt with a kernel and not without") {
  for (const std::string kernel : {"polynomial", "rbf"}) {
    for (const std::string variant : {"auto", "plain", "averaged", "voted"}) {
      CAPTURE(kernel);
      CAPTURE(variant);
      const auto fitted = fit_text(
          kXor, {{"kernel", kernel}, {"variant", variant}, {"passes", "200"}, {"degree", "2"}});
      const auto source = open_csv_bytes(kXor, "table", {}, fitted.model->schema(), true);
      CHECK(evaluate(*fitted.model, *source).measures.confusion() ==
            std::vector<double>{4, 0, 0, 4});
      REQUIRE(fitted.report.trace.has_value());
      CHECK(std::get<double>(fitted.report.trace->rows.back()[1]) == 0.0);
      CHECK(fitted.report.tables[0].rows.size() == fitted.report.trace->rows.size());
      CHECK(fitted.report.notes.back().find("made no mistake") != std::string::npos);
    }
  }
  const auto linear = fit_text(kXor, {{"passes", "50"}});
  CHECK(linear.report.tables[0].rows.size() == 50);
  CHECK(linear.report.notes.back().find("pass 50, the last, made") != std::string::npos);
}

TEST_CASE("perceptron: the scale of the scores is where the likelihood is largest") {
  const Sample sample(100, 2, 3, 0.7, 0.0, 4);
  const InnerRows rows(sample.block(), sample.features());
  const auto learnt = learn_linear(rows, {.classes = 3, .passes = 5, .seed = 0});
  std::vector<double> scores(300);
  for (std::size_t r = 0; r < 100; ++r) {
    linear_scores(rows.row(r), learnt.mean, {scores.data() + 3 * r, 3});
  }
  std::vector<double> sizes(3, 0.0);
  for (std::size_t r = 0; r < 100; ++r) { sizes[rows.label(r)] += rows.weight(r); }
  const auto loss = [&](double b) {
    double sum = 0.0;
    for (std::size_t r = 0; r < 100; ++r) {
      double all = 0.0;
      for (std::size_t k = 0; k < 3; ++k) { all += std::exp(b * scores[3 * r + k]); }
      const double size = sizes[rows.label(r)];
      for (std::size_t k = 0; k < 3; ++k) {
        const double target = ((k == rows.label(r) ? size : 0.0) + 1.0) / (size + 3.0);
        sum -= rows.weight(r) * target * (b * scores[3 * r + k] - std::log(all));
      }
    }
    return sum;
  };
  const double b = fitted_scale(scores, 3, rows);
  CHECK(b > 0.0);
  CHECK(loss(b) < loss(1.001 * b));
  CHECK(loss(b) < loss(0.999 * b));
  // Scores that point the wrong way keep their decisions.
  for (double& score : scores) { score = -score; }
  const double least = fitted_scale(scores, 3, rows);
  CHECK(least > 0.0);
  CHECK(least < 0.01 * b);
}

TEST_CASE("perceptron: posteriors stay below 1 where no row is mistaken") {
  const auto model = fit_text("class,x\na,1\na,2\nb,4\nb,5\n").model;
  const std::vector<double> x{1.0, 5.0};
  std::vector<double> p(4);
  posteriors(*model, row_major(x.data(), 2, 1), p);
  CHECK(p[0] > 0.6);
  CHECK(p[0] < 0.999);
  CHECK(p[3] > 0.6);
  REQUIRE(model->evidence() != nullptr);
  CHECK(fit_text(kXor, {{"kernel", "rbf"}}).model->evidence() == nullptr);
}

TEST_CASE("perceptron: scores that overflow are refused, not voted on") {
  // In such units coefficients are large.
  const std::string small = "class,a,b\n0,1e-9,0\n1,0,1e-9\n0,2e-9,1e-9\n1,1e-9,2e-9\n";
  for (const std::string kernel : {"linear", "polynomial", "rbf"}) {
    for (const std::string variant : {"plain", "averaged", "voted"}) {
      CAPTURE(kernel);
      CAPTURE(variant);
      const auto model = fit_text(small, {{"kernel", kernel}, {"variant", variant}}).model;
      const std::string far = "a,b\n0,0\n1e308,-1e308\n";
      const auto source = open_csv_bytes(far, "far", {}, model->schema(), false);
      std::string message;
      try {
        score(*model, *source, [](const ScoredBlock&) {});
      } catch (const Error& error) { message = error.what(); }
      CHECK(message.find("far, line 3") != std::string::npos);
    }
  }
  CHECK_THROWS_AS(fit_text("class,x\na,1e200\nb,-1e200\na,2e200\n"), Error);
}

TEST_CASE("perceptron: sparse rows learn in units of their largest values, and stay sparse") {
  const std::vector<std::size_t> starts{0, 1, 2, 4, 4, 6};
  const std::vector<std::uint32_t> indices{0, 2, 0, 2, 1, 2};
  const std::vector<double> values{4, -2, 2, 1, 3, -1};
  const std::vector<std::int32_t> labels{0, 1, 0, 1, 1};
  Sample sample(1, 3, 2, 0.0, 0.0, 0);  // for its schema
  const RowBlock block{.rows = 5,
                       .numeric_columns = 3,
                       .sparse = {starts.data(), indices.data(), values.data()},
                       .codes = {},
                       .labels = labels.data()};
  const InnerRows rows(block, sample.features());
  CHECK(rows.sparse());
  CHECK(rows.units().unit == std::vector<double>{4, 3, 2});
  CHECK(rows.units().center == std::vector<double>{0, 0, 0});
  const Learning learning{.classes = 2, .passes = 20, .seed = 3};
  const auto weights = learn_linear(rows, learning);
  CHECK(weights.mistakes.back() == 0);
  for (const auto kind : {KernelKind::linear, KernelKind::polynomial, KernelKind::rbf}) {
    const Kernel kernel{.kind = kind, .degree = 2, .gamma = 0.5};
    const auto learnt = learn_kernel(rows, kernel, learning);
    if (kind == KernelKind::linear) { CHECK(learnt.mistakes == weights.mistakes); }
    const KernelScores scores(sample.features(), rows.units(), kernel,
                              Supports(rows, learnt.supports), learnt.mean, 2);
    CHECK(scores.takes_sparse());
    std::vector<double> out(10);
    scores.log_scores(block, out);
    CHECK(largest_difference(out, learnt.mean_scores) < 1e-12);
    // The same rows dense.
    const std::vector<double> dense{4, 0, 0, 0, 0, -2, 2, 0, 1, 0, 0, 0, 0, 3, -1};
    RowBlock spread = block;
    spread.sparse = {};
    spread.numeric = dense.data();
    spread.numeric_stride = 3;
    std::vector<double> other(10);
    scores.log_scores(spread, other);
    CHECK(largest_difference(out, other) < 1e-12);
  }
}
