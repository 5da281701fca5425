#include "logodds/choose/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choose/estimates.hpp"
#include "choose/validation.hpp"
#include "logodds/error.hpp"

namespace logodds::choose {

namespace {

constexpr std::size_t kMostPoints = 10000;

/// Every combination, the last axis running fastest; of each the place of its values.
std::vector<std::vector<std::size_t>> combinations(const std::vector<GridAxis>& grid) {
  std::vector<std::vector<std::size_t>> result(1);
  for (const GridAxis& axis : grid) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& places : result) {
      for (std::size_t v = 0; v < axis.values.size(); ++v) {
        longer.push_back(places);
        longer.back().push_back(v);
      }
    }
    result = std::move(longer);
    if (result.size() > kMostPoints) {
      throw Error(ErrorCode::usage, "--grid has more than " + std::to_string(kMostPoints) +
                                        " combinations; take fewer values");
    }
  }
  return result;
}

/// The sum over the axes of 0 for the first value to 1 for the last, which is the simplest.
double simplicity(const std::vector<GridAxis>& grid, const std::vector<std::size_t>& places) {
  double sum = 0.0;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    const std::size_t last = grid[a].values.size() - 1;
    sum += last == 0 ? 0.0 : static_cast<double>(places[a]) / static_cast<double>(last);
  }
  return sum;
}

/// Sums over the rows of a fold to means.
FoldResult means_of(FoldResult sums) {
  if (sums.rows == 0) { return sums; }
  sums.error_rate /= sums.weight;
  sums.log_loss /= sums.weight;
  sums.brier /= sums.weight;
  return sums;
}

/// What a fold came to.
struct FoldTally {
  FoldResult sums;
  std::size_t ruled_out = 0;
  std::size_t skipped = 0;
};

class CrossValidator {
 public:
  CrossValidator(const CrossValidationRequest& request, const Table& table)
      : request_(request),
        table_(table),
        family_(find_family(request.family)),
        plan_{request.folds, request.leave_one_out,
              request.leave_one_out ? std::size_t{1} : request.repeats},
        places_(combinations(request.grid)) {
    for (const auto& places : places_) { add_point(places); }
  }

