#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "models/noisy_or/objective.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;
using namespace logodds::models;

namespace {

/// Rows drawn from a noisy-OR with alpha 0.9 (leak), 0.3, 0.8, 1 (no cause at all).
Table drawn_causes(std::size_t rows, std::uint64_t seed, const std::string& kind) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  Table table{{"class", "a", "b", "c"}, {}};
  const std::vector<double> alpha{0.3, 0.8, 1.0};
  for (std::size_t r = 0; r < rows; ++r) {
    double off = 0.9;
    std::vector<std::string> row{""};
    for (const double each : alpha) {
      double x = uniform(random) < 0.4 ? 1.0 : 0.0;
      if (kind == "counts") { x *= static_cast<double>(1 + random() % 3); }
      if (kind == "lengths") { x *= 2.0 * uniform(random); }
      off *= std::pow(each, x);
      row.push_back(format_number(x));
    }
    row[0] = uniform(random) < off ? "0" : "1";
    table.rows.push_back(row);
  }
  return table;
}

Fit fit_text(const std::string& text, const OptionMap& options = {}) {
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  return train(*source, "noisy-or", options);
}

std::vector<double> parameters(const Classifier& model) {
  auto theta = model.array("theta").values;
  theta.push_back(model.array("leak").values.front());
  return theta;
}

struct Made {
  Schema schema{.columns = {{.name = "a", .kind = ColumnKind::count, .levels = {}},
                            {.name = "b", .kind = ColumnKind::real, .levels = {}}},
                .target = "class",
                .labels = {"off", "on"}};
  linear::Features features{schema, OneHot::full};
  std::vector<double> values{1, 0.5, 2, 0, 0, 3, 1, 1, 0, 0.25};
  std::vector<std::int32_t> labels{1, 0, 1, 1, 0};
  std::vector<double> weights{1, 2, 1, 0.5, 1};
  RowBlock block{.rows = 5,
                 .numeric = values.data(),
                 .numeric_columns = 2,
                 .numeric_stride = 2,
                 .codes = {},
                 .labels = labels.data(),
                 .weights = weights.data()};
};

}  // namespace

