// What clusterings learn from: the rows, with or without labels, and what became of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/stats/training_rows.hpp"

namespace logodds::models::clusters {

/// Rows that are needed no longer than the fit lasts.
class ClusterRows : public TrainingRows {
 public:
  ClusterRows() { keep_places(); }

  std::vector<std::string> label_names;  ///< of the rows' own labels, if they have some
  std::vector<double> start;  ///< rows that Context::start_rows gave, as the design has them
};

/// How many clusters: from `first` to `last`, most often one number.
struct ClusterRange {
  std::size_t first = 0;  ///< 0: not said
  std::size_t last = 0;

  [[nodiscard]] bool one() const { return first == last; }
};

/// "3" or "1-15"; empty: not said.
[[nodiscard]] ClusterRange parse_range(const std::string& text);
/// For OptionSpec::canonical.
[[nodiscard]] std::string canonical_range(const std::string& text);

/// Reads the rows to start from, if there are some. Throws Error(input) when one lacks a value.
void read_start(ClusterRows& rows, const Schema& schema, const Context& context);
/// The classes of the schema become clusters, "1" to "K"; labels of the rows go to `label_names`.
void name_clusters(ClusterRows& rows, Schema& schema, std::size_t clusters);
/// The contingency table of clusters and labels, purity and adjusted Rand index. Rows whose label
/// is kMissingCode are left out; `weights` null: all 1.
void compare_with_labels(std::span<const std::int32_t> clusters, std::size_t count,
                         const std::int32_t* labels, const std::vector<std::string>& names,
                         const double* weights, FitReport& report);
/// The same where the rows have labels.
void compare_with_labels(const ClusterRows& rows, std::span<const std::int32_t> clusters,
                         std::size_t count, FitReport& report);

}  // namespace logodds::models::clusters
