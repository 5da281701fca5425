#include "report/importance.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "logodds/data/positions.hpp"
#include "logodds/posterior/posterior.hpp"
#include "parallel/tasks.hpp"
#include "random/shuffle.hpp"

namespace logodds::report {

namespace {

constexpr std::size_t kMostScored = 100'000;
constexpr std::size_t kMostRows = 2000;
constexpr std::size_t kFewestRows = 50;

/// Rows of a sample that one column at a time is shuffled in.
class Trial {
 public:
  Trial(const RowSample& sample, std::size_t rows)
      : rows_(rows),
        width_(sample.numeric_columns()),
        numbers_(sample.numbers().begin(),
                 sample.numbers().begin() + static_cast<std::ptrdiff_t>(rows * width_)),
        texts_(sample.text_columns()) {
    for (const auto& codes : sample.codes()) {
      codes_.emplace_back(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(rows));
    }
    for (std::size_t c = 0; c < texts_.size(); ++c) {
      for (std::size_t r = 0; r < rows; ++r) { texts_[c].push_back(sample.document(r, c)); }
    }
  }

  void shuffle(const Schema& schema, std::size_t column, std::uint64_t seed) {
    const std::vector<std::size_t> order = random::shuffled(rows_, seed, column);
    const std::size_t at = positions_of(schema)[column];
    if (schema.columns[column].text()) {
      permute(texts_[at], 1, 0, order);
    } else if (schema.columns[column].coded()) {
      permute(codes_[at], 1, 0, order);
    } else {
      permute(numbers_, width_, at, order);
    }
  }

  /// -ln p(truth) of every row, or NaN where the scores overflow.
  [[nodiscard]] std::vector<double> losses(const Classifier& model,
                                           std::span<const std::int32_t> truths) const {
    const std::size_t classes = model.labels().size();
    std::vector<double> result(rows_);
    std::vector<double> scores;
    for (std::size_t first = 0; first < rows_; first += kBlockRows) {
      const std::size_t rows = std::min(kBlockRows, rows_ - first);
      scores.resize(rows * classes);
      score(model, first, rows, scores);
      posterior::from_log_scores(scores, classes);
      for (std::size_t r = 0; r < rows; ++r) {
        const double p = scores[r * classes + static_cast<std::size_t>(truths[first + r])];
        result[first + r] = -std::log(std::max(p, 1e-300));
      }
    }
    return result;
  }

 private:
  template <class Value>
  static void permute(std::vector<Value>& values, std::size_t width, std::size_t at,
                      std::span<const std::size_t> order) {
    std::vector<Value> column(order.size());
    for (std::size_t r = 0; r < order.size(); ++r) { column[r] = values[r * width + at]; }
    for (std::size_t r = 0; r < order.size(); ++r) { values[r * width + at] = column[order[r]]; }
  }

  void score(const Classifier& model, std::size_t first, std::size_t rows,
             std::span<double> out) const {
    std::vector<const std::int32_t*> codes;
    for (const auto& column : codes_) { codes.push_back(column.data() + first); }
    std::vector<const std::string_view*> texts;
    for (const auto& column : texts_) { texts.push_back(column.data() + first); }
    RowBlock block;
    block.first_row = first;
    block.rows = rows;
    block.numeric = numbers_.data() + first * width_;
    block.numeric_columns = block.numeric_stride = width_;
    block.codes = codes;
    block.texts = texts;
    model.log_scores(block, out);
  }

  std::size_t rows_;
  std::size_t width_;
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::vector<std::string_view>> texts_;
};

ColumnImportance compared(std::size_t column, std::span<const double> before,
                          std::span<const double> after) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t r = 0; r < before.size(); ++r) {
    const double loss = after[r] - before[r];
    sum += loss;
    squares += loss * loss;
  }
  const auto n = static_cast<double>(before.size());
  const double mean = sum / n;
  return {column, mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
}

}  // namespace

std::vector<ColumnImportance> column_importance(const Classifier& model, const RowSample& sample,
                                                const Context& context) {
  const Schema& schema = model.schema();
  const std::size_t columns = schema.columns.size();
  if (columns == 0 || sample.rows() == 0 || model.labels().size() < 2) { return {}; }
  const std::size_t rows =
      std::min({sample.rows(), kMostRows, std::max(kFewestRows, kMostScored / columns)});
  const std::span<const std::int32_t> truths = std::span(sample.labels()).first(rows);
  const Trial whole(sample, rows);
  const std::vector<double> before = whole.losses(model, truths);
  std::vector<ColumnImportance> result(columns);
  parallel::run_tasks(columns, context, "trying columns", [&](std::size_t c) {
    Trial trial(whole);
    trial.shuffle(schema, c, context.seed);
    result[c] = compared(c, before, trial.losses(model, truths));
  });
  std::ranges::stable_sort(result, std::ranges::greater{}, &ColumnImportance::loss);
  return result;
}

}  // namespace logodds::report