TEST_CASE("noisy-or: ln(1 - e^-z) keeps its digits at both ends") {
  CHECK(noisy_or::log1mexp(1e-20) == doctest::Approx(std::log(1e-20)).epsilon(1e-15));
  CHECK(noisy_or::log1mexp(50.0) == doctest::Approx(-std::exp(-50.0)).epsilon(1e-15));
  CHECK(noisy_or::log1mexp(std::log(4.0)) == doctest::Approx(std::log(0.75)).epsilon(1e-15));
  CHECK(noisy_or::log1mexp(0.0) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("noisy-or: gradient and curvature are those of finite differences") {
  const Made made;
  const auto rows = noisy_or::gather_causes(made.block, made.features);
  for (const bool leak : {false, true}) {
    noisy_or::NoisyOrObjective objective(rows, leak, 1);
    std::vector<double> theta{0.4, 0.7};
    if (leak) { theta.push_back(0.2); }
    const std::size_t n = theta.size();
    std::vector<double> gradient(n);
    std::vector<double> up(n);
    std::vector<double> down(n);
    std::vector<double> diagonal(n);
    std::vector<double> column(n);
    CHECK(std::isfinite(objective.evaluate(theta, gradient)));
    objective.curve(theta, diagonal);
    for (std::size_t i = 0; i < n; ++i) {
      constexpr double kStep = 1e-5;
      auto moved = theta;
      moved[i] += kStep;
      const double high = objective.evaluate(moved, up);
      moved[i] -= 2 * kStep;
      const double low = objective.evaluate(moved, down);
      CHECK(gradient[i] == doctest::Approx((high - low) / (2 * kStep)).epsilon(1e-8));
      std::vector<double> unit(n, 0.0);
      unit[i] = 1.0;
      objective.hessian_times(unit, column);
      CHECK(column[i] == doctest::Approx(diagonal[i]).epsilon(1e-14));
      for (std::size_t j = 0; j < n; ++j) {
        CHECK(column[j] == doctest::Approx((up[j] - down[j]) / (2 * kStep)).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("noisy-or: EM and projected Newton agree, for 0/1, counts and lengths") {
  for (const std::string kind : {"binary", "counts", "lengths"}) {
    const std::string text = drawn_causes(1500, 3, kind).csv();
    CAPTURE(kind);
    const auto em = fit_text(text, {{"optimizer", "em"}, {"tolerance", "1e-12"}});
    const auto newton = fit_text(text, {{"optimizer", "newton"}, {"tolerance", "1e-12"}});
    const auto both = fit_text(text, {{"tolerance", "1e-12"}});
    CHECK(em.report.notes.empty());
    CHECK(newton.report.notes.empty());
    CHECK(largest_difference(parameters(*em.model), parameters(*newton.model)) < 1e-8);
    CHECK(largest_difference(parameters(*both.model), parameters(*newton.model)) < 1e-8);
    CHECK(both.report.trace->rows.size() > 2);
    CHECK(both.report.trace->rows.size() < em.report.trace->rows.size());
  }
}

TEST_CASE("noisy-or: where there are as many parameters as cells, the shares are met") {
  // x = 0: 3 of 4 off; x = 1: 1 of 4 off. So alpha_0 = 3/4, alpha_0 alpha_1 = 1/4.
  const std::string text = "class,x\nn,0\nn,0\nn,0\ny,0\nn,1\ny,1\ny,1\ny,1\n";
  const auto model = fit_text(text).model;
  CHECK(model->array("leak_alpha").values[0] == doctest::Approx(0.75).epsilon(1e-7));
  CHECK(model->array("alpha").values[0] == doctest::Approx(1.0 / 3.0).epsilon(1e-7));
  const auto description = model->describe();
  REQUIRE(description.tables[0].rows.size() == 2);
  CHECK(std::get<std::string>(description.tables[0].rows[1][3]) ==
        "x alone fails to switch y on with probability 0.333");
  const std::vector<double> x{0.0, 1.0, 2.0};
  std::vector<double> p(6);
  posteriors(*model, row_major(x.data(), 3, 1), p);
  CHECK(p[0] == doctest::Approx(0.75).epsilon(1e-7));
  CHECK(p[3] == doctest::Approx(0.75).epsilon(1e-7));
  CHECK(p[4] == doctest::Approx(1.0 / 12.0).epsilon(1e-7));
}

TEST_CASE("noisy-or: a cause that never fails and one that is never there") {
  const std::string text = "class,sure,never,x\nn,0,0,0\ny,1,0,0\ny,2,0,1\nn,0,0,1\ny,0,0,1\n";
  const auto fitted = fit_text(text, {{"leak", "off"}});
  const auto alpha = fitted.model->array("alpha").values;
  CHECK(alpha[0] == doctest::Approx(noisy_or::kLeastAlpha).epsilon(1e-12));
  CHECK(alpha[1] == 1.0);
  CHECK(alpha[2] == doctest::Approx(0.5).epsilon(1e-7));  // the row with `sure` tells nothing
  REQUIRE(fitted.report.notes.size() == 2);
  CHECK(fitted.report.notes[0].find("'sure'") != std::string::npos);
  CHECK(fitted.report.notes[1].find("'never'") != std::string::npos);
}

TEST_CASE("noisy-or: of indicators that sum to 1, the leak takes what they have in common") {
  std::string text = "class,color,x\n";
  std::mt19937_64 random(4);
  for (int i = 0; i < 300; ++i) {
    const auto color = random() % 3;
    text += random() % 6 < 2 + color ? "y," : "n,";
    text += std::string(1, static_cast<char>('r' + color)) + "," + std::to_string(random() % 2);
    text += "\n";
  }
  const auto model = fit_text(text).model;
  const auto theta = model->array("theta").values;
  REQUIRE(theta.size() == 4);
  CHECK(std::min({theta[1], theta[2], theta[3]}) == 0.0);
  CHECK(model->array("leak").values[0] > 0.1);
  const auto em = fit_text(text, {{"optimizer", "em"}, {"tolerance", "1e-11"}}).model;
  CHECK(largest_difference(parameters(*model), parameters(*em)) < 1e-6);
}

TEST_CASE("noisy-or: rows that cannot be, and classes that are not two, are refused") {
  const auto sentence = [](const std::string& text, const OptionMap& options) {
    try {
      fit_text(text, options);
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  const std::string impossible = "class,x,z\nn,0,1\ny,0,0\ny,1,0\ny,0,0\n";
  CHECK(sentence(impossible, {{"leak", "off"}}).find("2 rows are 'y'") != std::string::npos);
  CHECK(sentence(impossible, {{"leak", "off"}}).find("--leak on") != std::string::npos);
  CHECK(sentence(impossible, {}).empty());
  CHECK(sentence("class,x\na,1\nb,0\nc,1\n", {}).find("two classes") != std::string::npos);
  CHECK(sentence("class,x\na,1\na,0\n", {}).find("every row is of class 'a'") != std::string::npos);
  CHECK(sentence("class,x\na,1\nb,-2\n", {}).find("line 3, column 'x': -2 is negative") !=
        std::string::npos);
}

TEST_CASE("noisy-or: sparse rows give what dense ones give") {
  const Made made;
  const std::vector<std::size_t> starts{0, 2, 3, 4, 6, 8};
  const std::vector<std::uint32_t> indices{0, 1, 0, 1, 0, 1, 0, 1};
  const std::vector<double> values{1, 0.5, 2, 3, 1, 1, 0, 0.25};  // one 0 that is stored
  RowBlock sparse = made.block;
  sparse.numeric = nullptr;
  sparse.sparse = {starts.data(), indices.data(), values.data()};
  const auto from_dense = noisy_or::gather_causes(made.block, made.features);
  const auto from_sparse = noisy_or::gather_causes(sparse, made.features);
  CHECK(from_dense.starts == from_sparse.starts);
  CHECK(from_dense.indices == from_sparse.indices);
  CHECK(from_dense.values == from_sparse.values);
  CHECK(from_dense.off_sums == from_sparse.off_sums);
  const noisy_or::NoisyOrDiscriminant model(
      made.schema, made.features,
      {.theta = {0.3, 0.9}, .known = {noisy_or::Known::fitted, noisy_or::Known::fitted}}, false,
      {});
  std::vector<double> one(10);
  std::vector<double> other(10);
  model.log_scores(made.block, one);
  model.log_scores(sparse, other);
  CHECK(one == other);
  CHECK(one[4] == doctest::Approx(-2.7));
}

TEST_CASE("noisy-or: a warm start ends where a cold one does, sooner") {
  const std::string text = drawn_causes(800, 5, "counts").csv();
  const OptionMap options{{"optimizer", "em"}};
  const auto cold = fit_text(text, options);
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  Context context;
  context.warm_start = cold.model.get();
  const auto warm = train(*source, "noisy-or", options, context);
  CHECK(warm.report.trace->rows.size() < cold.report.trace->rows.size());
  CHECK(largest_difference(parameters(*warm.model), parameters(*cold.model)) < 1e-4);
}

TEST_CASE("noisy-or: few rows and many causes, where the likelihood is flat or linear") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 30; ++round) {
    std::string text = "class,a,b,c,d,e\nn,1,0,1,2,1\ny,1,2,1,0,0\n";
    for (int row = 0; row < 6; ++row) {
      text += random() % 2 == 0 ? "n" : "y";
      for (int column = 0; column < 5; ++column) { text += "," + std::to_string(random() % 3); }
      text += "\n";
    }
    CAPTURE(text);
    const auto fit = [&](const std::string& optimizer) {
      const auto fitted = fit_text(text, {{"optimizer", optimizer}, {"tolerance", "1e-10"}});
      for (const auto& note : fitted.report.notes) {
        // EM creeps where a cause is about to vanish, and says so.
        if (optimizer != "em") { CHECK(note.find("stopped after") == std::string::npos); }
      }
      return std::get<double>(fitted.model->describe().facts[2].second);
    };
    const double em = fit("em");
    CHECK(fit("newton") == doctest::Approx(em).epsilon(1e-7));
    CHECK(fit("auto") == doctest::Approx(em).epsilon(1e-7));
  }
}
