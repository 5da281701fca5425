// What a mixture is fitted to: rows without labels, and the labels that they had, to compare with.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "logodds/models/mixture.hpp"
#include "logodds/stats/held_rows.hpp"
#include "models/mixture/start.hpp"

namespace logodds {

namespace models::mixture {

/// A statistic that keeps the rows and takes no notice of their labels.
class UnlabeledRows {
 public:
  static constexpr bool kTakesUnlabeled = true;

  void add(const RowBlock& block, const Shape& shape);
  void merge(const UnlabeledRows& other);
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const UnlabeledRows&) const { return true; }
  [[nodiscard]] double weight() const { return rows.weight(); }
  [[nodiscard]] std::size_t size_for(const Shape&) const { return 0; }
  [[nodiscard]] std::size_t rows_incomplete() const { return rows.rows_incomplete(); }

  HeldRows rows;
  /// By block; none where the source has no labels.
  std::map<std::size_t, std::vector<std::int32_t>> labels;
};

}  // namespace models::mixture

struct MixtureRows::Parts {
  Options options;  ///< of the family gaussian
  Schema schema;
  FitReport report;
  models::mixture::UnlabeledRows all;
  std::vector<std::string> label_names;
  std::vector<std::size_t> first_rows;                       ///< of the parts
  std::unique_ptr<models::mixture::StartSpace> start_space;  ///< made when a start asks for it

  [[nodiscard]] const models::mixture::StartSpace& space();
};

}  // namespace logodds
