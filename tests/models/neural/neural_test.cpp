#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/neural/made_rows.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

double fact(const Classifier& model, const std::string& name) {
  for (const auto& [key, value] : model.describe().facts) {
    if (key != name) { continue; }
    const auto* const whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
  }
  return std::nan("");
}

std::string refusal_of(const Sample& sample, const OptionMap& options,
                       const Context& context = {}) {
  try {
    static_cast<void>(fit_net(sample, options, context));
  } catch (const Error& error) { return error.what(); }
  return {};
}

bool noted(const FitReport& report, const std::string& part) {
  return std::ranges::any_of(report.notes, [&](const auto& note) { return contains(note, part); });
}

}  // namespace

TEST_CASE("neural: exclusive or is learnt, which no linear model can") {
  for (const std::string activation : {"tanh", "sigmoid", "relu"}) {
    const auto fitted = fit_net(
        exclusive_or(),
        {{"hidden", "4"}, {"activation", activation}, {"decay", "0.0001"}, {"restarts", "5"}});
    const auto p = posteriors_of(*fitted.model, exclusive_or());
    for (std::size_t r = 0; r < 4; ++r) { CHECK(p[2 * r + exclusive_or().label(r)] > 0.95); }
  }
  const auto line = fit_net(exclusive_or(), {{"activation", "linear"}});
  CHECK(accuracy(*line.model, exclusive_or()) < 1.0);
}

TEST_CASE("neural: two spirals are learnt") {
  const auto spirals = two_spirals();
  const auto fitted = fit_net(spirals, {{"hidden", "50"}, {"max-iterations", "2000"}});
  CHECK(accuracy(*fitted.model, spirals) == 1.0);
}

TEST_CASE("neural: linear units without decay give the softmax solution") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const auto sample = weighted(made_sample(300, 3, classes, 41), 41);
    const auto net = fit_net(sample, {{"hidden", "4"},
                                      {"activation", "linear"},
                                      {"decay", "0"},
                                      {"tolerance", "1e-10"},
                                      {"max-iterations", "5000"}});
    const auto softmax = train(*open_matrix(sample.data()), "softmax", {});
    CHECK(largest_error(posteriors_of(*net.model, sample), posteriors_of(*softmax.model, sample)) <
          1e-5);
  }
}

TEST_CASE(
    "neural: the same bytes by threads, for both optimizers, with restarts and rows held out "
    "[threads]") {
  const auto sample = made_sample(1500, 40, 3, 42);
  for (const std::string optimizer : {"lbfgs", "adam"}) {
    std::vector<std::string> bytes;
    for (const int threads : {1, 2, 7}) {
      bytes.push_back(modelfile::to_bytes(*fit_net(sample,
                                                   {{"optimizer", optimizer},
                                                    {"hidden", "40"},
                                                    {"restarts", "2"},
                                                    {"validation", "0.1"},
                                                    {"batch", "300"},
                                                    {"passes", "2"},
                                                    {"max-iterations", "3"}},
                                                   {.threads = threads, .seed = 7})
                                               .model));
    }
    CHECK(bytes[1] == bytes[0]);
    CHECK(bytes[2] == bytes[0]);
  }
}

TEST_CASE("neural: the seed decides, and nothing else does") {
  const auto sample = made_sample(200, 3, 3, 43);
  for (const std::string optimizer : {"lbfgs", "adam"}) {
    const OptionMap options{{"optimizer", optimizer}, {"passes", "3"}, {"max-iterations", "5"}};
    const auto bytes = [&](std::uint64_t seed) {
      return modelfile::to_bytes(*fit_net(sample, options, {.seed = seed}).model);
    };
    CHECK(bytes(1) == bytes(1));
    CHECK(bytes(1) != bytes(2));
  }
}

TEST_CASE("neural: restarts keep the best and tell the spread of the objectives") {
  const auto spirals = two_spirals();
  const OptionMap options{{"hidden", "5"}, {"restarts", "6"}, {"max-iterations", "100"}};
  const auto fitted = fit_net(spirals, options, {.seed = 3});
  REQUIRE(fitted.report.tables.size() == 1);
  const auto& rows = fitted.report.tables[0].rows;
  REQUIRE(rows.size() == 6);
  double lowest = std::get<double>(rows[0][1]);
  double highest = lowest;
  for (const auto& row : rows) {
    lowest = std::min(lowest, std::get<double>(row[1]));
    highest = std::max(highest, std::get<double>(row[1]));
  }
  CHECK(highest > lowest + 0.1);
  for (const auto& row : rows) {
    CHECK((std::get<std::string>(row.back()) == "yes") == (std::get<double>(row[1]) == lowest));
  }
  CHECK(fact(*fitted.model, "objective") == lowest);
  CHECK(noted(fitted.report, "not convex"));
  CHECK(noted(fitted.report, "from " + format_number(lowest).substr(0, 6)));
  CHECK(noted(fitted.report, "to " + format_number(highest).substr(0, 6)));
  // The objective is that of the posteriors plus the decay, in standardized columns.
  const auto p = posteriors_of(*fitted.model, spirals);
  double loss = 0.0;
  for (std::size_t r = 0; r < spirals.rows(); ++r) {
    loss -= std::log(p[2 * r + spirals.label(r)]);
  }
  CHECK(loss < lowest);
  const auto plain = fit_net(spirals, {{"hidden", "5"}, {"decay", "0"}, {"max-iterations", "50"}});
  const auto q = posteriors_of(*plain.model, spirals);
  loss = 0.0;
  for (std::size_t r = 0; r < spirals.rows(); ++r) {
    loss -= std::log(q[2 * r + spirals.label(r)]);
  }
  CHECK(fact(*plain.model, "objective") == doctest::Approx(loss).epsilon(1e-10));
}

