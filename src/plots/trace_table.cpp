#include "plots/trace_table.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "data/csv_text.hpp"
#include "data/small_table.hpp"
#include "logodds/error.hpp"

namespace logodds::plots {

namespace {

struct ObjectiveName {
  std::string_view name;
  bool rises;
};
constexpr std::array<ObjectiveName, 4> kObjectives{
    {{"objective", false}, {"E", false}, {"log-likelihood", true}, {"mistakes", false}}};
constexpr std::string_view kGradient = "gradient norm";

std::optional<std::size_t> find(const csv::SmallTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.names(), name);
  if (found == table.names().end()) { return {}; }
  return static_cast<std::size_t>(found - table.names().begin());
}

/// The column of the objective; sets what it is called.
std::size_t objective_column(const csv::SmallTable& table, TraceTable& trace) {
  for (const ObjectiveName& one : kObjectives) {
    const auto found = find(table, one.name);
    if (found && *found > 0) {
      trace.objective = one.name;
      trace.rises = one.rises;
      return *found;
    }
  }
  table.fail(
      "there is no column 'objective', 'E', 'log-likelihood' or 'mistakes' after the first, "
      "only " +
      csv::name_list(table.names(), 8) +
      "; give a file that 'logodds train --trace FILE' or 'logodds cluster --trace FILE' "
      "wrote");
}

double value_of(const csv::SmallTable& table, const std::vector<std::string>& fields,
                std::size_t column) {
  static const std::set<std::string, std::less<>> kNone{"", "inf", "-inf", "nan", "-nan"};
  if (kNone.contains(fields[column])) { return std::numeric_limits<double>::quiet_NaN(); }
  return table.number(fields, column, "write the trace again");
}

}  // namespace

TraceTable read_trace(const std::string& path, std::string name) {
  csv::SmallTable table(path);
  TraceTable trace{.name = std::move(name), .step = table.names().front()};
  const std::size_t objective = objective_column(table, trace);
  const auto gradient = find(table, kGradient);
  for (auto fields = table.next(); !fields.empty(); fields = table.next()) {
    const double step = table.number(fields, 0, "write the trace again");
    if (!trace.steps.empty() && !(step > trace.steps.back())) {
      table.fail("column " + csv::shown(trace.step) + ": " + csv::shown(fields.front()) +
                 " does not come after the row before; sort the rows, or write the trace again");
    }
    trace.steps.push_back(step);
    trace.values.push_back(value_of(table, fields, objective));
    if (gradient) { trace.gradient.push_back(value_of(table, fields, *gradient)); }
  }
  if (trace.steps.empty()) { table.fail("there is no row; write the trace again"); }
  return trace;
}

std::vector<std::string> short_names(
    const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const auto& [path, name] : files) {
    names.push_back(std::filesystem::path(name).stem().string());
    different.insert(names.back());
  }
  if (different.size() == names.size()) { return names; }
  for (std::size_t i = 0; i < files.size(); ++i) { names[i] = files[i].second; }
  return names;
}

}  // namespace logodds::plots
