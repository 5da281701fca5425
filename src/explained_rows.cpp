#include "logodds/explained_rows.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/data/positions.hpp"

namespace logodds {

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

std::string value_text(const std::optional<Cell>& value) {
  if (!value) { return "(not met in training)"; }
  if (const auto* number = std::get_if<double>(&*value)) { return format_number(*number); }
  return std::get<std::string>(*value);
}

}  // namespace

std::string term_text(const ExplainedRow::Term& term) {
  if (term.word) {
    return term.part + ": " + *term.word +
           (term.count > 1.0 ? " x " + format_number(term.count) : "");
  }
  std::string text;
  for (const auto& [name, value] : term.values) {
    text += (text.empty() ? "" : ", ") + name + "=" + value_text(value);
  }
  return text;
}

ExplainedRows::ExplainedRows(const Classifier& model, std::size_t top, double log_base)
    : model_(model),
      evidence_(require_evidence(model)),
      top_(top),
      positions_(positions_of(model.schema())),
      base_name_(model.options().has("priors") ? "prior" : "intercept"),
      scale_(1.0 / std::log(log_base)) {
  for (const std::string& part : evidence_.parts()) {
    part_columns_.emplace_back();
    find_columns(part, model.schema(), part_columns_.back());
  }
}

ExplainedRow ExplainedRows::row(const ExplainedBlock& block, std::size_t row) const {
  const ScoredBlock& scored = block.scored;
  const auto& labels = model_.labels();
  ExplainedRow result{.number = scored.rows.first_row + row + 1, .decision = {}};
  const bool skipped = !scored.skipped.empty() && scored.skipped[row] != 0;
  if (scored.decisions[row] == kNoDecision) {
    result.rejected = !skipped;
    return result;
  }
  const auto winner = static_cast<std::size_t>(scored.decisions[row]);
  result.decision = labels[winner];
  result.against = labels[static_cast<std::size_t>(block.against[row])];
  result.posterior = scored.posteriors[row * labels.size() + winner];
  result.log_odds = block.log_odds[row];
  result.base = block.base[row];
  const std::vector<Share> all = shares(block, row);
  const std::size_t shown = top_ == 0 ? all.size() : std::min(top_, all.size());
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

bool ExplainedRows::is_text(std::size_t part) const {
  const auto& columns = part_columns_[part];
  return columns.size() == 1 && model_.schema().columns[columns.front()].text();
}

void ExplainedRows::add_words(const ExplainedBlock& block, std::size_t row,
                              std::vector<Share>& all) const {
  if (model_.words() == nullptr) { return; }
  for (auto& word :
       evidence_.words(block.scored.rows, row, block.scored.decisions[row], block.against[row])) {
    all.push_back({word.part, scale_ * word.contribution, std::move(word.word), word.count});
  }
}

std::vector<ExplainedRows::Share> ExplainedRows::shares(const ExplainedBlock& block,
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

ExplainedRow::Term ExplainedRows::term(const RowBlock& rows, std::size_t row,
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

bool ExplainedRows::present(const RowBlock& rows, std::size_t row, std::size_t column) const {
  const std::size_t position = positions_[column];
  const Column& record = model_.schema().columns[column];
  if (record.text()) { return rows.texts[position][row].data() != nullptr; }
  if (record.coded()) { return rows.codes[position][row] != kMissingCode; }
  return !std::isnan(rows.numeric[row * rows.numeric_stride + position]);
}

std::optional<Cell> ExplainedRows::value(const RowBlock& rows, std::size_t row,
                                         std::size_t column) const {
  const Column& record = model_.schema().columns[column];
  const std::size_t position = positions_[column];
  if (!record.coded()) { return rows.numeric[row * rows.numeric_stride + position]; }
  const std::int32_t code = rows.codes[position][row];
  if (code == kUnseenCode) { return {}; }
  return record.levels[static_cast<std::size_t>(code)];
}

}  // namespace logodds