TEST_CASE("neural: rows held out stop the work early, and their lowest loss is kept") {
  // Labels by chance: whatever is learnt is wrong.
  auto sample = made_sample(300, 8, 2, 44);
  for (std::size_t r = 0; r < sample.rows(); ++r) { sample.labels[r] = r * 7919 % 13 < 6 ? 1 : 0; }
  for (const std::string optimizer : {"lbfgs", "adam"}) {
    const OptionMap options{
        {"optimizer", optimizer}, {"hidden", "30"}, {"decay", "0"}, {"step", "0.01"}};
    auto watched = options;
    watched["validation"] = "0.3";
    watched["patience"] = "5";
    const auto early = fit_net(sample, watched);
    const auto late = fit_net(sample, options);
    CHECK(fact(*early.model, "iterations") < fact(*late.model, "iterations"));
    CHECK(fact(*early.model, "iterations") < 100);
    CHECK(fact(*early.model, "held_out_log_loss") < 1.0);
    CHECK(std::isnan(fact(*late.model, "held_out_log_loss")));
    CHECK(fact(*late.model, "objective") < 0.7 * fact(*early.model, "objective"));
  }
}

TEST_CASE("neural: a batch larger than the rows is all of them") {
  const auto sample = made_sample(150, 3, 3, 45);
  const auto fitted = [&](const std::string& batch) {
    return fit_net(sample, {{"optimizer", "adam"}, {"batch", batch}, {"passes", "20"}});
  };
  CHECK(largest_error(posteriors_of(*fitted("150").model, sample),
                      posteriors_of(*fitted("1000000").model, sample)) == 0.0);
}

TEST_CASE("neural: adam gets as far as lbfgs on an easy problem") {
  const auto sample = made_sample(600, 4, 3, 46);
  const auto lbfgs = fit_net(sample, {{"optimizer", "lbfgs"}, {"decay", "0.3"}});
  const auto adam = fit_net(sample, {{"optimizer", "adam"},
                                     {"decay", "0.3"},
                                     {"step", "0.01"},
                                     {"batch", "50"},
                                     {"passes", "150"}});
  CHECK(fact(*adam.model, "objective") < 1.1 * fact(*lbfgs.model, "objective"));
}

TEST_CASE("neural: auto picks by the number of rows and says so") {
  const auto few = fit_net(made_sample(200, 2, 2, 47), {{"max-iterations", "3"}});
  CHECK(noted(few.report, "--optimizer auto: lbfgs"));
  CHECK(few.model->options().choice("optimizer") == "lbfgs");
  const auto many = fit_net(made_sample(10001, 2, 2, 47), {{"hidden", "2"}, {"passes", "1"}});
  CHECK(noted(many.report, "--optimizer auto: adam"));
  CHECK(many.model->options().choice("optimizer") == "adam");
}

TEST_CASE(
    "neural: the scale and origin of columns do not matter, and a constant one changes nothing") {
  const auto sample = made_sample(200, 3, 3, 48);
  auto moved = sample;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    moved.values[3 * r] = 1000.0 + 1e-3 * sample.at(r, 0);
    moved.values[3 * r + 1] = 4096.0 * sample.at(r, 1);
  }
  const OptionMap options{{"skip", "true"}, {"max-iterations", "20"}};
  CHECK(largest_error(posteriors_of(*fit_net(sample, options).model, sample),
                      posteriors_of(*fit_net(moved, options).model, moved)) < 1e-6);
  auto constant = sample;
  for (std::size_t r = 0; r < sample.rows(); ++r) { constant.values[3 * r + 2] = 5.0; }
  const auto model = fit_net(constant, options).model;
  const auto before = posteriors_of(*model, constant);
  for (std::size_t r = 0; r < sample.rows(); ++r) { constant.values[3 * r + 2] = 77.0; }
  CHECK(posteriors_of(*model, constant) == before);
}

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
