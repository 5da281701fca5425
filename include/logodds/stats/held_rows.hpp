// Rows that an estimator goes over again and again: those without a label, and those with one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

/// Some rows of a block, copied; documents stay where they are.
class PickedRows {
 public:
  PickedRows(const RowBlock& block, const std::vector<std::uint32_t>& members);
  [[nodiscard]] RowBlock view() const;

 private:
  RowBlock like_;
  std::vector<double> numeric_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<const std::int32_t*> code_pointers_;
  std::vector<std::vector<std::string_view>> texts_;
  std::vector<const std::string_view*> text_pointers_;
  std::vector<std::int32_t> labels_;
  std::vector<double> weights_;
};

/// Calls use(part) for every class: the rows, labelled with it and weighted by their shares in it
/// (row-major rows x classes). A share of less than a unit in the last place of the row's weight is
/// none, and the row not in the part; a part without rows is left out.
void for_each_class(const RowBlock& block, std::size_t classes, std::span<const double> shares,
                    const std::function<void(const RowBlock&)>& use);
/// Whether it is more than none.
[[nodiscard]] inline bool counts(double share, double weight) {
  return share > std::numeric_limits<double>::epsilon() * weight;
}

/// Dense rows in the order of their blocks. Of a block the rows with a label make one part, those
/// without (kMissingCode, or no labels at all) another. Numbers of a lasting block that is all one
/// part are not copied.
class HeldRows {
 public:
  void add(const RowBlock& block);
  /// The other's rows, sorted in by block number.
  void merge(const HeldRows& other);
  void recode(const Recoding& recoding);

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] bool labeled(std::size_t part) const { return parts_[part]->labeled; }
  [[nodiscard]] std::size_t rows_unlabeled() const;
  [[nodiscard]] std::size_t rows_incomplete() const;  ///< among those without a label
  [[nodiscard]] double weight() const;                ///< of all rows
  [[nodiscard]] double weight_unlabeled() const;

  /// What a view of a part points to.
  struct Pointers {
    std::vector<const std::int32_t*> codes;
    std::vector<std::vector<std::string_view>> texts;
    std::vector<const std::string_view*> text_columns;
  };
  /// Valid as long as both; `labels` is null for rows without.
  [[nodiscard]] RowBlock view(std::size_t part, Pointers& pointers) const;

 private:
  /// Where a document stands in Part::bytes; a missing one has no place.
  struct Document {
    std::size_t begin = 0;
    std::size_t size = 0;
    bool missing = true;
  };
  struct Part {
    std::size_t ordinal = 0;
    bool labeled = false;
    bool complete = false;
    std::size_t rows = 0;
    std::size_t incomplete = 0;
    std::size_t columns = 0;
    const double* place = nullptr;  ///< of numbers that are not copied
    std::size_t stride = 0;
    std::vector<double> numeric;
    std::vector<std::vector<std::int32_t>> codes;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;  ///< empty: all 1
    std::string bytes;
    std::vector<std::vector<Document>> texts;
  };
  void keep(const RowBlock& block, bool labeled);
  [[nodiscard]] static double weight_of(const Part& part);

  std::vector<std::shared_ptr<Part>> parts_;  ///< shared by copies, which do not change them
};

}  // namespace logodds
