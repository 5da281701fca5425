#include "logodds/nearest.hpp"

#include <vector>

#include "logodds/models/accumulate.hpp"
#include "logodds/models/neighborhood.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "scoring.hpp"

namespace logodds {

namespace {

struct Found {
  RowBuffer rows;
  std::vector<std::int64_t> numbers;
  std::vector<double> distances;
};

void find(const Classifier& model, const BlockSource& source, std::size_t count, Found& found) {
  source.parse(found.rows);
  if (!model.takes_unseen_levels()) { found.rows.take_unseen_as_missing(); }
  drop_incomplete(found.rows, source, MissingRows::error);
  found.numbers.resize(found.rows.rows * count);
  found.distances.resize(found.rows.rows * count);
  try {
    model.neighborhood()->nearest(found.rows.view(), count, found.numbers, found.distances);
  } catch (const RowProblem& problem) { throw_at_place(source, found.rows, problem); }
}

}  // namespace

void find_nearest(const Classifier& model, BlockSource& source, std::size_t count,
                  const Context& context, const std::function<void(const NearestBlock&)>& sink) {
  scoring::check_neighbors(model, count);
  std::size_t rows_taken = 0;
  parallel::run_blocks<Found>(
      context.threads, 1,
      [&](Found& found) {
        const bool more = source.take(found.rows);
        rows_taken += more ? found.rows.rows : 0;
        if (context.progress) {
          context.progress(
              {.what = "searching", .fraction = source.fraction_taken(), .rows = rows_taken});
        }
        return more;
      },
      [&](Found& found) { find(model, source, count, found); },
      [&](Found& found, std::size_t) { sink({found.numbers, found.distances}); });
}

}  // namespace logodds
