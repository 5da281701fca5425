// Labelled rows out of Python arguments.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow.hpp"
#include "model.hpp"

namespace logodds::binding {

using Given = std::map<std::string, std::string>;
using Fitted = std::pair<Model, FitReport>;

/// Labels and weights, one a row.
struct RowLabels {
  const Labels& labels;
  const std::vector<std::string>& names;
  const std::optional<Weights>& weights;
  Given kinds{};  ///< of columns of a table, by name

  /// Throws ValueError when there are not as many as rows.
  void check(std::size_t rows) const {
    if (labels.size() != rows || (weights && weights->size() != rows)) {
      throw nanobind::value_error("features, labels and weights have different numbers of rows");
    }
  }
};

/// Whether a NaN or a null is a missing value to the family, or is refused.
[[nodiscard]] inline bool takes_missing(const std::string& family, const Given& options) {
  const auto missing = options.find("missing");
  return find_family(family).capabilities.missing &&
         (missing == options.end() || missing->second != "error");
}

/// `missing`: a NaN is a missing value, else it is refused. The arrays must outlive the source.
[[nodiscard]] inline std::unique_ptr<BlockSource> array_source(
    const Features& features, const std::vector<std::string>& names, const RowLabels& given,
    bool missing) {
  given.check(features.shape(0));
  return open_matrix({.features = matrix_view(features),
                      .names = names,
                      .labels = given.labels.data(),
                      .label_names = given.names,
                      .weights = given.weights ? given.weights->data() : nullptr,
                      .allow_missing = missing});
}

/// A table and the source that reads it.
class ArrowRows {
 public:
  ArrowRows(const nanobind::object& stream, const RowLabels& given, bool missing)
      : table_(arrow_table(stream)) {
    given.check(table_.rows());
    ArrowLabels labels{.labels = {given.labels.data(), given.labels.size()}, .names = given.names};
    for (const auto& [column, kind] : given.kinds) {
      labels.kinds[column] = parse_column_kind(kind);
    }
    if (given.weights) { labels.weights = {given.weights->data(), given.weights->size()}; }
    source_ = open_arrow(table_, labels, missing ? ArrowNulls::missing : ArrowNulls::error);
  }
  [[nodiscard]] BlockSource& source() { return *source_; }

 private:
  ArrowTable table_;
  std::unique_ptr<BlockSource> source_;
};

}  // namespace logodds::binding
