#include "report/importance.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "logodds/data/positions.hpp"
#include "logodds/posterior/posterior.hpp"
#include "logodds/text/counts.hpp"
#include "parallel/tasks.hpp"
#include "random/shuffle.hpp"

namespace logodds::report {

namespace {

constexpr std::size_t kMostScored = 100'000;
constexpr std::size_t kMostRows = 2000;
constexpr std::size_t kFewestRows = 50;
constexpr std::size_t kWanted = 15;    // columns by themselves, where groups are halved
constexpr std::size_t kTrials = 512;   // of groups, about
constexpr std::size_t kTogether = 16;  // groups halved at once: a constant, whatever the threads
constexpr std::size_t kPieces = 64;    // of the work, each with a copy of the rows

/// Columns [begin, end) of the schema, and what shuffling them together costs.
struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;
  double loss = 0.0;
  double standard_error = 0.0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Rows of a sample that some columns at a time are shuffled in.
class Trial {
 public:
  Trial(const RowSample& sample, std::size_t rows)
      : rows_(rows),
        width_(sample.numeric_columns()),
        schema_(&sample.schema()),
        positions_(positions_of(sample.schema())),
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

  /// Row r gets the values of row order[r], in these columns.
  void shuffle(const Group& group, std::span<const std::size_t> order) {
    for (std::size_t c = group.begin; c < group.end; ++c) {
      const std::size_t at = positions_[c];
      if (schema_->columns[c].text()) {
        permute(texts_[at], 1, 0, order);
      } else if (schema_->columns[c].coded()) {
        permute(codes_[at], 1, 0, order);
      } else {
        permute(numbers_, width_, at, order);
      }
    }
  }

  /// -ln p(truth) of every row; where the scores overflow, as if p were 0.
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
        result[first + r] = -std::log(p > 1e-300 ? p : 1e-300);
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
  const Schema* schema_;
  std::vector<std::size_t> positions_;
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::vector<std::string_view>> texts_;
};

void compare(std::span<const double> before, std::span<const double> after, Group& group) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t r = 0; r < before.size(); ++r) {
    const double loss = after[r] - before[r];
    sum += loss;
    squares += loss * loss;
  }
  const auto n = static_cast<double>(before.size());
  group.loss = sum / n;
  group.standard_error = std::sqrt(std::max(0.0, squares / n - group.loss * group.loss) / n);
}

std::vector<std::size_t> inverse(std::span<const std::size_t> order) {
  std::vector<std::size_t> back(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) { back[order[r]] = r; }
  return back;
}

class Trials {
 public:
  Trials(const Classifier& model, const RowSample& sample, std::size_t rows, const Context& context)
      : model_(model),
        truths_(std::span(sample.labels()).first(rows)),
        context_(context),
        whole_(sample, rows),
        before_(whole_.losses(model, truths_)) {}

  /// The loss of each group.
  void run(std::span<Group> groups) const {
    const std::size_t pieces = std::min(kPieces, groups.size());
    parallel::run_tasks(pieces, context_, "trying columns", [&](std::size_t piece) {
      Trial trial(whole_);
      for (std::size_t g = piece; g < groups.size(); g += pieces) {
        const std::vector<std::size_t> order =
            random::shuffled(truths_.size(), context_.seed, groups[g].begin);
        trial.shuffle(groups[g], order);
        compare(before_, trial.losses(model_, truths_), groups[g]);
        trial.shuffle(groups[g], inverse(order));
      }
    });
  }

 private:
  const Classifier& model_;
  std::span<const std::int32_t> truths_;
  const Context& context_;
  Trial whole_;
  std::vector<double> before_;
};

bool matters_more(const Group& a, const Group& b) {
  return a.loss > b.loss || (a.loss == b.loss && a.begin < b.begin);
}

std::vector<Group> halves(const Group& group) {
  const std::size_t middle = group.begin + group.size() / 2;
  return {{.begin = group.begin, .end = middle}, {.begin = middle, .end = group.end}};
}

/// Halves the groups that matter most, until the first `kWanted` are single columns or there were
/// `kTrials` trials.
std::vector<Group> halved(const Trials& trials, std::size_t columns) {
  std::vector<Group> groups = halves({.begin = 0, .end = columns});
  trials.run(groups);
  std::size_t done = groups.size();
  while (done < kTrials) {
    std::ranges::sort(groups, matters_more);
    std::vector<Group> parts;
    const std::size_t first = std::min(kWanted, groups.size());
    for (std::size_t g = 0; g < first && parts.size() < 2 * kTogether; ++g) {
      if (groups[g].size() == 1) { continue; }
      for (const Group& half : halves(groups[g])) { parts.push_back(half); }
      groups[g].end = groups[g].begin;  // replaced
    }
    if (parts.empty()) { break; }
    trials.run(parts);
    done += parts.size();
    std::erase_if(groups, [](const Group& group) { return group.size() == 0; });
    groups.insert(groups.end(), parts.begin(), parts.end());
  }
  return groups;
}

std::vector<Group> one_by_one(const Trials& trials, std::size_t columns) {
  std::vector<Group> groups;
  for (std::size_t c = 0; c < columns; ++c) { groups.push_back({.begin = c, .end = c + 1}); }
  trials.run(groups);
  return groups;
}

/// The single columns among the groups.
std::vector<ColumnImportance> ranked(std::vector<Group> groups) {
  std::ranges::sort(groups, matters_more);
  std::vector<ColumnImportance> result;
  for (const Group& group : groups) {
    if (group.size() == 1) { result.push_back({group.begin, group.loss, group.standard_error}); }
  }
  return result;
}

}  // namespace

Importance column_importance(const Classifier& model, const RowSample& sample,
                             const Context& context, double most_values) {
  const std::size_t columns = model.schema().columns.size();
  const std::size_t classes = model.labels().size();
  if (columns == 0 || classes < 2) { return {}; }
  if (sample.rows() == 0) {
    return {.left_out = "Rows of " + grouped(columns) +
                        " columns are not kept: no column is tried, no row drawn or shown."};
  }
  const std::size_t fewest = std::min(sample.rows(), kFewestRows);
  const std::size_t most = std::min(sample.rows(), kMostRows);
  // Rows that fit into the values, where each of `trials` scores all columns of them.
  const auto rows_for = [&](std::size_t trials) {
    const double values = static_cast<double>(columns) * static_cast<double>(classes);
    return static_cast<std::size_t>(most_values / (values * static_cast<double>(trials)));
  };
  const std::size_t alone = std::min(rows_for(columns), std::max(fewest, kMostScored / columns));
  if (alone >= fewest) {
    const std::size_t rows = std::min(most, alone);
    return {.columns = ranked(one_by_one(Trials(model, sample, rows, context), columns)),
            .rows = rows};
  }
  const std::size_t grouped_rows = std::min(most, rows_for(kTrials));
  if (grouped_rows < fewest) {
    return {.left_out = "With " + grouped(columns) + " columns and " + grouped(classes) +
                        " classes it would take too long to try the columns."};
  }
  Importance result{
      .columns = ranked(halved(Trials(model, sample, grouped_rows, context), columns)),
      .rows = grouped_rows};
  result.left_out = "Of " + grouped(columns) + " columns " + grouped(result.columns.size()) +
                    " were tried by themselves: all were shuffled in groups, and the groups that "
                    "matter most halved.";
  return result;
}

}  // namespace logodds::report
