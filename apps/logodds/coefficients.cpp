#include "coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

constexpr std::size_t kShown = 200;

std::string known(double value) { return std::isnan(value) ? "" : short_number(value); }

/// p-values below what anybody looks at, as R writes them.
std::string p_text(double p) {
  if (std::isnan(p)) { return ""; }
  return p < 2e-16 ? "< 2e-16" : fmt::format("{:.3g}", p);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::vector<std::string> cells(const Coefficient& row, bool errors) {
  std::vector<std::string> text{row.label, row.feature, short_number(row.estimate)};
  if (errors) {
    text.insert(text.end(), {known(row.standard_error), known(row.z), p_text(row.p_value)});
  }
  text.push_back(known(row.odds_ratio));
  if (errors) { text.insert(text.end(), {known(row.lower), known(row.upper)}); }
  if (!row.identifiable) { text.back() = "not identifiable"; }
  return text;
}

}  // namespace

const Coefficients& require_coefficients(const Classifier& model) {
  const Coefficients* const face = model.coefficients();
  if (face != nullptr) { return *face; }
  throw Error(
      ErrorCode::usage,
      fmt::format(
          "--coefficients shows coefficients of log odds with their errors, which a model of "
          "family {} has not; train one with --model softmax, or leave --coefficients out",
          model.family()));
}

std::string coefficients_text(const CoefficientTable& table, double level) {
  using Align = TextTable::Align;
  const bool errors = std::ranges::any_of(
      table.rows, [](const Coefficient& row) { return !std::isnan(row.standard_error); });
  std::vector<std::string> header{"class", "column", "estimate"};
  if (errors) { header.insert(header.end(), {"std error", "z", "p"}); }
  header.emplace_back("odds ratio");
  if (errors) {
    header.push_back(fmt::format("{:g}% from", 100.0 * level));
    header.emplace_back("to");
  }
  std::vector<Align> align(header.size(), Align::right);
  align[0] = align[1] = Align::left;
  TextTable text(align);
  text.header(header);
  const std::size_t shown = std::min(table.rows.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) { text.row(cells(table.rows[i], errors)); }
  const std::size_t left = table.rows.size() - shown;
  return toned("coefficients", Tone::strong) + "\n" + text.text() +
         (left == 0 ? "" : fmt::format("and {} more rows; --json shows all\n", left));
}

Json coefficients_json(const CoefficientTable& table, const Classifier& model, double level) {
  Json rows = Json::array();
  for (const Coefficient& row : table.rows) {
    rows.push_back({{"class", row.label},
                    {"feature", row.feature},
                    {"estimate", number_or_null(row.estimate)},
                    {"standard_error", number_or_null(row.standard_error)},
                    {"z", number_or_null(row.z)},
                    {"p_value", number_or_null(row.p_value)},
                    {"odds_ratio", number_or_null(row.odds_ratio)},
                    {"lower", number_or_null(row.lower)},
                    {"upper", number_or_null(row.upper)},
                    {"identifiable", row.identifiable}});
  }
  return {{"model", model.family()},
          {"classes", model.labels()},
          {"level", level},
          {"coefficients", std::move(rows)},
          {"notes", table.notes}};
}

}  // namespace logodds::app
