#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/neural/made_rows.hpp"

using namespace logodds;
using namespace logodds::test;

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
