#include "logodds/models/line.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace logodds {

namespace {

/// Six digits, for people.
std::string short_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

/// "y = 1.5 - 2 x", of an intercept and one regressor.
std::string equation(const RegressionFit& fit) {
  const double slope = fit.terms[1].coefficient;
  return fit.response + " = " + short_digits(fit.terms[0].coefficient) +
         (std::signbit(slope) ? " - " : " + ") + short_digits(std::abs(slope)) + " " +
         fit.terms[1].name;
}

DescriptionTable table_of(const RegressionFit& fit, const std::string& title) {
  DescriptionTable table{title, {"term", "coefficient", "standard error", "t", "p"}, {}};
  for (const auto& term : fit.terms) {
    table.rows.push_back({term.name, term.coefficient, term.standard_error, term.t, term.p});
  }
  return table;
}

void add_quality(const RegressionFit& fit, std::vector<std::pair<std::string, Cell>>& facts) {
  facts.emplace_back("residual deviation", fit.residual_deviation);
  facts.emplace_back("degrees of freedom", fit.degrees_of_freedom);
  facts.emplace_back("F", fit.f);
  facts.emplace_back("p of F", fit.f_p);
}

}  // namespace

FittedLine::FittedLine(Design design, RegressionFit fit, std::optional<LinePair> pair,
                       std::vector<std::pair<std::string, Cell>> facts)
    : design_(std::move(design)),
      fit_(std::move(fit)),
      pair_(std::move(pair)),
      facts_(std::move(facts)) {}

void FittedLine::fitted(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = encode_design(block, design_.columns(), scratch);
  const std::size_t first = fit_.terms.size() - design_.size();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const x = rows.data + r * rows.stride;
    double sum = first > 0 ? fit_.terms.front().coefficient : 0.0;
    for (std::size_t i = 0; i < design_.size(); ++i) {
      sum += x[i] * fit_.terms[first + i].coefficient;
    }
    out[r] = sum;
  }
}

Description FittedLine::describe() const {
  Description description;
  description.facts = facts_;
  auto& facts = description.facts;
  description.tables.push_back(
      table_of(fit_, pair_ ? fit_.response + " on " + pair_->x_on_y.response : fit_.response));
  if (!pair_) {
    facts.emplace_back("R^2", fit_.r_squared);
    add_quality(fit_, facts);
    return description;
  }
  facts.emplace_back(fit_.response + " on " + pair_->x_on_y.response, equation(fit_));
  facts.emplace_back(pair_->x_on_y.response + " on " + fit_.response, equation(pair_->x_on_y));
  facts.emplace_back("correlation r", pair_->correlation);
  facts.emplace_back("r^2 = slope x slope", fit_.r_squared);
  facts.emplace_back("angle between them", short_digits(pair_->angle) + " degrees");
  facts.emplace_back("in deviations",
                     short_digits(pair_->standard_angle) + " degrees = 90 - 2 atan |r|");
  add_quality(fit_, facts);
  description.tables.push_back(
      table_of(pair_->x_on_y, pair_->x_on_y.response + " on " + fit_.response));
  return description;
}

std::vector<NamedArray> FittedLine::arrays() const {
  const std::size_t m = fit_.terms.size();
  NamedArray coefficients{"coefficients", {m}, {}};
  NamedArray errors{"standard_errors", {m}, {}};
  NamedArray ratios{"t", {m}, {}};
  NamedArray tails{"p", {m}, {}};
  NamedArray identifiable{"identifiable", {m}, {}};
  for (const auto& term : fit_.terms) {
    coefficients.values.push_back(term.coefficient);
    errors.values.push_back(term.standard_error);
    ratios.values.push_back(term.t);
    tails.values.push_back(term.p);
    identifiable.values.push_back(term.identifiable ? 1.0 : 0.0);
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {std::move(coefficients),
          std::move(errors),
          std::move(ratios),
          std::move(tails),
          std::move(identifiable),
          {"r_squared", {1}, {fit_.r_squared}},
          {"residual_deviation", {1}, {fit_.residual_deviation}},
          {"degrees_of_freedom", {1}, {fit_.degrees_of_freedom}},
          {"weight", {1}, {fit_.weight}},
          {"f", {1}, {fit_.f}},
          {"f_p", {1}, {fit_.f_p}},
          {"correlation", {1}, {pair_ ? pair_->correlation : kNone}},
          {"angle", {1}, {pair_ ? pair_->angle : kNone}}};
}

Schema regressors_of(const Schema& schema) {
  Schema regressors = schema;
  regressors.columns.pop_back();
  return regressors;
}

}  // namespace logodds
