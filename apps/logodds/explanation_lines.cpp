#include "explanation_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json.hpp"
#include "output.hpp"
#include "prediction_lines.hpp"

namespace logodds::app {

namespace {

/// The columns that a part is about: "a", or "a+b" of columns that are modelled together. Names may
/// hold a '+' of their own.
bool find_columns(std::string_view part, const Schema& schema, std::vector<std::size_t>& found) {
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    if (schema.columns[c].name != part) { continue; }
    found.push_back(c);
    return true;
  }
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const std::string& name = schema.columns[c].name;
    if (!part.starts_with(name + "+")) { continue; }
    found.push_back(c);
    if (find_columns(part.substr(name.size() + 1), schema, found)) { return true; }
    found.pop_back();
  }
  return false;
}

}  // namespace

ExplanationLines::ExplanationLines(const Classifier& model, ExplanationStyle style)
    : model_(model),
      evidence_(require_evidence(model)),
      style_(std::move(style)),
      base_name_(model.options().has("priors") ? "prior" : "intercept"),
      scale_(style_.log_base == "e" ? 1.0 : 1.0 / std::log(*parse_number(style_.log_base))) {
  constexpr std::size_t kFew = 20;  // of the words of a document
  if (style_.top == 0 && !style_.json && model.schema().text_count() > 0) { style_.top = kFew; }
  std::size_t numeric = 0;
  std::size_t coded = 0;
  std::size_t texts = 0;
  for (const Column& column : model.schema().columns) {
    positions_.push_back(column.text() ? texts++ : column.coded() ? coded++ : numeric++);
  }
  for (const std::string& part : evidence_.parts()) {
    part_columns_.emplace_back();
    find_columns(part, model.schema(), part_columns_.back());
  }
}

void ExplanationLines::render(const ExplainedBlock& block, std::string& text) const {
  for (std::size_t r = 0; r < block.scored.rows.rows; ++r) {
    const ExplainedRow row = explained(block, r);
    text += style_.json ? json_of(row) : text_of(row);
  }
}

ExplainedRow ExplanationLines::explained(const ExplainedBlock& block, std::size_t row) const {
  const ScoredBlock& scored = block.scored;
  const auto& labels = model_.labels();
  ExplainedRow result{.number = scored.rows.first_row + row + 1,
                      .decision = std::string(kRejected)};
  if (!scored.skipped.empty() && scored.skipped[row] != 0) { result.decision.reset(); }
  if (scored.decisions[row] == kNoDecision) { return result; }
  const auto winner = static_cast<std::size_t>(scored.decisions[row]);
  result.decision = labels[winner];
  result.against = labels[static_cast<std::size_t>(block.against[row])];
  result.posterior = scored.posteriors[row * labels.size() + winner];
  result.log_odds = block.log_odds[row];
  result.base = block.base[row];
  const std::vector<Share> all = shares(block, row);
  const std::size_t shown = style_.top == 0 ? all.size() : std::min(style_.top, all.size());
  std::vector<double> rest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < shown) {
      result.terms.push_back(term(scored.rows, row, all[i]));
    } else {
      rest.push_back(all[i].contribution);
    }
  }
  result.others = rest.size();
  result.rest = add_terms(0.0, rest);
  return result;
}

bool ExplanationLines::is_text(std::size_t part) const {
  const auto& columns = part_columns_[part];
  return columns.size() == 1 && model_.schema().columns[columns.front()].text();
}

void ExplanationLines::add_words(const ExplainedBlock& block, std::size_t row,
                                 std::vector<Share>& all) const {
  if (model_.words() == nullptr) { return; }
  for (auto& word :
       evidence_.words(block.scored.rows, row, block.scored.decisions[row], block.against[row])) {
    all.push_back({word.part, scale_ * word.contribution, std::move(word.word), word.count});
  }
}

