// The rows themselves as a statistic: for families that need every row again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

/// Holds rows in the order of their blocks, whatever the order in which the blocks came. Blocks are
/// dense, or all are sparse; save() and unmerge() are for dense rows. Rows are copied, unless
/// keep_places() was called first.
class TrainingRows {
 public:
  void add(const RowBlock& block, const Shape& shape);
  /// From now on the numbers of lasting blocks are not copied: for a family that has done with the
  /// rows when its fit ends.
  void keep_places() { keeps_places_ = true; }
  /// Copies what keep_places() left with its owner, in up to `threads` threads.
  void own(int threads);
  /// The other's rows, sorted in by block number; at equal numbers they follow ours.
  void merge(const TrainingRows& other);
  /// Takes out one row that is equal for each of the other's. Throws Error(input) when there is
  /// none.
  void unmerge(const TrainingRows& other, const Schema& schema);
  /// The schema without the classes and levels that no row is left of.
  [[nodiscard]] Schema remaining(const Schema& schema) const;
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const TrainingRows& other) const;
  [[nodiscard]] double weight() const;
  [[nodiscard]] std::vector<double> class_weights() const;
  [[nodiscard]] std::size_t size_for(const Shape&) const { return 0; }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t rows() const;
  /// Of each row of view() its number among the rows that were read, from 0; those of a source that
  /// is merged into a finished statistic count on from its last. Empty: 0, 1, 2, ...
  [[nodiscard]] const std::vector<std::size_t>& numbers() const;
  /// Keeps these rows of view(), in ascending order, with their numbers.
  void keep_rows(const std::vector<std::uint32_t>& kept);
  [[nodiscard]] std::size_t blocks() const { return chunks_.size(); }
  [[nodiscard]] std::size_t doubles() const;  ///< in the columns of numbers, as they are stored
  /// Keeps the blocks whose ordinal is wanted; only before view() and save(), which join them.
  void keep_blocks(const std::function<bool(std::size_t)>& wanted);
  /// All rows as one block; labels are null when the rows carry none, weights when every weight is
  /// 1. Sparse if the rows are.
  [[nodiscard]] RowBlock view() const;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static TrainingRows load(const modelfile::Reader& reader, const Schema& schema);

 private:
  struct Chunk {
    std::size_t ordinal = 0;
    std::size_t rows = 0;
    std::size_t first_row = 0;         ///< its number
    std::vector<std::size_t> numbers;  ///< of the rows; empty: first_row + r
    bool joined = false;               ///< all rows of a finished statistic
    const double* place = nullptr;  ///< of numbers that are not copied, row r at place + r * stride
    std::size_t stride = 0;
    std::shared_ptr<const double> copied;  ///< what own() has copied, `place` in it; never changed
    std::vector<double> numeric;  ///< row-major rows x numeric columns; or what is not 0 in them
    std::vector<std::size_t> starts;  ///< of sparse rows, as in SparseRows, from 0
    std::vector<std::uint32_t> indices;
    std::vector<std::vector<std::int32_t>> codes;  ///< one vector a coded column
    std::vector<std::int32_t> labels;
    std::vector<double> weights;  ///< empty: all 1
  };
  void add_numbers(const RowBlock& block, Chunk& chunk) const;
  void append_numbers(const Chunk& from, Chunk& to) const;
  void append(const Chunk& from, Chunk& to) const;
  /// True when all chunks lie one behind the other in one place.
  [[nodiscard]] bool in_one_place() const;
  void own_numbers(int threads) const;
  void join() const;
  void join_chunks() const;
  [[nodiscard]] std::vector<std::size_t> joined_numbers() const;
  /// The number that follows on the last.
  [[nodiscard]] static std::size_t end_number(const Chunk& chunk);

  Shape shape_;
  bool keeps_places_ = false;
  // Joining chunks into one keeps the value and only changes the storage, hence mutable; it happens
  // when the statistic is finished (view(), save()), never while threads share it.
  mutable std::vector<Chunk> chunks_;
  mutable std::vector<const std::int32_t*> code_pointers_;
};

/// The same for a family that takes sparse rows as they are, and needs the rows no longer than its
/// fit: view() may be sparse, and may be the caller's own memory.
class SparseTrainingRows : public TrainingRows {
 public:
  SparseTrainingRows() { keep_places(); }
  static constexpr bool kTakesSparse = true;
};

}  // namespace logodds
