#include "models/neighbors/comparison.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::neighbors {

Comparison::Comparison(const NeighborRows& rows, const Schema& schema, const Wish& wish,
                       std::size_t k, int threads)
    : rows_(rows.view()),
      numbers_(&rows.numbers()),
      space_(schema, wish, rows.units ? *rows.units : units_of(rows_, schema, wish, threads)) {
  if (rows_.rows > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::numeric,
                "there are more than 4294967295 rows, too many to be searched; take some of them");
  }
  points_ = space_.coordinates(rows_, coordinates_, threads);
  rows_.codes = {};
  if (const auto row = space_.no_direction(points_)) {
    throw Error(
        ErrorCode::input,
        "row " + std::to_string(number(static_cast<std::uint32_t>(*row))) + ": " + kNoDirection);
  }
  index_ = search::make_index(points_, space_.measure(), k, threads);
}

std::int64_t Comparison::number(std::uint32_t row) const {
  return static_cast<std::int64_t>(numbers_->empty() ? row : (*numbers_)[row]) + 1;
}

void Comparison::for_blocks(const Context& context, std::string_view what, const Work& work) const {
  std::size_t next = 0;
  parallel::run_blocks<std::size_t>(
      parallel::useful_threads(context.threads, blocks()), blocks(),
      [&](std::size_t& block) {
        block = next++;
        if (context.progress && block < blocks()) {
          context.progress(
              {.what = what,
               .fraction = static_cast<double>(block) / static_cast<double>(blocks())});
        }
        return block < blocks();
      },
      [&](std::size_t& block) {
        DesignRows part = points_;
        const std::size_t first = block * kBlockRows;
        part.data += first * points_.stride;
        part.rows = std::min(kBlockRows, points_.rows - first);
        work(block, first, part);
      },
      [](std::size_t&, std::size_t) {});
}

}  // namespace logodds::models::neighbors
