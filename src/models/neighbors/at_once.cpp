// Many queries at once: those that are near each other follow each other, so that what one of them
// looks at is in a near cache for the next.
#include <algorithm>

#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

using search::Candidate;

namespace {

/// Queries in the coordinates of a space, in one piece of memory.
class Queries {
 public:
  Queries(const Space& space, std::span<const RowBlock> blocks, int threads);

  [[nodiscard]] std::size_t rows() const { return begins_.back(); }
  [[nodiscard]] DesignRows view() const { return of(values_); }
  /// Some of them, copied to `values`.
  [[nodiscard]] DesignRows picked(std::span<const std::uint32_t> rows,
                                  std::vector<double>& values) const;

 private:
  [[nodiscard]] DesignRows of(const std::vector<double>& values) const {
    return {values.data(), values.size() / columns_, columns_, columns_};
  }
  void place(const Space& space, const RowBlock& block, std::size_t begin);

  std::size_t columns_;
  std::vector<std::size_t> begins_{0};  ///< of the blocks, and the number of all rows
  std::vector<double> values_;
};

Queries::Queries(const Space& space, std::span<const RowBlock> blocks, int threads)
    : columns_(space.design().size()) {
  for (const RowBlock& block : blocks) { begins_.push_back(begins_.back() + block.rows); }
  values_.resize(rows() * columns_);
  constexpr std::size_t kFew = std::size_t{1} << 16U;  // copied before another thread has started
  parallel::run_lanes(values_.size() < kFew ? 1 : threads, blocks.size(),
                      [&](std::size_t b) { place(space, blocks[b], begins_[b]); });
}

void Queries::place(const Space& space, const RowBlock& block, std::size_t begin) {
  std::vector<double> scratch;
  const DesignRows rows = space.coordinates(block, scratch);
  if (const auto row = space.no_direction(rows)) {
    throw RowProblem{.row = begin + *row, .column = {}, .sentence = kNoDirection};
  }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::copy_n(rows.data + r * rows.stride, columns_, values_.data() + (begin + r) * columns_);
  }
}

DesignRows Queries::picked(std::span<const std::uint32_t> rows, std::vector<double>& values) const {
  values.clear();
  for (const std::uint32_t row : rows) {
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(row * columns_);
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(columns_));
  }
  return of(values);
}

}  // namespace

std::size_t NeighborsDiscriminant::rows_at_once() const {
  return comparison_.index().likes_order() ? 16 * kBlockRows : 0;
}

void NeighborsDiscriminant::nearest_at_once(std::span<const RowBlock> blocks, std::size_t count,
                                            int threads, std::span<std::int64_t> numbers,
                                            std::span<double> distances) const {
  constexpr std::size_t kPiece = 256;  // queries that a thread takes at a time
  const Queries queries(comparison_.space(), blocks, threads);
  const std::vector<std::uint32_t> order = comparison_.index().order(queries.view());
  parallel::run_lanes(threads, (order.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t begin = piece * kPiece;
    const auto rows = std::span(order).subspan(begin, std::min(kPiece, order.size() - begin));
    std::vector<double> values;
    comparison_.index().nearest(queries.picked(rows, values), {.rows = count},
                                [&](std::size_t q, std::span<const Candidate> found) {
                                  const std::size_t at = rows[q] * count;
                                  for (std::size_t i = 0; i < count; ++i) {
                                    numbers[at + i] = comparison_.number(found[i].row);
                                    distances[at + i] =
                                        comparison_.space().distance(found[i].distance);
                                  }
                                });
  });
}

}  // namespace logodds::models::neighbors
