#include "models/softmax/wish.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "models/linear/features.hpp"

namespace logodds::models::softmax {

namespace {

/// Those that have a version for sums of absolute values, which have kinks.
constexpr std::array<std::string_view, 4> kTakeL1 = {"auto", "lbfgs", "newton", "irls"};

std::string canonical_decay(const std::string& value) {
  if (value == "auto") { return value; }
  const auto number = parse_number(value);
  if (!number) { throw std::invalid_argument("is not a number; give one of at least 0, or auto"); }
  if (*number < 0.0) {
    throw std::invalid_argument("is out of range; give a number of at least 0, or auto");
  }
  return format_number(*number == 0.0 ? 0.0 : *number);
}

OptionSpec positive(std::string name, std::string default_value, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::real,
          .default_value = std::move(default_value),
          .help = std::move(help),
          .minimum = std::numeric_limits<double>::min()};
}

OptionSpec whole(std::string name, std::string default_value, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::integer,
          .default_value = std::move(default_value),
          .help = std::move(help),
          .minimum = 1.0,
          .maximum = 1e9};
}

std::vector<OptionSpec> penalty_specs() {
  // The default is too small to move a printed digit of an ordinary fit, and large enough that
  // separable classes have finite coefficients.
  return {{.name = "decay",
           .type = OptionType::text,
           .default_value = "1e-06",
           .help = "weight decay: this times the sum of squared coefficients, intercepts "
                   "excluded, is added to minus the log-likelihood; auto: by cross-validation",
           .form = "E|auto",
           .canonical = canonical_decay},
          {.name = "l1",
           .type = OptionType::real,
           .default_value = "0",
           .help = "this times the sum of absolute coefficients is added as well; some become 0",
           .minimum = 0.0},
          {.name = "standardize",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "the penalties act on coefficients of standardized columns"},
          {.name = "intercept",
           .type = OptionType::choice,
           .default_value = "on",
           .help = "off: every class has the score 0 where all columns are 0",
           .choices = {"on", "off"}}};
}

std::vector<OptionSpec> optimizer_specs() {
  return {{.name = "optimizer",
           .type = OptionType::choice,
           .default_value = "auto",
           .help = "how the objective is minimized; auto picks by size",
           .choices = {"auto", "gradient-descent", "line-search", "sgd", "iis", "bfgs", "lbfgs",
                       "newton", "irls"}},
          positive("tolerance", "1e-08",
                   "done when no component of the gradient, per unit of weight, is larger"),
          whole("max-iterations", "10000", "iterations after which the optimizer gives up"),
          positive("step", "0.1", "step of gradient-descent and sgd"),
          whole("batch", "32", "rows of a step of sgd"),
          whole("passes", "50", "passes of sgd over the rows")};
}

}  // namespace

std::vector<OptionSpec> option_specs() {
  auto specs = penalty_specs();
  for (auto& spec : optimizer_specs()) { specs.push_back(std::move(spec)); }
  specs.push_back(linear::basis_option());
  return specs;
}

bool wants_decay_chosen(const Options& options) { return options.text("decay") == "auto"; }

bool unpenalized(const Options& options) {
  return options.text("decay") == "0" && options.real("l1") == 0.0;
}

OneHot one_hot_of(const Options& options) {
  return unpenalized(options) ? OneHot::reference : OneHot::full;
}

Wish wish_of(const Options& options, const Context& context) {
  const std::string& optimizer = options.choice("optimizer");
  const double l1 = options.real("l1");
  if (l1 > 0.0 && std::ranges::find(kTakeL1, optimizer) == kTakeL1.end()) {
    throw Error(ErrorCode::usage,
                "--optimizer " + optimizer +
                    " takes no --l1, because the sum of absolute coefficients has kinks; take "
                    "auto, lbfgs, newton or irls");
  }
  return {.decay = options.real("decay"),
          .l1 = l1,
          .standardize = options.flag("standardize"),
          .intercept = options.choice("intercept") == "on",
          .optimizer = optimizer,
          .tolerance = options.real("tolerance"),
          .max_iterations = static_cast<std::size_t>(options.integer("max-iterations")),
          .step = options.real("step"),
          .batch = static_cast<std::size_t>(options.integer("batch")),
          .passes = static_cast<std::size_t>(options.integer("passes")),
          .seed = context.seed};
}

}  // namespace logodds::models::softmax