std::vector<ExplanationLines::Share> ExplanationLines::shares(const ExplainedBlock& block,
                                                              std::size_t row) const {
  const std::size_t parts = part_columns_.size();
  std::vector<Share> all;
  for (std::size_t p = 0; p < parts; ++p) {
    if (is_text(p)) { continue; }
    const bool seen = std::ranges::any_of(part_columns_[p], [&](std::size_t column) {
      return present(block.scored.rows, row, column);
    });
    if (seen) { all.push_back({p, block.contributions[row * parts + p]}); }
  }
  add_words(block, row, all);
  std::ranges::stable_sort(all, [](const Share& a, const Share& b) {
    return std::abs(a.contribution) > std::abs(b.contribution) ||
           (std::abs(a.contribution) == std::abs(b.contribution) && a.part < b.part);
  });
  return all;
}

ExplainedRow::Term ExplanationLines::term(const RowBlock& rows, std::size_t row,
                                          const Share& share) const {
  const auto& columns = part_columns_[share.part];
  ExplainedRow::Term result{.part = evidence_.parts()[share.part],
                            .values = {},
                            .joint = columns.size() > 1,
                            .contribution = share.contribution,
                            .word = share.word,
                            .count = share.count};
  if (share.word) { return result; }
  for (const std::size_t column : columns) {
    if (!present(rows, row, column)) { continue; }
    result.values.emplace_back(model_.schema().columns[column].name, value(rows, row, column));
  }
  return result;
}

bool ExplanationLines::present(const RowBlock& rows, std::size_t row, std::size_t column) const {
  const std::size_t position = positions_[column];
  const Column& record = model_.schema().columns[column];
  if (record.text()) { return rows.texts[position][row].data() != nullptr; }
  if (record.coded()) { return rows.codes[position][row] != kMissingCode; }
  return !std::isnan(rows.numeric[row * rows.numeric_stride + position]);
}

std::optional<Cell> ExplanationLines::value(const RowBlock& rows, std::size_t row,
                                            std::size_t column) const {
  const Column& record = model_.schema().columns[column];
  const std::size_t position = positions_[column];
  if (!record.coded()) { return rows.numeric[row * rows.numeric_stride + position]; }
  const std::int32_t code = rows.codes[position][row];
  if (code == kUnseenCode) { return {}; }
  return record.levels[static_cast<std::size_t>(code)];
}

namespace {

std::string signed_number(double value) { return fmt::format("{:+.3f}", value); }

std::string value_text(const std::optional<Cell>& value) {
  if (!value) { return "(not met in training)"; }
  if (const auto* number = std::get_if<double>(&*value)) { return format_number(*number); }
  return std::get<std::string>(*value);
}

std::string term_text(const ExplainedRow::Term& term) {
  if (term.word) {
    return fmt::format("{}: {}{}", term.part, printable(*term.word),
                       term.count > 1.0 ? " x " + short_number(term.count) : "");
  }
  std::string text;
  for (const auto& [name, value] : term.values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value_text(value));
  }
  return text;
}

}  // namespace

std::string ExplanationLines::text_of(const ExplainedRow& row) const {
  if (!row.against) {
    return fmt::format("row {}: {}\n\n", row.number,
                       row.decision.value_or("no prediction, a value is missing"));
  }
  const std::string base = style_.log_base == "e" ? "" : " (base " + style_.log_base + ")";
  TextTable table({TextTable::Align::left, TextTable::Align::right});
  table.row({"  " + base_name_, signed_number(row.base)});
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
  Json object = {{"row", row.number},
                 {"prediction", row.decision ? Json(*row.decision) : Json(nullptr)},
                 {"against", row.against ? Json(*row.against) : Json(nullptr)},
                 {"log_odds", row.against ? finite_json(row.log_odds) : Json(nullptr)},
                 {"prior", row.against ? finite_json(row.base) : Json(nullptr)},
                 {"contributions", Json::array()}};
  for (const auto& term : row.terms) { object["contributions"].push_back(term_json(term)); }
  if (style_.top > 0 && row.against) { object["others"] = finite_json(row.rest); }
  return json_line(object);
}

}  // namespace logodds::app
