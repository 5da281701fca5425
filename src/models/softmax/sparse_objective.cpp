#include "models/softmax/sparse_objective.hpp"

#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"
#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/run.hpp"
#include "models/softmax/sparse_columns.hpp"

namespace logodds::models::softmax {

namespace {

class SparseObjective {
 public:
  SparseObjective(const FitRows& rows, const Wish& wish, std::vector<double> decay,
                  const Whitening& whitening)
      : rows_(rows),
        free_(free_classes(rows.classes)),
        width_(padded_width(free_)),
        intercept_(wish.intercept),
        decay_(std::move(decay)),
        scale_(whitening.scale),
        center_(whitening.center),
        columns_(rows, whitening.scale,
                 [&](std::size_t count, const auto& work) {
                   parallel::run_lanes(rows.threads, count, work);
                 }),
        shares_(columns_.shares(kLanes)),
        table_(rows.columns * width_, 0.0),
        scores_(rows.rows * width_, 0.0) {}

  [[nodiscard]] std::size_t dimension() const {
    return (rows_.columns + (intercept_ ? 1 : 0)) * free_;
  }

  /// Parameters as in SoftmaxObjective.
  double evaluate(std::span<const double> theta, std::span<double> gradient) {
    fill_table(theta);
    const std::vector<double> bias = bias_of(theta);
    multiply_rows();
    std::vector<double> totals;
    double value = residuals_of(rows_, free_, width_, bias, scores_, totals);
    parallel::run_lanes(rows_.threads, kLanes, [&](std::size_t lane) {
      kernels::sparse_product(columns_.part(shares_[lane], shares_[lane + 1]), scores_.data(),
                              width_, table_.data() + shares_[lane] * width_);
    });
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      for (std::size_t k = 0; k < free_; ++k) {
        const double beta = theta[i * free_ + k];
        gradient[i * free_ + k] =
            table_[i * width_ + k] - center_[i] * scale_[i] * totals[k] + 2.0 * decay_[i] * beta;
        value += decay_[i] * beta * beta;
      }
    }
    for (std::size_t k = 0; k < free_ && intercept_; ++k) {
      gradient[rows_.columns * free_ + k] = totals[k];
    }
    return value;
  }

  void batch_gradient(std::span<const double> theta, std::span<const std::uint32_t> batch,
                      std::span<double> gradient) const {
    const std::size_t d = rows_.columns;
    const std::size_t skipped = rows_.classes - free_;
    const std::vector<double> bias = bias_of(theta);
    std::vector<double> p(rows_.classes);
    for (std::size_t c = 0; c < gradient.size(); ++c) {
      gradient[c] = c < d * free_ ? 2.0 * decay_[c / free_] * theta[c] / rows_.weight : 0.0;
    }
    // Per unit of weight, of which a row has weight / rows on average: a row of twice the weight
    // pulls twice as hard, however large the batch.
    const double weight =
        static_cast<double>(batch.size()) * rows_.weight / static_cast<double>(rows_.rows);
    for (const std::uint32_t r : batch) {
      const auto each = [&](const auto& use) {
        for (std::size_t i = rows_.sparse.starts[r]; i < rows_.sparse.starts[r + 1]; ++i) {
          const std::size_t column = rows_.sparse.indices[i];
          use(column * free_, rows_.sparse.values[i] * scale_[column]);
        }
        if (intercept_) { use(d * free_, 1.0); }
      };
      std::fill(p.begin(), p.end(), 0.0);
      each([&](std::size_t at, double x) {
        for (std::size_t k = 0; k < free_; ++k) { p[skipped + k] += x * theta[at + k]; }
      });
      kernels::softmax_rows(p.data(), 1, rows_.classes, nullptr);
      p[static_cast<std::size_t>(rows_.labels[r])] -= 1.0;
      const double w = rows_.weight_of(r) / weight;
      each([&](std::size_t at, double x) {
        for (std::size_t k = 0; k < free_; ++k) { gradient[at + k] += w * x * p[skipped + k]; }
      });
    }
  }

  /// Coefficients in the user's units, D x K, and biases.
  void expand(std::span<const double> theta, Solution& solution) const {
    const std::size_t classes = rows_.classes;
    const std::size_t skipped = classes - free_;
    solution.coefficients.assign(rows_.columns * classes, 0.0);
    solution.bias.assign(classes, 0.0);
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      for (std::size_t k = 0; k < free_; ++k) {
        solution.coefficients[i * classes + skipped + k] = scale_[i] * theta[i * free_ + k];
      }
    }
    const auto bias = bias_of(theta);
    std::copy(bias.begin(), bias.end(),
              solution.bias.begin() + static_cast<std::ptrdiff_t>(skipped));
  }

