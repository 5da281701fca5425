// Sums of columns and counts of categories by class: what logodds.compat's discrete classes
// estimate from.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "logodds/models/accumulate.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// Weights by class, and the smallest value.
struct ClassWeights {
  std::vector<double> weights;
  double least = std::numeric_limits<double>::infinity();

  void grow(std::size_t classes) { weights.resize(std::max(weights.size(), classes), 0.0); }
  void merge(const ClassWeights& other) {
    for (std::size_t k = 0; k < other.weights.size(); ++k) { weights[k] += other.weights[k]; }
    least = std::min(least, other.least);
  }
  void recode(const Recoding& recoding) {
    std::vector<double> moved(recoding.shape.classes, 0.0);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      moved[static_cast<std::size_t>(recoding.labels[k])] = weights[k];
    }
    weights = std::move(moved);
  }
  [[nodiscard]] double total() const {
    double sum = 0.0;
    for (const double weight : weights) { sum += weight; }
    return sum;
  }
};

/// sum_r w_r x_r of each class, or with a threshold sum_r w_r [x_r > threshold].
class ColumnSums {
 public:
  explicit ColumnSums(std::optional<double> threshold) : threshold_(threshold) {}

  void add(const RowBlock& block, const Shape& shape) {
    grow(shape);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const auto k = static_cast<std::size_t>(block.labels[r]);
      const double* const row = block.numeric + r * block.numeric_stride;
      const double weight = block.weight(r);
      by_class.weights[k] += weight;
      double* const to = sums.data() + k * columns_;
      if (threshold_) {
        for (std::size_t c = 0; c < columns_; ++c) { to[c] += row[c] > *threshold_ ? weight : 0.0; }
      } else {
        for (std::size_t c = 0; c < columns_; ++c) { to[c] += weight * row[c]; }
      }
      for (std::size_t c = 0; c < columns_; ++c) {
        by_class.least = row[c] < by_class.least ? row[c] : by_class.least;
      }
    }
  }
  void merge(const ColumnSums& other) {
    grow({.classes = other.by_class.weights.size(), .numeric = other.columns_, .levels = {}});
    by_class.merge(other.by_class);
    for (std::size_t e = 0; e < other.sums.size(); ++e) { sums[e] += other.sums[e]; }
  }
  void recode(const Recoding& recoding) {
    std::vector<double> moved(recoding.shape.classes * recoding.shape.numeric, 0.0);
    for (std::size_t k = 0; k < by_class.weights.size(); ++k) {
      const auto to = static_cast<std::size_t>(recoding.labels[k]) * columns_;
      std::copy_n(sums.data() + k * columns_, columns_, moved.data() + to);
    }
    sums = std::move(moved);
    columns_ = recoding.shape.numeric;
    by_class.recode(recoding);
  }
  [[nodiscard]] bool compatible(const ColumnSums&) const { return true; }
  [[nodiscard]] double weight() const { return by_class.total(); }
  [[nodiscard]] std::size_t size_for(const Shape& shape) const {
    return shape.classes * shape.numeric;
  }

  ClassWeights by_class;
  std::vector<double> sums;  ///< classes x columns

 private:
  void grow(const Shape& shape) {
    columns_ = shape.numeric;
    by_class.grow(shape.classes);
    sums.resize(by_class.weights.size() * columns_, 0.0);
  }

  std::optional<double> threshold_;
  std::size_t columns_ = 0;
};

/// How often each column has each category, coded 0, 1, 2, ...: sums of weights.
class CategoryCounts {
 public:
  static constexpr double kMostCategories = 1 << 24;

