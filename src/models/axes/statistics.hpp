// What axes are made of: the moments of all rows together, or class by class; of rows that are
// fewer than their columns the rows themselves.
#pragma once

#include <optional>
#include <vector>

#include "logodds/stats/class_moments.hpp"
#include "logodds/stats/training_rows.hpp"

namespace logodds::models::axes {

/// All rows as one class, whatever their labels, or class by class.
enum class Grouping : std::uint8_t { together, by_class };

class AxesStatistics {
 public:
  explicit AxesStatistics(Grouping grouping);

  void add(const RowBlock& block, const Shape& shape);
  void merge(const AxesStatistics& other);
  void unmerge(const AxesStatistics& other, const Schema& schema);
  /// The schema without the levels (and by class without the labels) that no row is left of.
  [[nodiscard]] Schema remaining(const Schema& schema) const;
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const AxesStatistics& other) const {
    return grouping_ == other.grouping_;
  }
  [[nodiscard]] double weight() const;
  /// Only known by class.
  [[nodiscard]] std::vector<double> class_weights() const;
  /// add() itself refuses what is too large.
  [[nodiscard]] std::size_t size_for(const Shape&) const { return 0; }

  /// Rows together, no more of them than columns: null once there are moments.
  [[nodiscard]] const TrainingRows* rows() const { return rows_ ? &*rows_ : nullptr; }
  /// Of the single class 0, or by class; null as long as there are rows.
  [[nodiscard]] const ClassMoments* moments() const { return moments_ ? &*moments_ : nullptr; }

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static AxesStatistics load(const modelfile::Reader& reader, const Schema& schema,
                                           Grouping grouping);

 private:
  [[nodiscard]] Shape inner(Shape shape) const;
  [[nodiscard]] Schema inner(Schema schema) const;
  void fold();

  Grouping grouping_;
  std::optional<TrainingRows> rows_;
  std::optional<ClassMoments> moments_;
};

}  // namespace logodds::models::axes