 private:
  static constexpr std::size_t kLanes = parallel::kMostLanes;

  /// At x = 0; the parameters are those at the center.
  [[nodiscard]] std::vector<double> bias_of(std::span<const double> theta) const {
    std::vector<double> bias(free_, 0.0);
    for (std::size_t k = 0; k < free_ && intercept_; ++k) {
      bias[k] = theta[rows_.columns * free_ + k];
    }
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      if (center_[i] == 0.0) { continue; }
      const double offset = center_[i] * scale_[i];
      for (std::size_t k = 0; k < free_; ++k) { bias[k] -= offset * theta[i * free_ + k]; }
    }
    return bias;
  }

  void fill_table(std::span<const double> theta) {
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      for (std::size_t k = 0; k < width_; ++k) {
        table_[i * width_ + k] = k < free_ ? scale_[i] * theta[i * free_ + k] : 0.0;
      }
    }
  }

  void multiply_rows() {
    constexpr std::size_t kRows = 256;
    const std::size_t blocks = (rows_.rows + kRows - 1) / kRows;
    const SparseRows& x = rows_.sparse;
    parallel::run_lanes(rows_.threads, std::min(blocks, kLanes), [&](std::size_t lane) {
      for (std::size_t b = lane; b < blocks; b += kLanes) {
        const std::size_t begin = b * kRows;
        const std::size_t end = std::min(begin + kRows, rows_.rows);
        kernels::sparse_product({end - begin, x.starts + begin, x.indices, x.values}, table_.data(),
                                width_, scores_.data() + begin * width_);
      }
    });
  }

  const FitRows& rows_;
  std::size_t free_;
  std::size_t width_;
  bool intercept_;
  std::vector<double> decay_;  ///< in units of the parameters
  const std::vector<double>& scale_;
  const std::vector<double>& center_;  ///< 0 without an intercept, and for batches
  ColumnStore columns_;
  std::vector<std::size_t> shares_;
  std::vector<double> table_;   ///< D x width: coefficients, then the gradient
  std::vector<double> scores_;  ///< N x width: scores, then residuals
};

/// Scale 1 / sqrt(E (x - m)^2 + ridge). Values stay where they are, which keeps the zeros: a center
/// m is a change of the bias alone. Batches change few columns, and have none.
Whitening scaled(const FitRows& rows, const Wish& wish, const Penalty& penalty) {
  const ColumnSpread spread = column_spread(rows);
  const bool centered = wish.intercept && wish.optimizer != "sgd";
  Whitening whitening;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    const double mean = spread.mean[i];
    whitening.center.push_back(centered ? mean : 0.0);
    const double size = spread.variance[i] + (centered ? 0.0 : mean * mean) +
                        2.0 * penalty.decay[i] / (kTypicalCurvature * rows.weight);
    whitening.scale.push_back(std::isnormal(size) ? 1.0 / std::sqrt(size) : 1.0);
  }
  return whitening;
}

}  // namespace

Solution solve_sparse(const FitRows& rows, const Wish& wish, const Start& start,
                      linear::FitTrace& trace) {
  const Penalty penalty = penalty_of(rows, wish);
  const Whitening whitening = scaled(rows, wish, penalty);
  SparseObjective objective(rows, wish, whitening.decay(penalty.decay), whitening);
  Task task{
      .dimension = objective.dimension(),
      .rows = rows.rows,
      .weight = rows.weight,
      .evaluate = [&](auto theta, auto gradient) { return objective.evaluate(theta, gradient); },
      .batch = [&](auto theta, auto batch,
                   auto gradient) { objective.batch_gradient(theta, batch, gradient); }};
  if (wish.l1 > 0.0) {
    task.costs = costs_of(penalty.l1, whitening.scale, free_classes(rows.classes), task.dimension);
  }
  auto outcome = run(task, wish, better_start(rows, wish, start, whitening, task.evaluate), trace);
  Solution solution{.center = std::vector<double>(rows.columns, 0.0),
                    .optimizer = outcome.optimizer};
  objective.expand(outcome.result.theta, solution);
  return finished(std::move(solution), outcome.result, rows.classes, wish.l1 == 0.0);
}

}  // namespace logodds::models::softmax
