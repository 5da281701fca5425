#include "models/clusters/cluster_rows.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "logodds/data/design.hpp"
#include "logodds/data/source.hpp"
#include "logodds/error.hpp"
#include "logodds/measure/agreement.hpp"

namespace logodds::models::clusters {

namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  constexpr std::size_t kMost = 1'000'000;
  if (problem != std::errc{} || stop != end || number < 1 || number > kMost) { return {}; }
  return number;
}

}  // namespace

ClusterRange parse_range(const std::string& text) {
  if (text.empty()) { return {}; }
  const std::size_t dash = text.find('-');
  const auto first = whole_number(std::string_view(text).substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : whole_number(std::string_view(text).substr(dash + 1));
  if (!first || !last) {
    throw std::invalid_argument(
        "is neither a number of clusters, from 1 to 1000000, nor a range "
        "like 1-15");
  }
  if (*first > *last) {
    throw std::invalid_argument("is a range from more to less; write " + std::to_string(*last) +
                                "-" + std::to_string(*first));
  }
  return {*first, *last};
}

std::string canonical_range(const std::string& text) {
  const ClusterRange range = parse_range(text);
  if (range.first == 0) { return {}; }
  return std::to_string(range.first) + (range.one() ? "" : "-" + std::to_string(range.last));
}

void read_start(ClusterRows& rows, const Schema& schema, const Context& context) {
  if (!context.start_rows) { return; }
  const auto source = context.start_rows(schema);
  const Design design(schema, OneHot::full);
  RowBuffer buffer;
  std::vector<double> scratch;
  while (source->take(buffer)) {
    source->parse(buffer);
    buffer.take_unseen_as_missing();
    const auto incomplete = buffer.incomplete_rows();
    if (const auto found = std::ranges::find(incomplete, 1); found != incomplete.end()) {
      const auto r = static_cast<std::size_t>(found - incomplete.begin());
      throw Error(ErrorCode::input, source->place(buffer.row_number(r)) +
                                        ": a value is missing, or is a level that the rows do not "
                                        "have; a center needs every value");
    }
    const DesignRows encoded = design.encode(buffer.view(), scratch);
    for (std::size_t r = 0; r < encoded.rows; ++r) {
      const double* const row = encoded.data + r * encoded.stride;
      rows.start.insert(rows.start.end(), row, row + encoded.columns);
    }
  }
}

void name_clusters(ClusterRows& rows, Schema& schema, std::size_t clusters) {
  rows.label_names = std::move(schema.labels);
  schema.labels.clear();
  schema.target.clear();
  for (std::size_t k = 1; k <= clusters; ++k) { schema.labels.push_back(std::to_string(k)); }
}

void compare_with_labels(const ClusterRows& rows, std::span<const std::int32_t> clusters,
                         std::size_t count, FitReport& report) {
  const RowBlock all = rows.view();
  if (all.labels == nullptr) { return; }
  compare_with_labels(clusters, count, all.labels, rows.label_names, all.weights, report);
}

void compare_with_labels(std::span<const std::int32_t> clusters, std::size_t count,
                         const std::int32_t* labels, const std::vector<std::string>& names,
                         const double* weights, FitReport& report) {
  measure::Agreement agreement(count, names.size());
  for (std::size_t r = 0; r < clusters.size(); ++r) {
    if (labels[r] < 0) { continue; }
    agreement.add(static_cast<std::size_t>(clusters[r]), static_cast<std::size_t>(labels[r]),
                  weights == nullptr ? 1.0 : weights[r]);
  }
  DescriptionTable table{"clusters and labels", {"cluster"}, {}};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Cell> cells{std::to_string(k + 1)};
    for (std::size_t c = 0; c < agreement.classes(); ++c) {
      cells.emplace_back(agreement.counts()[k * agreement.classes() + c]);
    }
    table.rows.push_back(std::move(cells));
  }
  report.tables.push_back(std::move(table));
  report.facts.emplace_back("purity", agreement.purity());
  report.facts.emplace_back("adjusted_rand_index", agreement.adjusted_rand_index());
}

}  // namespace logodds::models::clusters
