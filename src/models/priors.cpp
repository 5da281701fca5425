#include "models/priors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "models/lists.hpp"

namespace logodds::models {

namespace {

constexpr std::string_view kSmoothed = "smoothed:";
constexpr double kSumTolerance = 1e-6;  // people write 0.333

/// "a=0.2": a class and its prior; "0.2": the prior of the next class in label order.
struct Item {
  std::optional<std::string> label;
  double prior = 0.0;
};

Item parse_item(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const bool named = equals != std::string::npos;
  const auto prior = parse_number(named ? text.substr(equals + 1) : text);
  if (!prior) {
    throw std::invalid_argument(
        "cannot be read; give ml, uniform, smoothed:ALPHA, or a prior for each class as in "
        "a=0.2,b=0.8");
  }
  if (!(*prior > 0.0)) { throw std::invalid_argument("holds a prior that is not positive"); }
  return {named ? std::optional(unescaped(text.substr(0, equals))) : std::nullopt, *prior};
}

std::vector<Item> parse_items(const std::string& text) {
  std::vector<Item> items;
  double sum = 0.0;
  for (const auto& part : split(text, ',')) {
    items.push_back(parse_item(part));
    sum += items.back().prior;
    if (items.back().label.has_value() != items.front().label.has_value()) {
      throw std::invalid_argument("names some classes and not others; name all, or none");
    }
  }
  if (std::abs(sum - 1.0) > kSumTolerance) {
    throw std::invalid_argument("sums to " + format_number(sum) + "; priors must sum to 1");
  }
  return items;
}

/// Non-negative, or an error.
double parse_alpha(const std::string& value) {
  const auto alpha = parse_number(value.substr(kSmoothed.size()));
  if (!alpha || *alpha < 0.0) {
    throw std::invalid_argument("needs a pseudo-count of at least 0, as in smoothed:1");
  }
  return *alpha;
}

std::vector<double> named_priors(const std::vector<Item>& items,
                                 const std::vector<std::string>& labels) {
  std::vector<double> priors(labels.size(), 0.0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].label && i >= labels.size()) { break; }
    const std::size_t k = items[i].label ? find_class(*items[i].label, labels, "--priors") : i;
    if (priors[k] != 0.0) {
      throw Error(ErrorCode::usage, "--priors names class '" + labels[k] + "' twice");
    }
    priors[k] = items[i].prior;
  }
  const auto absent = std::find(priors.begin(), priors.end(), 0.0);
  if (absent != priors.end()) {
    throw Error(ErrorCode::usage, "--priors gives no prior for class '" +
                                      labels[static_cast<std::size_t>(absent - priors.begin())] +
                                      "'; give one for each of the " +
                                      std::to_string(labels.size()) + " classes");
  }
  if (items.size() != labels.size()) {
    throw Error(ErrorCode::usage, "--priors gives " + std::to_string(items.size()) +
                                      " priors, but there are " + std::to_string(labels.size()) +
                                      " classes");
  }
  return priors;
}

std::vector<double> unscaled_priors(const std::string& text, const std::vector<std::string>& labels,
                                    const std::vector<double>& weights) {
  if (text == "ml") { return weights; }
  if (text == "uniform") { return std::vector<double>(labels.size(), 1.0); }
  if (!text.starts_with(kSmoothed)) { return named_priors(parse_items(text), labels); }
  std::vector<double> priors = weights;
  const double alpha = parse_alpha(text);
  for (auto& prior : priors) { prior += alpha; }
  return priors;
}

}  // namespace

std::string canonical_priors(const std::string& value) {
  if (value == "ml" || value == "uniform") { return value; }
  if (value.starts_with(kSmoothed)) {
    return std::string(kSmoothed) + format_number(parse_alpha(value));
  }
  std::string text;
  for (const auto& item : parse_items(value)) {
    text += text.empty() ? "" : ",";
    if (item.label) { text += escaped(*item.label) + "="; }
    text += format_number(item.prior);
  }
  return text;
}

double prior_parameters(const std::string& priors, std::size_t classes) {
  const bool told_by_rows = priors == "ml" || priors.starts_with(kSmoothed);
  return told_by_rows ? static_cast<double>(classes) - 1.0 : 0.0;
}

std::vector<double> log_priors(const std::string& priors, const std::vector<std::string>& labels,
                               const std::vector<double>& weights) {
  auto values = unscaled_priors(priors, labels, weights);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (auto& value : values) {
    value = std::log(value / sum);
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::usage, "--priors " + priors +
                                        ": the weights of the classes are too large to make priors "
                                        "of; give smaller ones");
    }
  }
  return values;
}

OptionSpec priors_option() {
  return {.name = "priors",
          .type = OptionType::text,
          .default_value = "ml",
          .help = "class priors: shares of the rows, equal, shares with a pseudo-count, or given",
          .form = "ml|uniform|smoothed:ALPHA|A=P,B=P",
          .canonical = canonical_priors};
}

}  // namespace logodds::models
