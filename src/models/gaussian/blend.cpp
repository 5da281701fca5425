// --blend auto: the pair (lambda, gamma) with the least held-out log loss. Each fold's
// moments are summed once; the training moments of a fold are those of all others together, so that
// every pair of the grid costs a few factorisations and the scoring of the held-out rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "choose/folds.hpp"
#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "models/gaussian/estimate.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/rule.hpp"
#include "parallel/tasks.hpp"

namespace logodds::models::gaussian {

namespace {

constexpr std::size_t kFolds = 10;
constexpr std::array<double, 5> kLambdas{0.0, 0.1, 0.3, 0.6, 1.0};
constexpr std::array<double, 4> kGammas{0.0, 0.01, 0.1, 0.5};
constexpr std::size_t kPairs = kLambdas.size() * kGammas.size();

/// Rows of one fold, copied together.
struct Fold {
  std::vector<double> numeric;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;

  /// A block of the rows from `first` on; `pointers` is its working memory.
  [[nodiscard]] RowBlock block(std::size_t first, std::size_t columns,
                               std::vector<const std::int32_t*>& pointers) const {
    RowBlock part;
    part.rows = std::min(kBlockRows, labels.size() - first);
    part.numeric = numeric.data() + first * columns;
    part.numeric_columns = part.numeric_stride = columns;
    part.labels = labels.data() + first;
    part.weights = weights.empty() ? nullptr : weights.data() + first;
    pointers.clear();
    for (const auto& column : codes) { pointers.push_back(column.data() + first); }
    part.codes = pointers;
    return part;
  }
};

std::vector<Fold> split_rows(const RowBlock& rows, const std::vector<std::size_t>& folds) {
  std::vector<Fold> parts(kFolds + 1);
  for (auto& part : parts) { part.codes.resize(rows.codes.size()); }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    Fold& part = parts[folds[r]];
    const double* const row = rows.numeric + r * rows.numeric_stride;
    part.numeric.insert(part.numeric.end(), row, row + rows.numeric_columns);
    for (std::size_t c = 0; c < rows.codes.size(); ++c) {
      part.codes[c].push_back(rows.codes[c][r]);
    }
    part.labels.push_back(rows.labels[r]);
    if (rows.weights != nullptr) { part.weights.push_back(rows.weights[r]); }
  }
  return parts;
}

/// sum_n w_n -ln p(t_n | x_n) over the rows of a fold.
double held_out_loss(const GaussianDiscriminant& model, const Fold& fold, std::size_t columns,
                     std::size_t classes) {
  std::vector<double> scores;
  std::vector<double> truths;
  std::vector<double> log_sums;
  std::vector<const std::int32_t*> pointers;
  double loss = 0.0;
  for (std::size_t first = 0; first < fold.labels.size(); first += kBlockRows) {
    const RowBlock block = fold.block(first, columns, pointers);
    scores.resize(block.rows * classes);
    truths.resize(block.rows);
    log_sums.resize(block.rows);
    model.log_scores(block, scores);
    for (std::size_t r = 0; r < block.rows; ++r) {
      truths[r] = scores[r * classes + static_cast<std::size_t>(block.labels[r])];
    }
    kernels::softmax_rows(scores.data(), block.rows, classes, log_sums.data());
    for (std::size_t r = 0; r < block.rows; ++r) {
      loss += block.weight(r) * (log_sums[r] - truths[r]);
    }
  }
  return loss;
}

Blend pair_at(std::size_t index) {
  return {kLambdas[index / kGammas.size()], kGammas[index % kGammas.size()]};
}

std::string text_of(const Blend& pair) {
  return format_number(pair.lambda) + "," + format_number(pair.gamma);
}

Options with_blend(const Options& options, const Blend& pair) {
  Options changed = options;
  changed.replace("blend", text_of(pair));
  return changed;
}

/// A row a lambda, a column a gamma.
DescriptionTable grid_table(const std::array<double, kPairs>& losses) {
  DescriptionTable table{
      "blend: log loss of " + std::to_string(kFolds) + "-fold cross-validation", {"lambda"}, {}};
  for (const double gamma : kGammas) { table.columns.push_back("gamma " + format_number(gamma)); }
  for (std::size_t l = 0; l < kLambdas.size(); ++l) {
    std::vector<Cell> row{format_number(kLambdas[l])};
    for (std::size_t g = 0; g < kGammas.size(); ++g) {
      const double loss = losses[l * kGammas.size() + g];
      row.push_back(std::isfinite(loss) ? Cell(loss) : Cell(std::string("singular")));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One pass of the grid over the folds.
class Search {
 public:
  Search(const GaussianStatistics& statistics, const Options& options, const Schema& schema,
         const Context& context)
      : options_(options), schema_(schema), context_(context), rows_(statistics.rows()->view()) {
    parts_ =
        split_rows(rows_, choose::stratified_folds({rows_.labels, rows_.rows}, schema.labels.size(),
                                                   kFolds, context.seed));
    sum_folds(statistics.moments().complete().second());
  }

  /// Mean held-out log loss of each pair; infinite where a covariance is singular.
  [[nodiscard]] std::array<double, kPairs> losses() const {
    std::vector<double> by_task(kPairs * kFolds);
    parallel::run_tasks(by_task.size(), context_, "cross-validating", [&](std::size_t task) {
      by_task[task] = loss_of(pair_at(task / kFolds), task % kFolds);
    });
    double weight = 0.0;
    for (std::size_t f = 0; f < kFolds; ++f) {
      const auto& part = parts_[f];
      weight += part.weights.empty()
                    ? static_cast<double>(part.labels.size())
                    : std::accumulate(part.weights.begin(), part.weights.end(), 0.0);
    }
    std::array<double, kPairs> means{};
    for (std::size_t p = 0; p < kPairs; ++p) {
      const auto first = by_task.begin() + static_cast<std::ptrdiff_t>(p * kFolds);
      means[p] = std::accumulate(first, first + kFolds, 0.0) / weight;
    }
    return means;
  }

 private:
  /// training_[f]: the moments of all rows but those of fold f.
  void sum_folds(SecondMoments second) {
    const Shape shape = shape_of(schema_);
    std::vector<ClassMoments> sums(kFolds + 1, ClassMoments(second));
    parallel::run_tasks(sums.size(), context_, "summing folds", [&](std::size_t f) {
      std::vector<const std::int32_t*> pointers;
      sums[f].add({}, shape);
      for (std::size_t first = 0; first < parts_[f].labels.size(); first += kBlockRows) {
        sums[f].add(parts_[f].block(first, rows_.numeric_columns, pointers), shape);
      }
    });
    for (std::size_t f = 0; f < kFolds; ++f) {
      ClassMoments rest(second);
      for (std::size_t g = 0; g <= kFolds; ++g) {
        if (g != f) { rest.merge(sums[g]); }
      }
      training_.emplace_back(PatternMoments(std::move(rest)), std::nullopt);
    }
  }

  [[nodiscard]] double loss_of(const Blend& pair, std::size_t f) const {
    FitReport report;
    const Options options = with_blend(options_, pair);
    try {
      const auto model =
          GaussianFamily::estimate(training_[f], {schema_, options, Context{}, report});
      return held_out_loss(model, parts_[f], rows_.numeric_columns, schema_.labels.size());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::numeric) { throw; }
      return std::numeric_limits<double>::infinity();
    }
  }

  const Options& options_;
  const Schema& schema_;
  const Context& context_;
  RowBlock rows_;
  std::vector<Fold> parts_;
  std::vector<GaussianStatistics> training_;
};

}  // namespace

void settle_blend(GaussianStatistics& statistics, Options& options, const Schema& schema,
                  const Context& context, FitReport& report) {
  if (options.text("blend") != "none" && options.choice("covariance") == "shared") {
    options.replace("covariance", "own");  // how far it is shared is for LAMBDA to say
  }
  if (options.text("blend") != "auto") { return; }
  if (options.text("shrinkage") == "ledoit-wolf") {
    throw Error(ErrorCode::usage,
                "--blend auto is not tried with --shrinkage ledoit-wolf; take one of the two");
  }
  if (statistics.rows() == nullptr || statistics.rows()->rows() == 0) {
    throw Error(ErrorCode::usage,
                "--blend auto needs the training rows, complete ones; train with them, or give a "
                "pair as in --blend 0.5,0.1");
  }
  const auto losses = Search(statistics, options, schema, context).losses();
  const auto best =
      static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  if (!std::isfinite(losses[best])) {
    throw Error(ErrorCode::numeric,
                "--blend auto: every blend is singular in some fold; leave out constant columns "
                "with --ignore, or add --ridge 0.001");
  }
  options = with_blend(options, pair_at(best));
  report.tables.push_back(grid_table(losses));
  report.notes.push_back("blend: " + text_of(pair_at(best)) +
                         " has the least log loss in cross-validation");
  statistics.drop_rows();
}

}  // namespace logodds::models::gaussian
