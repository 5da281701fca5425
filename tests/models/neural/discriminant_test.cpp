#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/neural/made_rows.hpp"

using namespace logodds;
using namespace logodds::test;

TEST_CASE("neural: the arrays are the net, in the user's units") {
  const auto sample = made_sample(100, 3, 3, 49);
  for (const std::string skip : {"false", "true"}) {
    const auto model =
        fit_net(sample, {{"skip", skip}, {"hidden", "4"}, {"max-iterations", "20"}}).model;
    const auto w = array_of(*model, "hidden_weights");
    const auto b = array_of(*model, "hidden_bias");
    const auto v = array_of(*model, "output_weights");
    const auto c = array_of(*model, "output_bias");
    const auto s = array_of(*model, "skip_weights");
    CHECK(s.size() == (skip == "true" ? 9U : 0U));
    CHECK(model->array("hidden_weights").shape == std::vector<std::size_t>{3, 4});
    CHECK(model->array("output_weights").shape == std::vector<std::size_t>{4, 3});
    CHECK(fact(*model, "weights") == (skip == "true" ? 40 : 31));
    const auto p = posteriors_of(*model, sample);
    for (std::size_t r = 0; r < 100; ++r) {
      std::vector<double> a = c;
      for (std::size_t j = 0; j < 4; ++j) {
        double h = b[j];
        for (std::size_t i = 0; i < 3; ++i) { h += sample.at(r, i) * w[i * 4 + j]; }
        for (std::size_t k = 0; k < 3; ++k) { a[k] += std::tanh(h) * v[j * 3 + k]; }
      }
      for (std::size_t i = 0; i < s.size(); ++i) { a[i % 3] += sample.at(r, i / 3) * s[i]; }
      const double ratio = std::log(p[3 * r + 1] / p[3 * r]);
      CHECK(std::abs(ratio - (a[1] - a[0])) < 1e-8 * (1.0 + std::abs(ratio)));
    }
  }
}

TEST_CASE("neural: a warm start goes on where a model ended, and takes no other shape") {
  const auto sample = made_sample(300, 4, 3, 50);
  for (const std::string skip : {"false", "true"}) {
    const OptionMap options{{"max-iterations", "40"}, {"skip", skip}};
    const auto first = fit_net(sample, options);
    const Context warm{.warm_start = first.model.get()};
    const auto second = fit_net(sample, options, warm);
    REQUIRE(second.report.trace.has_value());
    CHECK(std::get<double>(second.report.trace->rows[0][1]) ==
          doctest::Approx(fact(*first.model, "objective")).epsilon(1e-9));
    CHECK(fact(*second.model, "objective") < fact(*first.model, "objective"));
    auto other = options;
    other["hidden"] = "7";
    CHECK(contains(refusal_of(sample, other, warm), "--hidden 10, not 7"));
    CHECK(contains(refusal_of(made_sample(50, 3, 3, 50), options, warm), "other columns"));
    CHECK(contains(refusal_of(made_sample(50, 4, 2, 50), options, warm), "other classes"));
  }
  const auto two = made_sample(200, 3, 2, 51);
  const auto first = fit_net(two, {{"max-iterations", "30"}});
  const auto second = fit_net(two, {{"max-iterations", "1"}}, {.warm_start = first.model.get()});
  CHECK(std::get<double>(second.report.trace->rows[0][1]) ==
        doctest::Approx(fact(*first.model, "objective")).epsilon(1e-9));
  const auto softmax = train(*open_matrix(two.data()), "softmax", {});
  CHECK(contains(refusal_of(two, {}, {.warm_start = softmax.model.get()}), "family softmax"));
}

TEST_CASE("neural: the trace has a line an iteration, restart after restart") {
  const auto sample = made_sample(200, 3, 3, 52);
  std::size_t told = 0;
  const Context context{.progress = [&](const Progress& progress) {
    told += progress.what == "optimizing" ? 1U : 0U;
  }};
  const auto fitted =
      fit_net(sample, {{"optimizer", "adam"}, {"passes", "4"}, {"restarts", "3"}}, context);
  REQUIRE(fitted.report.trace.has_value());
  CHECK(fitted.report.trace->rows.size() == 12);
  CHECK(told == 12);
  CHECK(std::get<std::int64_t>(fitted.report.trace->rows.back()[0]) == 12);
}

TEST_CASE("neural: what it refuses, with the cure") {
  auto sample = made_sample(30, 2, 2, 53);
  CHECK(contains(refusal_of(sample, {{"hidden", "0"}}), "--hidden"));
  CHECK(contains(refusal_of(sample, {{"validation", "0.01"}}), "holds out none"));
  CHECK(contains(refusal_of(sample, {{"validation", "0.95"}}), "--validation"));
  CHECK(contains(refusal_of(sample, {{"optimizer", "adam"}, {"step", "1e300"}}), "--step"));
  sample.values[3] = 1e200;
  CHECK(contains(refusal_of(sample, {}), "'x2'"));
}

TEST_CASE("neural: one class and one row of a class are no trouble") {
  auto sample = made_sample(20, 2, 2, 54);
  std::ranges::fill(sample.labels, 0);
  sample.labels[3] = 1;
  const auto p = posteriors_of(*fit_net(sample, {{"validation", "0.5"}}).model, sample);
  CHECK(std::ranges::all_of(p, [](double value) { return std::isfinite(value); }));
  sample.classes = 1;
  sample.labels[3] = 0;
  for (const std::string optimizer : {"lbfgs", "adam"}) {
    const auto fitted = fit_net(sample, {{"optimizer", optimizer}, {"passes", "2"}});
    CHECK(posteriors_of(*fitted.model, sample) == std::vector<double>(20, 1.0));
  }
}

TEST_CASE("neural: a damaged model file is refused") {
  const auto model = fit_net(made_sample(30, 2, 3, 55), {{"max-iterations", "2"}}).model;
  const auto bytes = modelfile::to_bytes(*model);
  const auto loaded = modelfile::from_bytes(bytes, "memory");
  CHECK(modelfile::to_bytes(*loaded) == bytes);
  auto broken = bytes;
  broken[broken.size() - 5] ^= 1;
  CHECK_THROWS_AS(static_cast<void>(modelfile::from_bytes(broken, "memory")), Error);
}
