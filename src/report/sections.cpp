#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/draw/scale.hpp"
#include "logodds/registry/title.hpp"
#include "logodds/text/counts.hpp"
#include "logodds/text/utf8.hpp"

namespace logodds::report {

namespace {

using draw::percent;
using draw::short_text;
using measure::Estimate;

constexpr std::size_t kMostShown = 40;  // rows of a table; the rest is for programs

/// A class or column, as much of it as a table has room for.
std::string name_text(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return text::beginning(name, kLongest);
}

/// "90 %", "99.9 %"
std::string level_text(double level) { return short_text(100.0 * level, 6) + " %"; }

/// The value, its interval below it.
PageCell with_interval(const Estimate& estimate) {
  if (estimate.method == measure::IntervalMethod::none) { return short_text(estimate.value); }
  return {short_text(estimate.value),
          short_text(estimate.lower) + " to " + short_text(estimate.upper)};
}

Page::Headline headline(const std::string& name, const Estimate& estimate, double level,
                        bool share) {
  const auto text = [share](double value) { return share ? percent(value) : short_text(value); };
  const bool known = estimate.method != measure::IntervalMethod::none;
  return {
      name, text(estimate.value),
      known ? text(estimate.lower) + " to " + text(estimate.upper) + " (" + level_text(level) + ")"
            : "no interval"};
}

std::string cell_text(const Cell& cell) {
  if (const auto* const text = std::get_if<std::string>(&cell)) { return *text; }
  if (const auto* const number = std::get_if<double>(&cell)) { return short_text(*number, 6); }
  return std::to_string(std::get<std::int64_t>(cell));
}

std::string left_out(std::size_t shown, std::size_t all) {
  return shown < all ? "; " + grouped(all - shown) + " more are not shown" : "";
}

void write_class_measures(Page& page, const Findings& found) {
  PageTable table{
      .caption = "Measures by class, with " + level_text(found.options.level) + " intervals",
      .header = {"class", "rows"},
      .rows = {}};
  if (found.weighted()) { table.header.emplace_back("weight"); }
  for (const auto& named : measure::class_measures()) { table.header.emplace_back(named.title); }
  const std::size_t shown = std::min(kMostShown, found.labels().size());
  for (std::size_t k = 0; k < shown; ++k) {
    const measure::ClassReport& one = found.measures.classes[k];
    std::vector<PageCell> row{name_text(found.labels()[k]), grouped(found.survey.class_rows[k])};
    if (found.weighted()) { row.emplace_back(short_text(one.weight, 9)); }
    for (const auto& named : measure::class_measures()) {
      row.push_back(with_interval(one.*named.estimate));
    }
    table.rows.push_back(std::move(row));
  }
  table.caption += left_out(shown, found.labels().size());
  page.table(table);
}

/// The columns that matter most, so many that a row can be read.
std::vector<std::size_t> telling_columns(const Findings& found) {
  constexpr std::size_t kColumns = 6;
  std::vector<std::size_t> columns;
  for (const ColumnImportance& one : found.importance.columns) {
    if (columns.size() < kColumns) { columns.push_back(one.column); }
  }
  return columns;
}

/// "line 7" of "data.csv, line 7": the table's caption names the file.
std::string place_in_file(const std::string& place) {
  const std::size_t comma = place.rfind(", ");
  return comma == std::string::npos ? place : place.substr(comma + 2);
}

PageTable row_table(const Findings& found, const std::vector<NotedRow>& rows,
                    const std::string& caption) {
  PageTable table{.caption = caption,
                  .header = {"where", "truth", "decision", "p(truth)", "p(decision)"},
                  .rows = {},
                  .numeric = {false, false, false, true, true},
                  .roomy = true};
  const std::vector<std::size_t> columns = telling_columns(found);
  for (const std::size_t c : columns) {
    const Column& column = found.model().schema().columns[c];
    table.header.push_back(name_text(column.name));
    table.numeric.push_back(column.number());
  }
  for (const NotedRow& row : rows) {
    const auto truth = static_cast<std::size_t>(row.truth);
    const auto decision = static_cast<std::size_t>(row.decision);
    std::vector<PageCell> cells{place_in_file(row.place), name_text(found.labels()[truth]),
                                name_text(found.labels()[decision]),
                                short_text(row.posteriors[truth]),
                                short_text(row.posteriors[decision])};
    for (const std::size_t c : columns) { cells.emplace_back(row.values->value_text(0, c)); }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

void write_summary(Page& page, const Findings& found, const std::vector<std::string>& warnings) {
  const measure::Measures& measures = found.survey.evaluation->measures;
  const double level = found.options.level;
  page.paragraph(grouped(measures.rows()) + " rows of " + found.input.data.name + ", decided by " +
                 found.input.model_name + " between " + grouped(found.labels().size()) +
                 " classes and compared with the truth.");
  std::vector<Page::Headline> headlines{
      headline("accuracy", found.measures.accuracy, level, true),
      headline("error rate", found.measures.error_rate, level, true),
      headline("log loss", found.measures.log_loss, level, false),
      headline("Brier score", found.measures.brier, level, false)};
  if (std::isfinite(found.measures.auc.value)) {
    headlines.push_back(headline("AUC", found.measures.auc, level, false));
  }
  page.headlines(headlines);
  if (!warnings.empty()) { page.list(warnings, "warnings"); }
}

void write_measures(Page& page, const Findings& found) {
  page.section("How good");
  PageTable table{.caption = "Measures with " + level_text(found.options.level) + " intervals",
                  .header = {"measure", "value"},
                  .rows = {}};
  if (found.training_measures) { table.header.emplace_back("on " + found.input.training.name); }
  table.header.emplace_back("interval by");
  for (const auto& named : measure::overall_measures()) {
    const Estimate& estimate = found.measures.*named.estimate;
    if (std::isnan(estimate.value)) { continue; }
    std::vector<PageCell> row{std::string(named.title), with_interval(estimate)};
    if (found.training_measures) {
      row.push_back(with_interval((*found.training_measures).*named.estimate));
    }
    row.emplace_back(std::string(measure::method_name(estimate.method)));
    table.rows.push_back(std::move(row));
  }
  page.table(table);
  write_class_measures(page, found);
}

void write_model(Page& page, const Findings& found) {
  const Schema& schema = found.model().schema();
  page.section("What was fitted");
  std::vector<std::pair<std::string, std::string>> facts{{"model", model_title(found.model())},
                                                         {"file", found.input.model_name}};
  for (const auto& [name, cell] : found.model().describe().facts) {
    facts.emplace_back(name, cell_text(cell));
  }
  facts.emplace_back("label", schema.target.empty() ? "not named" : schema.target);
  page.facts(facts);
  PageTable options{.caption = "Options of the model",
                    .header = {"option", "value"},
                    .rows = {},
                    .numeric = {false, false}};
  for (const OptionSpec& spec : option_specs(found.model())) {
    const auto value = found.model().options().values().find(spec.name);
    if (value == found.model().options().values().end()) { continue; }
    constexpr std::size_t kLongest = 120;
    const std::string& given = value->second;
    options.rows.push_back({spec.name, given.empty() ? "none" : text::beginning(given, kLongest)});
  }
  if (!options.rows.empty()) { page.table(options); }
}

void write_data(Page& page, const Findings& found) {
  page.section("The data");
  const Survey& survey = found.survey;
  const Schema& schema = found.model().schema();
  PageTable table{.caption = "Columns of " + found.input.data.name + " (" +
                             grouped(survey.rows_read) + " rows read)",
                  .header = {"column", "kind", "missing", "share missing"},
                  .rows = {},
                  .numeric = {false, false, true, true}};
  const std::size_t shown = std::min(kMostShown, schema.columns.size());
  for (std::size_t c = 0; c < shown; ++c) {
    const auto share = static_cast<double>(survey.missing[c]) /
                       std::max(1.0, static_cast<double>(survey.rows_read));
    table.rows.push_back({name_text(schema.columns[c].name),
                          std::string(to_string(schema.columns[c].kind)),
                          grouped(survey.missing[c]), percent(share)});
  }
  table.caption += left_out(shown, schema.columns.size());
  page.table(table);
  if (!survey.notes.empty()) { page.list(survey.notes); }
}

void write_rows(Page& page, const Findings& found) {
  if (found.survey.unsure.rows().empty()) { return; }
  page.section("Rows to look at");
  if (found.survey.wrong.rows().empty()) {
    page.paragraph("No row is decided wrongly.");
  } else {
    page.table(
        row_table(found, found.survey.wrong.rows(),
                  "Most wrong: rows of " + found.input.data.name +
                      " that are decided wrongly, the smallest posterior of the truth first"));
  }
  page.table(row_table(found, found.survey.unsure.rows(),
                       "Most unsure: rows of " + found.input.data.name +
                           " whose two likeliest classes are nearly as likely"));
}

void write_origin(Page& page, const Findings& found) {
  page.section("How to make this page again");
  if (!found.input.how_made.empty()) { page.code(found.input.how_made); }
  std::string origin = "logodds";
  if (!found.input.version.empty()) { origin += " " + found.input.version; }
  origin += ", seed " + std::to_string(found.context.seed);
  page.paragraph(origin + ". The same model and rows give the same page, byte for byte.");
}

}  // namespace logodds::report
