#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "models/linear/feature_rows.hpp"
#include "models/linear/linear_scores.hpp"
#include "models/noisy_or/noisy_or.hpp"
#include "models/noisy_or/objective.hpp"

namespace logodds::models::noisy_or {

namespace {

std::vector<std::string> number_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const auto& column : schema.columns) {
    if (!column.coded() && !column.text()) { names.push_back(column.name); }
  }
  return names;
}

/// "0.25", to three digits: for people.
std::string rounded(double probability) {
  if (probability == 0.0) { return "0"; }
  const double unit = std::pow(10.0, std::floor(std::log10(probability)) - 2.0);
  return format_number(std::round(probability / unit) / (1.0 / unit));
}

}  // namespace

NoisyOrDiscriminant::NoisyOrDiscriminant(const Schema& schema, linear::Features features,
                                         NoisyOrParameters parameters, bool has_leak,
                                         Convergence convergence)
    : labels_(schema.labels),
      names_(number_names(schema)),
      features_(std::move(features)),
      parameters_(std::move(parameters)),
      has_leak_(has_leak),
      convergence_(convergence) {}

void NoisyOrDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  check_not_negative(block, names_);
  linear::each_row(block, features_, [&](std::size_t r, const linear::FeatureRow& row) {
    double z = parameters_.leak;
    for (std::size_t j = 0; j < row.indices.size(); ++j) {
      z += std::max(0.0, row.values[j]) * parameters_.theta[row.indices[j]];
    }
    out[2 * r] = -z;
    out[2 * r + 1] = log1mexp(z);
  });
}

std::string NoisyOrDiscriminant::reading(std::size_t cause) const {
  const std::string& name = features_.names()[cause];
  switch (parameters_.known[cause]) {
    case Known::certain:
      return name + " alone always switches " + labels_[1] + " on: no row with it is " + labels_[0];
    case Known::unseen:
      return name + " is 0 in every training row: taken as no cause";
    case Known::fitted:
      break;
  }
  return name + " alone fails to switch " + labels_[1] + " on with probability " +
         rounded(std::exp(-parameters_.theta[cause]));
}

Description NoisyOrDiscriminant::describe() const {
  Description description;
  description.facts = {{"on", labels_[1]},
                       {"leak", std::string(has_leak_ ? "on" : "off")},
                       {"objective", convergence_.objective},
                       {"gradient_norm", convergence_.residual},
                       {"iterations", static_cast<std::int64_t>(convergence_.iterations)}};
  DescriptionTable causes{"causes", {"cause", "alpha", "theta", "reading"}, {}};
  if (has_leak_) {
    const double alpha = std::exp(-parameters_.leak);
    causes.rows.push_back(
        {std::string("(leak)"), alpha, parameters_.leak,
         "without any cause it is " + labels_[0] + " with probability " + rounded(alpha)});
  }
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const double theta = parameters_.theta[i];
    causes.rows.push_back({features_.names()[i], std::exp(-theta), theta, reading(i)});
  }
  description.tables.push_back(std::move(causes));
  return description;
}

std::vector<NamedArray> NoisyOrDiscriminant::arrays() const {
  std::vector<double> alpha = parameters_.theta;
  for (double& value : alpha) { value = std::exp(-value); }
  const std::size_t d = alpha.size();
  return {{"theta", {d}, parameters_.theta},
          {"alpha", {d}, std::move(alpha)},
          {"leak", {1}, {parameters_.leak}},
          {"leak_alpha", {1}, {std::exp(-parameters_.leak)}}};
}

void NoisyOrDiscriminant::save(modelfile::Writer& writer) const {
  features_.save(writer);
  const std::size_t d = features_.size();
  std::vector<std::int32_t> known;
  for (const auto state : parameters_.known) { known.push_back(static_cast<std::int32_t>(state)); }
  writer.tensor("theta", parameters_.theta, {d});
  writer.tensor("known", known, {d});
  const std::vector<double> rest{parameters_.leak, convergence_.objective, convergence_.residual,
                                 convergence_.iterations};
  writer.tensor("leak_and_convergence", rest, {rest.size()});
}

NoisyOrDiscriminant NoisyOrDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                              const Options& options) {
  if (schema.labels.size() != 2) { reader.fail("a noisy-or has two classes"); }
  auto features = linear::Features::load(reader, schema, OneHot::full, options.text("basis"));
  const std::size_t d = features.size();
  NoisyOrParameters parameters;
  parameters.theta = reader.doubles("theta", {d});
  for (const auto state : reader.integers("known", {d})) {
    if (state < 0 || state > 2) { reader.fail("it says of a cause what makes no sense"); }
    parameters.known.push_back(static_cast<Known>(state));
  }
  const auto rest = reader.doubles("leak_and_convergence", {4});
  linear::check_finite(reader, parameters.theta, "parameters");
  linear::check_finite(reader, rest, "parameters");
  const auto negative = [](double value) { return value < 0.0; };
  if (std::ranges::any_of(parameters.theta, negative) || rest[0] < 0.0 || rest[3] < 0.0 ||
      rest[3] > 1e15) {
    reader.fail("its parameters are negative or make no sense");
  }
  parameters.leak = rest[0];
  return {schema,
          std::move(features),
          std::move(parameters),
          options.choice("leak") == "on",
          {rest[1], rest[2], rest[3]}};
}

}  // namespace logodds::models::noisy_or
