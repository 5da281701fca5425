#include <algorithm>
#include <cmath>
#include <numbers>

#include "logodds/modelfile/container.hpp"
#include "models/binary/binary.hpp"
#include "random/normal.hpp"

namespace logodds::models::binary {

namespace {

constexpr const char* kIntercept = "(intercept)";

const char* name_of(Link link) {
  switch (link) {
    case Link::probit:
      return "probit";
    case Link::cloglog:
      return "cloglog";
    case Link::logit:
      break;
  }
  return "logit";
}

/// What a coefficient is a coefficient of.
std::string meaning(Link link, const std::string& first, const std::string& second) {
  const std::string p = "p('" + second + "')";
  switch (link) {
    case Link::probit:
      return "of the normal quantile of " + p +
             "; e to the power of such a coefficient is no odds ratio, so none is given";
    case Link::cloglog:
      return "of ln(-ln(1 - " + p +
             ")); e to the power of such a coefficient is no odds ratio, so none is given";
    case Link::logit:
      break;
  }
  return "of the log odds of '" + second + "' against '" + first + "'";
}

}  // namespace

BinaryDiscriminant::BinaryDiscriminant(Link link, bool intercept, linear::LinearScores scores,
                                       Precision precision, FitEnd end)
    : link_(link),
      intercept_(intercept),
      scores_(std::move(scores)),
      precision_(std::move(precision)),
      end_(end) {}

void BinaryDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  scores_.log_scores(block, out);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const LogShares shares = log_shares(link_, out[2 * r + 1]);
    out[2 * r] = shares.first;
    out[2 * r + 1] = shares.second;
  }
}

Description BinaryDiscriminant::describe() const {
  Description description;
  description.facts = {{"link", std::string(name_of(link_))},
                       {"deviance", end_.deviance},
                       {"objective", end_.objective},
                       {"gradient_norm", end_.gradient_norm},
                       {"iterations", static_cast<std::int64_t>(end_.iterations)}};
  DescriptionTable table{"coefficients", {"column", scores_.labels()[1]}, {}};
  if (intercept_) { table.rows.push_back({std::string(kIntercept), scores_.intercepts()[1]}); }
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    table.rows.push_back({scores_.features().names()[i], coefficient(i)});
  }
  description.tables.push_back(std::move(table));
  return description;
}

std::vector<NamedArray> BinaryDiscriminant::arrays() const {
  NamedArray coefficients{"coefficients", {1, scores_.features().size()}, {}};
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    coefficients.values.push_back(coefficient(i));
  }
  return {std::move(coefficients), {"intercepts", {1}, {scores_.intercepts()[1]}}};
}

Coefficient BinaryDiscriminant::row(std::size_t i, const std::string& feature, double estimate,
                                    double quantile) const {
  Coefficient result;
  result.label = scores_.labels()[1];
  result.feature = feature;
  result.estimate = estimate;
  result.identifiable = precision_.identifiable[i] != 0;
  if (!result.identifiable) { return result; }
  const bool ratio = link_ == Link::logit && i > 0;
  if (ratio) { result.odds_ratio = std::exp(estimate); }
  if (precision_.standard_errors.empty()) { return result; }
  const double error = precision_.standard_errors[i];
  result.standard_error = error;
  if (error > 0.0) {
    result.z = estimate / error;
    result.p_value = std::erfc(std::abs(result.z) / std::numbers::sqrt2);
  }
  if (ratio) {
    result.lower = std::exp(estimate - quantile * error);
    result.upper = std::exp(estimate + quantile * error);
  }
  return result;
}

CoefficientTable BinaryDiscriminant::coefficient_table(double level) const {
  const double quantile = random::normal_quantile(0.5 + 0.5 * level);
  CoefficientTable table;
  if (intercept_) { table.rows.push_back(row(0, kIntercept, scores_.intercepts()[1], quantile)); }
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    table.rows.push_back(row(i + 1, scores_.features().names()[i], coefficient(i), quantile));
  }
  table.notes.push_back("coefficients are those " +
                        meaning(link_, scores_.labels()[0], scores_.labels()[1]));
  if (precision_.standard_errors.empty()) {
    table.notes.emplace_back(
        "a decay pulls coefficients towards 0, and their standard errors would be misleading; "
        "train with --decay 0 to have them");
  }
  return table;
}

void BinaryDiscriminant::save(modelfile::Writer& writer) const {
  scores_.save(writer);
  const std::vector<double> end{end_.objective, end_.gradient_norm, end_.iterations, end_.deviance};
  writer.tensor("convergence", end, {end.size()});
  writer.tensor("identifiable", precision_.identifiable, {precision_.identifiable.size()});
  if (!precision_.standard_errors.empty()) {
    writer.tensor("standard_errors", precision_.standard_errors,
                  {precision_.standard_errors.size()});
  }
}

BinaryDiscriminant BinaryDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Options& options) {
  if (schema.labels.size() != 2) { reader.fail("it has not two classes"); }
  auto scores =
      linear::LinearScores::load(reader, schema, one_hot_for(options), options.text("basis"));
  const std::size_t size = scores.features().size() + 1;
  const auto end = reader.doubles("convergence", {4});
  linear::check_finite(reader, end, "coefficients");
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  Precision precision{{}, reader.integers("identifiable", {size})};
  if (reader.has_tensor("standard_errors")) {
    precision.standard_errors = reader.doubles("standard_errors", {size});
    linear::check_finite(reader, precision.standard_errors, "standard errors");
  }
  return {parse_link(options.choice("link")),
          options.choice("intercept") == "on",
          std::move(scores),
          std::move(precision),
          {end[0], end[1], end[2], end[3]}};
}

}  // namespace logodds::models::binary