  void add(const RowBlock& block, const Shape& shape) {
    grow(shape);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const auto k = static_cast<std::size_t>(block.labels[r]);
      const double* const row = block.numeric + r * block.numeric_stride;
      const double weight = block.weight(r);
      by_class.weights[k] += weight;
      for (std::size_t c = 0; c < shape.numeric; ++c) { count(counts[c], row[c], k, weight); }
    }
  }
  void merge(const CategoryCounts& other) {
    grow({.classes = other.by_class.weights.size(), .numeric = other.counts.size(), .levels = {}});
    by_class.merge(other.by_class);
    for (std::size_t c = 0; c < other.counts.size(); ++c) {
      for (std::size_t k = 0; k < other.counts[c].size(); ++k) {
        const auto& from = other.counts[c][k];
        auto& to = counts[c][k];
        to.resize(std::max(to.size(), from.size()), 0.0);
        for (std::size_t l = 0; l < from.size(); ++l) { to[l] += from[l]; }
      }
    }
  }
  void recode(const Recoding& recoding) {
    std::vector<std::vector<std::vector<double>>> moved(recoding.shape.numeric);
    for (auto& column : moved) { column.resize(recoding.shape.classes); }
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (std::size_t k = 0; k < counts[c].size(); ++k) {
        moved[c][static_cast<std::size_t>(recoding.labels[k])] = std::move(counts[c][k]);
      }
    }
    counts = std::move(moved);
    by_class.recode(recoding);
  }
  [[nodiscard]] bool compatible(const CategoryCounts&) const { return true; }
  [[nodiscard]] double weight() const { return by_class.total(); }
  [[nodiscard]] std::size_t size_for(const Shape& shape) const {
    return shape.classes * shape.numeric;
  }

  ClassWeights by_class;
  std::vector<std::vector<std::vector<double>>> counts;  ///< column, class, category

 private:
  void grow(const Shape& shape) {
    by_class.grow(shape.classes);
    counts.resize(shape.numeric);
    for (auto& column : counts) { column.resize(by_class.weights.size()); }
  }
  /// Fractions are cut off, as a conversion to integers does.
  void count(std::vector<std::vector<double>>& column, double value, std::size_t k, double weight) {
    if (value <= -1.0) {
      by_class.least = std::min(by_class.least, value);
      return;
    }
    if (value >= kMostCategories) {
      throw Error(ErrorCode::input, "category " + format_number(value) +
                                        " is too large; code the categories as 0, 1, 2, ...");
    }
    const auto category = static_cast<std::size_t>(std::max(value, 0.0));
    auto& to = column[k];
    if (category >= to.size()) { to.resize(category + 1, 0.0); }
    to[category] += weight;
  }
};

nb::dict common_record(const ClassWeights& by_class, const Schema& schema) {
  nb::dict record;
  record["labels"] = schema.labels;
  record["weights"] = owning_array<Numbers>(by_class.weights, {by_class.weights.size()});
  record["least"] = by_class.least;
  return record;
}

template <class Sums>
Accumulated<Sums> over_rows(const Features& features, const RowLabels& labels, const Sums& start,
                            int threads) {
  const auto source = array_source(features, {}, labels, false);
  return run_interruptibly(threads, [&](const Context& context) {
    return accumulate(*source, start, false, MissingRows::error, context);
  });
}

nb::dict class_sums(const Features& features, const Labels& labels,
                    const std::optional<Weights>& weights, std::optional<double> threshold,
                    int threads) {
  auto found = over_rows(features, {labels, {}, weights}, ColumnSums(threshold), threads);
  nb::dict record = common_record(found.statistics.by_class, found.schema);
  record["sums"] = owning_array<Numbers>(std::move(found.statistics.sums),
                                         {found.schema.labels.size(), features.shape(1)});
  return record;
}

/// Classes x categories, zeros where a class has not met the last ones.
Numbers count_table(const std::vector<std::vector<double>>& column) {
  std::size_t width = 0;
  for (const auto& counts : column) { width = std::max(width, counts.size()); }
  std::vector<double> table(column.size() * width, 0.0);
  for (std::size_t k = 0; k < column.size(); ++k) {
    std::copy(column[k].begin(), column[k].end(),
              table.begin() + static_cast<std::ptrdiff_t>(k * width));
  }
  return owning_array<Numbers>(std::move(table), {column.size(), width});
}

nb::dict category_counts(const Features& features, const Labels& labels,
                         const std::optional<Weights>& weights, int threads) {
  const auto found = over_rows(features, {labels, {}, weights}, CategoryCounts{}, threads);
  nb::dict record = common_record(found.statistics.by_class, found.schema);
  nb::list tables;
  for (const auto& column : found.statistics.counts) { tables.append(count_table(column)); }
  record["counts"] = tables;
  return record;
}

}  // namespace

void bind_class_sums(nb::module_& module) {
  using nb::arg;
  module.def("class_sums", &class_sums, arg("features"), arg("labels"), arg("weights").none(),
             arg("threshold").none(), arg("threads"),
             nb::sig("def class_sums(features: numpy.typing.NDArray, labels: "
                     "numpy.typing.NDArray[numpy.int64], weights: "
                     "numpy.typing.NDArray[numpy.float64] | None, threshold: float | None, "
                     "threads: int) -> dict[str, typing.Any]"),
             "labels, weights, least value, and sums of columns or of [x > threshold] by class.");
  module.def("category_counts", &category_counts, arg("features"), arg("labels"),
             arg("weights").none(), arg("threads"),
             nb::sig("def category_counts(features: numpy.typing.NDArray, labels: "
                     "numpy.typing.NDArray[numpy.int64], weights: "
                     "numpy.typing.NDArray[numpy.float64] | None, threads: int) -> "
                     "dict[str, typing.Any]"),
             "labels, weights, least value, and for each column a table of classes x categories.");
}

}  // namespace logodds::binding