  CrossValidation run(const Context& context) {
    check_plan(plan_, table_);
    announce();
    for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) { run_repeat(repeat, context); }
    for (GridPoint& point : result_.grid) { finish(point); }
    choose_points();
    describe();
    return std::move(result_);
  }

 private:
  void add_point(const std::vector<std::size_t>& places) {
    GridPoint point;
    OptionMap all = request_.options;
    for (std::size_t a = 0; a < places.size(); ++a) {
      const GridAxis& axis = request_.grid[a];
      if (request_.options.contains(axis.option)) {
        throw Error(ErrorCode::usage, "option --" + axis.option +
                                          " is given, and --grid tries values of it; leave one of "
                                          "the two out");
      }
      all[axis.option] = point.options[axis.option] = axis.values[places[a]];
    }
    points_.emplace_back(family_.options, all);
    for (auto& [name, value] : point.options) { value = points_.back().text(name); }
    result_.grid.push_back(std::move(point));
  }

  void announce() const {
    constexpr std::size_t kQuick = 1000;
    const std::size_t fits = table_.rows * points_.size();
    if (!plan_.leave_one_out || from_statistics(family_) || fits <= kQuick || !request_.announce) {
      return;
    }
    request_.announce("leaving one row out fits " + family_.name + " " + std::to_string(fits) +
                      " times, which may take long; --folds 10 fits it " +
                      std::to_string(10 * points_.size()) + " times");
  }

  void run_repeat(std::size_t repeat, const Context& context) {
    const FoldedTable rows = fold_table(table_, plan_, context.seed, repeat);
    const std::size_t folds = rows.folds.size();
    std::vector<FoldTally> tallies(points_.size() * folds);
    keep_room(repeat);
    const auto sink = [&](std::size_t point, std::size_t fold, const HeldOut& block) {
      add_rows(block, rows, repeat, result_.grid[point], tallies[point * folds + fold]);
    };
    const auto failures = hold_out(
        family_, points_, rows, plan_.leave_one_out,
        {.missing = request_.missing, .losses_alone = !request_.keep_posteriors}, context, sink);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      GridPoint& point = result_.grid[p];
      for (std::size_t f = 0; f < folds; ++f) {
        if (point.failure.empty()) { point.failure = failures[p * folds + f]; }
        point.folds.push_back(means_of(tallies[p * folds + f].sums));
        ruled_out_by_point_.resize(points_.size(), 0);
        ruled_out_by_point_[p] += tallies[p * folds + f].ruled_out;
        if (p == 0 && repeat == 0) { result_.rows_skipped += tallies[f].skipped; }
      }
    }
  }

  void keep_room(std::size_t repeat) {
    if (!request_.keep_posteriors || repeat > 0) { return; }
    for (GridPoint& point : result_.grid) {
      point.posteriors.assign(table_.rows * classes(), std::numeric_limits<double>::quiet_NaN());
    }
  }

  void add_rows(const HeldOut& block, const FoldedTable& rows, std::size_t repeat, GridPoint& point,
                FoldTally& tally) const {
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (!block.skipped.empty() && block.skipped[r] != 0) {
        ++tally.skipped;
        continue;
      }
      const std::size_t row = block.first + r;
      const double weight = rows.table.weight(row);
      if (!block.losses.empty()) {
        add_loss(block.losses[r], weight, tally);
        continue;
      }
      const auto posteriors = block.posteriors.subspan(r * classes(), classes());
      add_loss(row_loss(static_cast<std::size_t>(rows.table.labels[row]), posteriors), weight,
               tally);
      if (repeat == 0 && !point.posteriors.empty()) {
        std::ranges::copy(posteriors, point.posteriors.begin() +
                                          static_cast<std::ptrdiff_t>(rows.order[row] * classes()));
      }
    }
  }

  static void add_loss(const RowLoss& loss, double weight, FoldTally& tally) {
    ++tally.sums.rows;
    tally.sums.weight += weight;
    tally.sums.error_rate += loss.wrong ? weight : 0.0;
    tally.sums.log_loss += weight * loss.log_loss;
    tally.sums.brier += weight * loss.brier;
    tally.ruled_out += loss.own > 0.0 ? 0U : 1U;
  }

  void finish(GridPoint& point) const {
    if (!point.failure.empty()) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      point.error_rate = point.log_loss = point.brier = {kNone, kNone, kNone, kNone};
      point.folds.clear();
      point.posteriors.clear();
      return;
    }
    set_estimates(point, point.folds, plan_.repeats);
  }

  void choose_points() {
    auto& grid = result_.grid;
    if (std::ranges::none_of(grid, [](const GridPoint& p) { return p.failure.empty(); })) {
      throw Error(ErrorCode::numeric, (grid.size() == 1 ? "without one of the folds: "
                                                        : "at every point of the grid, "
                                                          "at the first: ") +
                                          grid.front().failure);
    }
    const auto loss = [](const GridPoint& point) {
      return point.failure.empty() ? point.log_loss.value : std::numeric_limits<double>::infinity();
    };
    result_.best =
        static_cast<std::size_t>(std::ranges::min_element(grid, {}, loss) - grid.begin());
    const Estimate& least = grid[result_.best].log_loss;
    result_.chosen = result_.best;
    for (std::size_t p = 0; p < grid.size(); ++p) {
      const bool close = loss(grid[p]) <= least.value + least.standard_error;
      const double simpler = simplicity(request_.grid, places_[p]) -
                             simplicity(request_.grid, places_[result_.chosen]);
      const bool better =
          simpler > 0.0 || (simpler == 0.0 && loss(grid[p]) < loss(grid[result_.chosen]));
      if (close && better) { result_.chosen = p; }
    }
  }

  void describe() {
    result_.family = family_.name;
    result_.options = request_.options;
    result_.labels = table_.schema.labels;
    result_.rows = table_.rows - result_.rows_skipped;
    result_.rows_ruled_out = ruled_out_by_point_[result_.chosen];
    result_.folds = plan_.leave_one_out ? table_.rows : plan_.folds;
    result_.repeats = plan_.repeats;
    result_.leave_one_out = plan_.leave_one_out;
    result_.from_statistics = from_statistics(family_);
    result_.notes = table_.notes;
    if (!plan_.leave_one_out) { return; }
    for (GridPoint& point : result_.grid) { point.folds.clear(); }
  }

  [[nodiscard]] std::size_t classes() const { return table_.schema.labels.size(); }

  const CrossValidationRequest& request_;
  const Table& table_;
  const FamilyRecord& family_;
  Plan plan_;
  std::vector<std::vector<std::size_t>> places_;
  std::vector<Options> points_;
  std::vector<std::size_t> ruled_out_by_point_;
  CrossValidation result_;
};

/// Before the data is read, which may be a pipe.
void check_options(const FamilyRecord& family, const CrossValidationRequest& request) {
  static_cast<void>(Options(family.options, request.options));
  for (const GridAxis& axis : request.grid) {
    for (const auto& value : axis.values) {
      static_cast<void>(Options(family.options, {{axis.option, value}}));
    }
  }
}

}  // namespace

CrossValidation cross_validate(BlockSource& source, const CrossValidationRequest& request,
                               const Context& context) {
  if (!request.leave_one_out && request.folds < 2) {
    throw Error(ErrorCode::usage,
                "--folds: at least 2 are needed, one to hold out and one to "
                "train on");
  }
  const FamilyRecord& family = find_family(request.family);
  check_options(family, request);
  const Table table = read_table(source, context);
  return CrossValidator(request, table).run(context);
}

}  // namespace logodds::choose
