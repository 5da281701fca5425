// Rows as measures that are no sums need them: truth, decision, weight and posteriors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace logodds::measure {

/// 8 bytes a row and class, and 16 a row, in chunks, so that they grow without being copied.
class KeptRows {
 public:
  /// `posteriors` is row-major, rows x classes.
  struct Chunk {
    std::vector<std::int32_t> truths;
    std::vector<std::int32_t> decisions;
    std::vector<double> weights;
    std::vector<double> posteriors;
  };

  explicit KeptRows(std::size_t classes,
                    std::size_t most_bytes = std::numeric_limits<std::size_t>::max())
      : classes_(classes), most_bytes_(most_bytes) {}

  void add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
           double weight);
  /// The rows of `other` after these.
  void merge(const KeptRows& other);

  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  /// There were more than `most_bytes` of them, and none is kept any more.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

 private:
  [[nodiscard]] std::size_t row_bytes() const { return 8 * classes_ + 16; }
  void give_up();

  std::size_t classes_;
  std::size_t most_bytes_;
  std::size_t rows_ = 0;
  bool overflowed_ = false;
  std::vector<Chunk> chunks_;
};

}  // namespace logodds::measure
