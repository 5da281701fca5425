#include "explanation_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "json.hpp"
#include "output.hpp"
#include "prediction_lines.hpp"

namespace logodds::app {

namespace {

/// Of the words of a document, in text for people.
constexpr std::size_t kFewWords = 20;

std::size_t shown_terms(const Classifier& model, const ExplanationStyle& style) {
  const bool words = !style.json && model.schema().text_count() > 0;
  return style.top == 0 && words ? kFewWords : style.top;
}

}  // namespace

ExplanationLines::ExplanationLines(const Classifier& model, ExplanationStyle style)
    : style_(std::move(style)),
      rows_(model, shown_terms(model, style_),
            style_.log_base == "e" ? std::numbers::e : *parse_number(style_.log_base)) {}

void ExplanationLines::render(const ExplainedBlock& block, std::string& text) const {
  for (std::size_t r = 0; r < block.scored.rows.rows; ++r) {
    const ExplainedRow row = rows_.row(block, r);
    text += style_.json ? json_of(row) : text_of(row);
  }
}

namespace {

std::string signed_number(double value) { return fmt::format("{:+.3f}", value); }

/// The class of a row, or the word for one that is rejected.
std::optional<std::string> decision_of(const ExplainedRow& row) {
  return row.rejected ? std::string(kRejected) : row.decision;
}

}  // namespace

std::string ExplanationLines::text_of(const ExplainedRow& row) const {
  if (!row.against) {
    return fmt::format("row {}: {}\n\n", row.number,
                       decision_of(row).value_or("no prediction, a value is missing"));
  }
  const std::string base = style_.log_base == "e" ? "" : " (base " + style_.log_base + ")";
  TextTable table({TextTable::Align::left, TextTable::Align::right});
  table.row({"  " + rows_.base_name(), signed_number(row.base)});
  for (const auto& term : row.terms) {
    table.row({"  " + term_text(term), signed_number(term.contribution)});
  }
  if (row.others > 0) {
    table.row({"  " + counted(row.others, "other", "others"), signed_number(row.rest)});
  }
  return fmt::format("row {}: {} against {}, log odds {}{}, posterior {}\n{}\n", row.number,
                     printable(*row.decision), printable(*row.against), signed_number(row.log_odds),
                     base, short_number(row.posterior), table.text());
}

namespace {

/// JSON has no infinity: null.
Json finite_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json value_json(const std::optional<Cell>& value) {
  if (!value) { return nullptr; }
  if (const auto* number = std::get_if<double>(&*value)) { return json_number(*number); }
  return cell_json(*value);
}

Json term_json(const ExplainedRow::Term& term) {
  if (term.word) {
    return {{"column", term.part},
            {"word", *term.word},
            {"count", json_number(term.count)},
            {"contribution", finite_json(term.contribution)}};
  }
  Json value = Json::object();
  for (const auto& [name, one] : term.values) {
    if (term.joint) {
      value[name] = value_json(one);
    } else {
      value = value_json(one);
    }
  }
  return {{"column", term.part},
          {"value", std::move(value)},
          {"contribution", finite_json(term.contribution)}};
}

}  // namespace

std::string ExplanationLines::json_of(const ExplainedRow& row) const {
  const auto decision = decision_of(row);
  Json object = {{"row", row.number},
                 {"prediction", decision ? Json(*decision) : Json(nullptr)},
                 {"against", row.against ? Json(*row.against) : Json(nullptr)},
                 {"log_odds", row.against ? finite_json(row.log_odds) : Json(nullptr)},
                 {"prior", row.against ? finite_json(row.base) : Json(nullptr)},
                 {"contributions", Json::array()}};
  for (const auto& term : row.terms) { object["contributions"].push_back(term_json(term)); }
  if (style_.top > 0 && row.against) { object["others"] = finite_json(row.rest); }
  return json_line(object);
}

}  // namespace logodds::app
