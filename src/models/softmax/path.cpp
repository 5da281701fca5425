// Five folds, 19 decays from the largest down in steps of half a decade, each fit started where the
// one before it ended. A large decay is quickly fitted, and its optimum is near the next.
#include "models/softmax/path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "choose/folds.hpp"
#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/rows.hpp"
#include "models/softmax/wish.hpp"

namespace logodds::models::softmax {

namespace {

constexpr std::size_t kFolds = 5;
constexpr std::size_t kDecays = 19;

/// From one that outweighs the likelihood (whose curvature is at most a quarter of weight times
/// variance) down to a billionth of it; powers of 10 and the numbers half-way between.
std::array<double, kDecays> decay_grid(const FitRows& rows, const Wish& wish) {
  const double curvature =
      rows.weight * (wish.standardize ? 1.0 : std::ranges::max(column_spread(rows).variance));
  const double top = std::isnormal(curvature) ? std::ceil(std::log10(curvature)) : 0.0;
  std::array<double, kDecays> grid{};
  for (std::size_t i = 0; i < kDecays; ++i) {
    const double exponent = top - 0.5 * static_cast<double>(i);
    const double whole = std::floor(exponent);
    const double power = *parse_number("1e" + std::to_string(static_cast<int>(whole)));
    grid[i] = exponent == whole ? power : 3.0 * power;
  }
  return grid;
}

/// Scores of some rows; sparse ones are not spread out, because they may be very wide.
void score_rows(const FitRows& rows, const Start& model, std::size_t first, std::size_t count,
                std::vector<double>& out) {
  const std::size_t classes = rows.classes;
  out.resize(count * classes);
  if (!rows.is_sparse()) {
    const std::vector<double> origin(rows.columns, 0.0);
    kernels::affine_scores(rows.x.data + first * rows.x.stride, count, rows.columns, rows.x.stride,
                           origin.data(), model.coefficients.data(), model.intercepts.data(),
                           classes, out.data());
    return;
  }
  for (std::size_t r = 0; r < count; ++r) {
    double* const scores = out.data() + r * classes;
    std::copy(model.intercepts.begin(), model.intercepts.end(), scores);
    for (std::size_t i = rows.sparse.starts[first + r]; i < rows.sparse.starts[first + r + 1];
         ++i) {
      const double* const theta = model.coefficients.data() + rows.sparse.indices[i] * classes;
      for (std::size_t k = 0; k < classes; ++k) { scores[k] += rows.sparse.values[i] * theta[k]; }
    }
  }
}

/// sum_n w_n -ln p(t_n | x_n).
double loss_of(const FitRows& rows, const Start& model) {
  double loss = 0.0;
  std::vector<double> scores;
  std::vector<double> log_sums;
  for (std::size_t first = 0; first < rows.rows; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows.rows - first);
    log_sums.resize(count);
    score_rows(rows, model, first, count, scores);
    for (std::size_t r = 0; r < count; ++r) {
      const auto truth = static_cast<std::size_t>(rows.labels[first + r]);
      loss -= rows.weight_of(first + r) * scores[r * rows.classes + truth];
    }
    kernels::softmax_rows(scores.data(), count, rows.classes, log_sums.data());
    for (std::size_t r = 0; r < count; ++r) { loss += rows.weight_of(first + r) * log_sums[r]; }
  }
  return loss;
}

Start start_at(const Solution& model, std::size_t classes) {
  Start start{.coefficients = model.coefficients, .intercepts = model.bias};
  for (std::size_t i = 0; i < model.coefficients.size(); ++i) {
    start.intercepts[i % classes] -= model.coefficients[i] * model.center[i / classes];
  }
  return start;
}

class Path {
 public:
  Path(const FitRows& rows, Wish wish, const Context& context)
      : rows_(rows),
        wish_(std::move(wish)),
        context_(context),
        decays_(decay_grid(rows, wish_)),
        folds_(choose::stratified_folds({rows.labels, rows.rows}, rows.classes, kFolds,
                                        context.seed)) {}

