#include <limits>

#include "logodds/models/family.hpp"
#include "models/neural/neural.hpp"

namespace logodds::models::neural {

FamilyRecord record();

namespace {

OptionSpec whole_number(std::string name, std::string usual, std::string help,
                        double maximum = 1e9) {
  return {.name = std::move(name),
          .type = OptionType::integer,
          .default_value = std::move(usual),
          .help = std::move(help),
          .minimum = 1.0,
          .maximum = maximum};
}

OptionSpec positive_number(std::string name, std::string usual, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::real,
          .default_value = std::move(usual),
          .help = std::move(help),
          .minimum = std::numeric_limits<double>::min()};
}

OptionSpec choice(std::string name, std::vector<std::string> choices, std::string help) {
  std::string usual = choices.front();
  return {.name = std::move(name),
          .type = OptionType::choice,
          .default_value = std::move(usual),
          .help = std::move(help),
          .choices = std::move(choices)};
}

std::vector<OptionSpec> options() {
  constexpr double kMostHidden = 100'000;
  return {
      whole_number("hidden", "10", "number of hidden units", kMostHidden),
      choice("activation", {"tanh", "sigmoid", "linear", "relu"},
             "what a hidden unit makes of its weighted sum"),
      {.name = "skip",
       .type = OptionType::flag,
       .default_value = "false",
       .help = "weights from the inputs straight to the outputs besides"},
      {.name = "decay",
       .type = OptionType::real,
       .default_value = "0.001",
       .help = "weight decay: this times the sum of squared weights, of standardized columns and "
               "with the biases of hidden units but not those of outputs, is added to minus the "
               "log-likelihood",
       .minimum = 0.0},
      choice("optimizer", {"auto", "lbfgs", "adam"},
             "lbfgs takes all rows at each step, adam a mini-batch; auto is lbfgs for at most "
             "10000 rows, else adam"),
      whole_number("restarts", "1",
                   "random starts to try, because the objective is not convex; the best is kept",
                   1e6),
      {.name = "validation",
       .type = OptionType::real,
       .default_value = "0",
       .help = "share of the rows of every class to hold out; training ends when their log loss "
               "no longer falls, and the weights of its lowest value are kept",
       .minimum = 0.0,
       .maximum = 0.9},
      whole_number("patience", "10",
                   "iterations of lbfgs, or passes of adam, to wait for a lower held-out log loss; "
                   "adam waits as long for a lower objective"),
      whole_number("batch", "200", "rows of a mini-batch of adam"),
      whole_number("passes", "200", "passes of adam over the rows, at most"),
      positive_number("step", "0.001", "length of a step of adam"),
      positive_number("tolerance", "1e-06",
                      "lbfgs is done when no component of the gradient per unit of weight is "
                      "larger, adam when the objective per unit of weight falls by less"),
      whole_number("max-iterations", "1000", "iterations of lbfgs, at most"),
      linear::basis_option()};
}

}  // namespace

FamilyRecord record() {
  return make_record<NeuralFamily>({
      .name = "neural",
      .summary = "neural net with one hidden layer",
      .example = "--hidden 20 --restarts 5",
      .options = options(),
      .capabilities = {.one_answer = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::neural
