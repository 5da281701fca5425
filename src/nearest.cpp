#include "logodds/nearest.hpp"

#include <algorithm>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/neighborhood.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "scoring.hpp"

namespace logodds {

namespace {

/// Where queries come from, and where goes what they find.
struct Task {
  const Classifier& model;
  BlockSource& source;
  std::size_t count;
  const Context& context;
  NearestRows out;  ///< what is not filled yet
  std::size_t rows_taken = 0;

  bool take(RowBuffer& rows) {
    const bool more = source.take(rows);
    rows_taken += more ? rows.rows : 0;
    if (context.progress) {
      context.progress(
          {.what = "searching", .fraction = source.fraction_taken(), .rows = rows_taken});
    }
    return more;
  }
  void parse(RowBuffer& rows) const {
    source.parse(rows);
    if (!model.takes_unseen_levels()) { rows.take_unseen_as_missing(); }
    drop_incomplete(rows, source, MissingRows::error);
  }
  /// Room for the rows that come next.
  [[nodiscard]] NearestRows room(std::size_t rows) {
    const std::size_t size = rows * count;
    if (size > out.numbers.size() || size > out.distances.size()) {
      throw Error(ErrorCode::usage, "there are more rows than there is room for their neighbors");
    }
    const NearestRows first{out.numbers.first(size), out.distances.first(size)};
    out = {out.numbers.subspan(size), out.distances.subspan(size)};
    return first;
  }
};

struct FoundBlock {
  RowBuffer rows;
  std::vector<std::int64_t> numbers;
  std::vector<double> distances;
};

void find_by_blocks(Task& task) {
  parallel::run_blocks<FoundBlock>(
      task.context.threads, 1, [&](FoundBlock& found) { return task.take(found.rows); },
      [&](FoundBlock& found) {
        task.parse(found.rows);
        found.numbers.resize(found.rows.rows * task.count);
        found.distances.resize(found.numbers.size());
        try {
          task.model.neighborhood()->nearest(found.rows.view(), task.count, found.numbers,
                                             found.distances);
        } catch (const RowProblem& problem) { throw_at_place(task.source, found.rows, problem); }
      },
      [&](FoundBlock& found, std::size_t) {
        const NearestRows room = task.room(found.rows.rows);
        std::ranges::copy(found.numbers, room.numbers.begin());
        std::ranges::copy(found.distances, room.distances.begin());
      });
}

/// Blocks that are searched at once.
class Batch {
 public:
  /// False when no row is left.
  [[nodiscard]] bool take(Task& task, std::size_t most_rows) {
    std::size_t rows = 0;
    for (used_ = 0; rows < most_rows; ++used_) {
      if (used_ == blocks_.size()) { blocks_.emplace_back(); }
      if (!task.take(blocks_[used_])) { break; }
      rows += blocks_[used_].rows;
    }
    return used_ > 0;
  }

  void find(Task& task) {
    // A few numbers are looked at before another thread has started.
    constexpr std::size_t kFew = std::size_t{1} << 16U;
    const bool few = used_ * kBlockRows * task.source.columns().size() < kFew;
    parallel::run_lanes(few ? 1 : task.context.threads, used_,
                        [&](std::size_t block) { task.parse(blocks_[block]); });
    std::vector<RowBlock> views;
    std::size_t rows = 0;
    for (std::size_t block = 0; block < used_; ++block) {
      views.push_back(blocks_[block].view());
      rows += views.back().rows;
    }
    const NearestRows room = task.room(rows);
    try {
      task.model.neighborhood()->nearest_at_once(views, task.count, task.context.threads,
                                                 room.numbers, room.distances);
    } catch (RowProblem problem) {
      std::size_t block = 0;
      while (problem.row >= views[block].rows) { problem.row -= views[block++].rows; }
      throw_at_place(task.source, blocks_[block], problem);
    }
  }

 private:
  std::vector<RowBuffer> blocks_;
  std::size_t used_ = 0;
};

}  // namespace

void find_nearest(const Classifier& model, BlockSource& source, std::size_t count,
                  const Context& context, const NearestRows& out) {
  scoring::check_neighbors(model, count);
  Task task{model, source, count, context, out};
  const std::size_t at_once = model.neighborhood()->rows_at_once();
  if (at_once == 0) { return find_by_blocks(task); }
  Batch batch;
  while (batch.take(task, at_once)) { batch.find(task); }
}

}  // namespace logodds