  /// Mean held-out log loss by decay.
  [[nodiscard]] std::array<double, kDecays> losses() {
    std::array<double, kDecays> sums{};
    double weight = 0.0;
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
      Copied training;
      Copied held;
      copy_rows(rows_, members(fold, false), training);
      copy_rows(rows_, members(fold, true), held);
      if (held.rows.rows == 0) { continue; }
      weight += held.rows.weight;
      follow(fold, training.rows, held.rows, sums);
    }
    if (weight == 0.0) {
      throw Error(ErrorCode::usage,
                  "--decay auto needs a class of at least two rows; give a number instead, as in "
                  "--decay 0.01");
    }
    for (double& sum : sums) { sum /= weight; }
    return sums;
  }
  [[nodiscard]] const std::array<double, kDecays>& decays() const { return decays_; }

 private:
  [[nodiscard]] std::vector<std::size_t> members(std::size_t fold, bool held) const {
    std::vector<std::size_t> result;
    for (std::size_t r = 0; r < folds_.size(); ++r) {
      if ((folds_[r] == fold) == held) { result.push_back(r); }
    }
    return result;
  }

  void follow(std::size_t fold, const FitRows& training, const FitRows& held,
              std::array<double, kDecays>& sums) {
    const Context silent{.threads = context_.threads, .seed = context_.seed};
    Start start;
    for (std::size_t i = 0; i < kDecays; ++i) {
      if (context_.progress) {
        const auto done = static_cast<double>(fold * kDecays + i);
        context_.progress(
            {.what = "cross-validating", .fraction = done / static_cast<double>(kFolds * kDecays)});
      }
      linear::FitTrace trace(silent);
      wish_.decay = decays_[i];
      start = start_at(solve(training, wish_, start, trace), training.classes);
      sums[i] += loss_of(held, start);
    }
  }

  const FitRows& rows_;
  Wish wish_;
  const Context& context_;
  std::array<double, kDecays> decays_;
  std::vector<std::size_t> folds_;
};

DescriptionTable path_table(const std::array<double, kDecays>& decays,
                            const std::array<double, kDecays>& losses, std::size_t best) {
  DescriptionTable table{"decay: log loss of " + std::to_string(kFolds) + "-fold cross-validation",
                         {"decay", "log loss", ""},
                         {}};
  for (std::size_t i = 0; i < kDecays; ++i) {
    table.rows.push_back({decays[i], losses[i], std::string(i == best ? "taken" : "")});
  }
  return table;
}

void note_end(std::size_t best, const Wish& wish, std::vector<std::string>& notes) {
  if (best == 0) {
    notes.emplace_back(
        "--decay auto took the largest decay that it tries: the columns tell next to nothing about "
        "the classes");
  }
  if (best + 1 == kDecays) {
    notes.push_back(
        std::string("--decay auto took the smallest decay that it tries: no decay helps; ") +
        (wish.standardize ? "--decay 0 gives standard errors"
                          : "if the columns have very different units, add --standardize"));
  }
}

}  // namespace

void settle_decay(const TrainingRows& rows, Options& options, const Schema& schema,
                  const Context& context, FitReport& report) {
  Options settled = options;
  settled.replace("decay", "1");
  const Wish wish = wish_of(settled, context);
  const RowBlock all = rows.view();
  const auto features = linear::Features::fitted(schema, OneHot::full, options.text("basis"), all);
  const Encoded encoded = encode_rows(features, all, schema, rows.weight(), context);
  check_features(encoded.rows, features);
  if (encoded.rows.classes < 2) {
    options.replace("decay", "1e-06");
    return;
  }
  Path path(encoded.rows, wish, context);
  const auto losses = path.losses();
  const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
  report.tables.push_back(path_table(path.decays(), losses, best));
  note_end(best, wish, report.notes);
  options.replace("decay", format_number(path.decays()[best]));
}

}  // namespace logodds::models::softmax
