#include "models/softmax/by_rows.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/span_basis.hpp"
#include "models/softmax/span_vectors.hpp"
#include "models/softmax/sparse_objective.hpp"
#include "optimize/line_search.hpp"

namespace logodds::models::softmax {

namespace {

constexpr double kCurvature = 0.05;  // p (1 - p) at a typical p of many classes
/// Biases are curved so many times more, squared, than the coefficients are: they then converge
/// with the others. Of 1, 1.5, 2, 3 this took the fewest steps over four texts and three decays.
constexpr double kBiasStretch = 2.0;
constexpr double kNoise = 1e-10;   // share of |f| below which differences of values mean nothing
constexpr double kFarOff = 100.0;  // E |x|^2 over the variance, from which differences lose digits
constexpr std::size_t kMostSteps = 1000;  // after which another way may get on
constexpr double kRise = 1e-9;            // of |f|: more than doubles round
constexpr std::size_t kMemory = 6;        // pairs
constexpr std::size_t kQuiet = 20;        // steps within rounding after which the work ends
constexpr double kFloatDigits = 1e-3;     // how far a gradient may fall on sums of floats
constexpr std::size_t kFloatSteps = 25;   // after which doubles have a look in any case
// Squares of such, added up and times weights, are far from the largest float, and the smallest.
constexpr double kLargeValue = 1e12;
constexpr double kSmallValue =
    1e-6;  // the largest value of all, and the root of the largest weight

/// Part of a table.
template <class T>
auto slice(const memory::LargeVector<T>& of, std::size_t begin, std::size_t end) {
  return Eigen::Map<const Eigen::ArrayX<T>>(of.data() + begin,
                                            static_cast<Eigen::Index>(end - begin));
}
template <class T>
auto slice(memory::LargeVector<T>& of, std::size_t begin, std::size_t end) {
  return Eigen::Map<Eigen::ArrayX<T>>(of.data() + begin, static_cast<Eigen::Index>(end - begin));
}

/// Sums of blocks, `count` of each, added in their order.
class BlockSums {
 public:
  BlockSums(std::size_t blocks, std::size_t count) : count_(count), parts_(blocks * count, 0.0) {}
  [[nodiscard]] double* of(std::size_t block) { return parts_.data() + block * count_; }
  [[nodiscard]] std::vector<double> total() const {
    std::vector<double> sums(count_, 0.0);
    for (std::size_t i = 0; i < parts_.size(); ++i) { sums[i % count_] += parts_[i]; }
    return sums;
  }

 private:
  std::size_t count_;
  std::vector<double> parts_;
};

/// The objective along the way. With an intercept scores are taken around their mean over the rows,
/// so that biases belong to the mean row and hardly depend on the rest; the a of every vector then
/// sum to 0, and inner products stay what they are. The bias of class k is in units in which it is
/// curved somewhat more than the coefficients are.
///
/// Where the fit is, and the a of its gradient, are doubles; the changes of the gradient are
/// multiplied by X X^T as floats, and added up. Such errors are a share of the largest change, so
/// that both scores are taken anew (refresh) when the gradient has fallen by some digits: those of
/// the fit in doubles, those of the gradient as another change. Before it is believed to be small
/// enough, X^T a is taken in doubles.
///
/// Rows that depend on each other, or that are far off in a direction that all of them share, have
/// an a that does not vanish with X^T a, and whose rounding swamps it. That shows in an objective
/// that has risen, and in steps that lead nowhere; lost() says so.
class ByRows {
 public:
  ByRows(const FitRows& rows, const Wish& wish, const std::vector<double>& scale,
         linear::FitTrace& trace, parallel::Team& team)
      : rows_(rows),
        wish_(wish),
        trace_(trace),
        space_(rows, scale, wish.intercept, team),
        width_(space_.width()) {
    const double ridge = 2.0 * wish.decay / (kTypicalCurvature * rows.weight);
    double spread = 0.0;
    for (const double variance : space_.variances()) {
      units_.push_back(1.0 / std::sqrt(variance + ridge));
      spread += variance;
    }
    const double mean = space_.squares() / static_cast<double>(rows.rows);
    lost_ = mean > kFarOff * spread;
    const auto priors = log_priors(rows);
    for (const double prior : priors) {
      const double share = std::exp(prior) / (priors.size() == 1 ? 1.0 + std::exp(prior) : 1.0);
      const double curvature = std::max(1.0, share * (1.0 - share) * rows.weight);
      bias_units_.push_back(kBiasStretch *
                            std::sqrt((2.0 * wish.decay + kCurvature * mean) / curvature));
    }
    for (std::size_t k = 0; k < space_.free() && wish.intercept; ++k) {
      at_.bias[k] = priors[k] / bias_units_[k];
    }
  }

  optimize::Result run() {
    optimize::Result result;
    const double goal = wish_.tolerance * rows_.weight;
    refresh();
    if (!lost_) { trace_.add({0, value_, norm(), 0.0}); }
    std::size_t quiet = 0;
    const std::size_t most = std::min(wish_.max_iterations, kMostSteps);
    while (largest_ > goal && result.iterations < most && quiet < kQuiet && !lost_) {
      const double before = value_;
      const double step = advance();
      if (step == 0.0) {
        lost_ = basis_.empty();
        if (lost_) { break; }
        basis_.clear();
        refresh();
        continue;
      }
      ++result.iterations;
      trace_.add({result.iterations, value_, norm(), step});
      quiet = before - value_ <= 1e-15 * std::abs(value_) ? quiet + 1 : 0;
      const double fallen = norm() / fresh_;
      if (fallen * largest_ <= goal) {
        refresh_exactly();
      } else if (fallen <= kFloatDigits) {
        refresh();
      }
      if (moved_ && (quiet >= kQuiet || result.iterations % kFloatSteps == 0)) {
        const double last = settled_;
        refresh_exactly();
        if (last - value_ > 1e-13 * std::abs(value_)) { quiet = 0; }
      }
    }
    if (moved_) { refresh_exactly(); }
    result.value = value_;
    result.gradient_norm = largest_;
    result.converged = !lost_ && largest_ <= goal;
    lost_ = !result.converged && result.iterations < wish_.max_iterations;
    return result;
  }

  /// Whether it ended for no good reason.
  [[nodiscard]] bool lost() const { return lost_; }

  /// theta = X^T alpha, D x K in the user's units, and the biases of x = 0. Returns the objective
  /// there, once theta is freed of what all classes have in common.
  double expand(const std::vector<double>& scale, Solution& solution) {
    const std::size_t free = space_.free();
    const std::size_t classes = rows_.classes;
    solution.coefficients.assign(rows_.columns * classes, 0.0);
    solution.bias.assign(classes, 0.0);
    if (moved_) { score_fit(); }
    space_.transpose(at_.a);
    const auto& theta = space_.transposed();
    const std::size_t skipped = classes - free;
    for (std::size_t k = 0; k < free; ++k) {
      solution.bias[skipped + k] = at_.bias[k] * bias_units_[k] - means_[k];
    }
    double squares = 0.0;
    for (std::size_t i = 0; i < rows_.columns; ++i) {
      const double* const of_column = theta.data() + i * width_;
      const double common =
          free > 1 ? std::accumulate(of_column, of_column + free, 0.0) / static_cast<double>(free)
                   : 0.0;
      for (std::size_t k = 0; k < free; ++k) {
        squares += (of_column[k] - common) * (of_column[k] - common);
        solution.coefficients[i * classes + skipped + k] =
            theta[i * width_ + k] * (scale.empty() ? 1.0 : scale[i]);
      }
    }
    return loss_ + wish_.decay * squares;
  }

 private:
  [[nodiscard]] double norm() const { return std::sqrt(std::max(0.0, basis_.square())); }

  /// The loss at `at_` + step d, or at `at_`; leaves the residuals and their sums. `rise`: R . d.
  double evaluate(double step, const SpanStep* d, double& rise) {
    const std::size_t free = space_.free();
    std::vector<double> bias(free);
    for (std::size_t k = 0; k < free; ++k) {
      bias[k] = (at_.bias[k] + (d != nullptr ? step * d->bias[k] : 0.0)) * bias_units_[k];
    }
    BlockSums sums(space_.blocks(), free + 2);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      const std::size_t begin = first * width_;
      const std::size_t end = last * width_;
      auto r = slice(residuals_, begin, end);
      r = slice(std::as_const(at_.scores), begin, end);
      if (d != nullptr) { r += step * slice(d->scores, begin, end).template cast<double>(); }
      double* const to = sums.of(block);
      to[free] = block_of_residuals(rows_, first, last, free, width_, bias, residuals_.data(), to);
      if (d != nullptr) {
        const float* const scores = d->scores.data() + begin;
        kernels::mixed_dots(r.data(), end - begin, &scores, 1, to + free + 1);
      }
    });
    totals_ = sums.total();
    rise = totals_[free + 1];
    for (std::size_t k = 0; k < free && d != nullptr; ++k) {
      rise += totals_[k] * bias_units_[k] * d->bias[k];
    }
    return totals_[free];
  }

  /// a of the gradient, R + 2 eps alpha, R being freed of its sums, for the rows of a block.
  [[nodiscard]] Eigen::ArrayXd gradient_block(std::size_t first, std::size_t last) const {
    const std::size_t begin = first * width_;
    const std::size_t end = last * width_;
    Eigen::ArrayXd a = slice(residuals_, begin, end) + 2.0 * wish_.decay * slice(at_.a, begin, end);
    for (std::size_t r = first; r < last && wish_.intercept; ++r) {
      const double share = rows_.weight_of(r) / rows_.weight;
      for (std::size_t k = 0; k < space_.free(); ++k) {
        a(static_cast<Eigen::Index>(r * width_ + k - begin)) -= share * totals_[k];
      }
    }
    return a;
  }

  [[nodiscard]] double bias_gradient(std::size_t k) const {
    return wish_.intercept ? totals_[k] * bias_units_[k] : 0.0;
  }

  /// The scores of the fit anew.
  void score_fit() {
    space_.transpose(at_.a);
    BlockSums sums(space_.blocks(), width_);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      space_.add_means(at_, first, last, sums.of(block));
    });
    means_ = sums.total();
    space_.for_blocks([&](std::size_t, std::size_t first, std::size_t last) {
      space_.scores_of_block(at_, first, last, means_);
    });
    moved_ = false;
  }

  /// The objective and its gradient, from scores in doubles.
  void refresh() {
    if (moved_) { score_fit(); }
    double rise = 0.0;
    const double loss = evaluate(0.0, nullptr, rise);
    SpanStep copy = basis_.spare(space_);
    BlockSums sums(space_.blocks(), width_ + 1);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      const std::size_t begin = first * width_;
      const std::size_t end = last * width_;
      const Eigen::ArrayXd next = gradient_block(first, last);
      slice(gradient_.a, begin, end) = next;
      slice(gradient_.scores, begin, end) = 0.0;
      slice(copy.a, begin, end) = next.template cast<float>();
      space_.add_means(copy, first, last, sums.of(block));
      sums.of(block)[width_] = (slice(at_.a, begin, end) * slice(at_.scores, begin, end)).sum();
    });
    auto means = sums.total();
    square_ = means.back();
    means.pop_back();
    loss_ = loss;
    value_ = loss + wish_.decay * square_;
    lost_ = lost_ || !(value_ <= settled_ + kRise * std::abs(settled_));
    for (std::size_t k = 0; k < space_.free(); ++k) { gradient_.bias[k] = bias_gradient(k); }
    space_.transpose(copy.a);
    largest_ = largest_with_bias(space_.largest(units_, Digits::single_precision));
    auto all = products(basis_.vectors(), copy, means);
    all.erase(all.end() - 2);  // that with the copy
    basis_.set_gradient(all);
    basis_.give_back(std::move(copy));
    fresh_ = norm();
    settled_ = value_;
  }

  /// And the largest component of the gradient in doubles.
  void refresh_exactly() {
    refresh();
    space_.transpose(gradient_.a);
    largest_ = largest_with_bias(space_.largest(units_, Digits::double_precision));
  }

  /// The largest component of the gradient, in units of the columns' spread.
  [[nodiscard]] double largest_with_bias(double largest) const {
    for (std::size_t k = 0; k < space_.free() && wish_.intercept; ++k) {
      largest = std::max(largest, std::abs(totals_[k]));
    }
    return largest;
  }

  /// The products of the gradient with vectors, with its change y and with itself; the scores of y
  /// are made, and added to the gradient's, on the way.
  std::vector<double> products(std::vector<const SpanStep*> others, SpanStep& y,
                               const std::vector<double>& means) {
    others.push_back(&y);
    BlockSums sums(space_.blocks(), others.size() + 1);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      const std::size_t begin = first * width_;
      const std::size_t end = last * width_;
      space_.scores_of_block(y, first, last, means);
      slice(gradient_.scores, begin, end) += slice(y.scores, begin, end).template cast<double>();
      const auto a = slice(std::as_const(gradient_.a), begin, end);
      double* const to = sums.of(block);
      std::vector<const float*> tables;
      for (const SpanStep* const other : others) { tables.push_back(other->scores.data() + begin); }
      kernels::mixed_dots(a.data(), end - begin, tables.data(), tables.size(), to);
      to[others.size()] = (a * slice(std::as_const(gradient_.scores), begin, end)).sum();
    });
    auto result = sums.total();
    for (std::size_t k = 0; k < space_.free(); ++k) {
      for (std::size_t j = 0; j < others.size(); ++j) {
        result[j] += gradient_.bias[k] * others[j]->bias[k];
      }
      result.back() += gradient_.bias[k] * gradient_.bias[k];
    }
    return result;
  }

  /// d = sum_j factors_j vectors_j + factors_m g; the products <theta, d> and <d, d> of its part in
  /// the span.
  std::pair<double, double> combine(const std::vector<double>& factors, SpanStep& d) {
    const auto vectors = basis_.vectors();
    BlockSums sums(space_.blocks(), 2);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      const std::size_t begin = first * width_;
      const std::size_t end = last * width_;
      auto a = slice(d.a, begin, end);
      auto scores = slice(d.scores, begin, end);
      a = (factors.back() * slice(std::as_const(gradient_.a), begin, end)).template cast<float>();
      scores = (factors.back() * slice(std::as_const(gradient_.scores), begin, end))
                   .template cast<float>();
      for (std::size_t j = 0; j < vectors.size(); ++j) {
        const auto factor = static_cast<float>(factors[j]);
        a += factor * slice(vectors[j]->a, begin, end);
        scores += factor * slice(vectors[j]->scores, begin, end);
      }
      double* const to = sums.of(block);
      const float* const table = scores.data();
      kernels::mixed_dots(at_.a.data() + begin, end - begin, &table, 1, to);
      to[1] = static_cast<double>((a * scores).sum());
    });
    for (std::size_t k = 0; k < space_.free(); ++k) {
      d.bias[k] = factors.back() * gradient_.bias[k];
      for (std::size_t j = 0; j < vectors.size(); ++j) {
        d.bias[k] += factors[j] * vectors[j]->bias[k];
      }
    }
    const auto total = sums.total();
    return {total[0], total[1]};
  }

  /// Goes to `at_` + step d; the change of the gradient's a, and the means of its scores.
  std::vector<double> move(double step, const SpanStep& d, SpanStep& y) {
    moved_ = true;
    BlockSums sums(space_.blocks(), width_);
    space_.for_blocks([&](std::size_t block, std::size_t first, std::size_t last) {
      const std::size_t begin = first * width_;
      const std::size_t end = last * width_;
      auto a = slice(at_.a, begin, end);
      a += step * slice(d.a, begin, end).template cast<double>();
      slice(at_.scores, begin, end) += step * slice(d.scores, begin, end).template cast<double>();
      const Eigen::ArrayXd next = gradient_block(first, last);
      auto old = slice(gradient_.a, begin, end);
      slice(y.a, begin, end) = (next - old).template cast<float>();
      old = next;
      space_.add_means(y, first, last, sums.of(block));
    });
    for (std::size_t k = 0; k < space_.free(); ++k) {
      at_.bias[k] += step * d.bias[k];
      y.bias[k] = bias_gradient(k) - gradient_.bias[k];
      gradient_.bias[k] = bias_gradient(k);
    }
    return sums.total();
  }

  /// One step; 0 when none is accepted.
  double advance() {
    double slope = 0.0;
    const auto factors = basis_.direction(slope);
    if (!(slope < 0.0)) { return 0.0; }
    SpanStep d = basis_.spare(space_);
    const std::pair<double, double> combined = combine(factors, d);
    const double cross = combined.first;
    const double length = combined.second;
    const double eps = wish_.decay;
    const auto line = [&](double step) {
      double rise = 0.0;
      const double loss = evaluate(step, &d, rise);
      return optimize::LinePoint{step,
                                 loss + eps * (square_ + step * (2.0 * cross + step * length)),
                                 rise + 2.0 * eps * (cross + step * length)};
    };
    const double first = basis_.empty() ? 1.0 / (2.0 * eps + 1.0) : 1.0;
    const auto found =
        optimize::search_line(line, {0.0, value_, slope}, first, kNoise * std::abs(value_));
    if (!found) { return 0.0; }
    value_ = found->value;
    square_ += found->step * (2.0 * cross + found->step * length);
    SpanStep y = basis_.spare(space_);
    const auto means = move(found->step, d, y);
    space_.transpose(y.a);
    const auto all = products(basis_.vectors(), y, means);
    basis_.advance(factors, found->step, std::move(d), std::move(y), all);
    return found->step;
  }

  const FitRows& rows_;
  const Wish& wish_;
  linear::FitTrace& trace_;
  SpanSpace space_;
  std::size_t width_;
  SpanVector at_ = space_.zero<double>();
  SpanVector gradient_ = space_.zero<double>();
  SpanBasis basis_{kMemory};
  memory::LargeVector<double> residuals_ = memory::LargeVector<double>(rows_.rows * width_, 0.0);
  std::vector<double> totals_;  ///< of the residuals (F), and two numbers more
  std::vector<double> units_;   ///< 1 / sqrt(variance + ridge), D
  std::vector<double> bias_units_;
  bool lost_ = false;
  std::vector<double> means_ = std::vector<double>(width_);  ///< of the scores of theta
  bool moved_ = false;  ///< since its scores and their means were taken
  double loss_ = 0.0;   ///< at the last refresh
  double value_ = 0.0;
  double square_ = 0.0;   ///< <theta, theta>
  double largest_ = 0.0;  ///< component of the gradient at the last refresh
  double settled_ = std::numeric_limits<double>::infinity();  ///< the objective then
  double fresh_ = 0.0;                                        ///< the gradient's length then
};

}  // namespace

bool fits_by_rows(const FitRows& rows, const Wish& wish) {
  if (!rows.is_sparse() || wish.decay <= 0.0 || rows.rows >= rows.columns) { return false; }
  double largest = 0.0;
  const std::size_t end = rows.sparse.starts[rows.rows];
  for (std::size_t i = rows.sparse.starts[0]; i < end; ++i) {
    largest = std::max(largest, std::abs(rows.sparse.values[i]));
  }
  const double heaviest =
      rows.weights == nullptr ? 1.0 : *std::max_element(rows.weights, rows.weights + rows.rows);
  return largest > kSmallValue && heaviest > kSmallValue * kSmallValue &&
         largest * std::max(1.0, heaviest) < kLargeValue;
}

Solution solve_by_rows(const FitRows& rows, const Wish& wish, linear::FitTrace& trace) {
  std::vector<double> scale;
  if (wish.standardize) {
    for (const double variance : column_spread(rows).variance) {
      scale.push_back(variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0);
    }
  }
  Solution solution{.center = std::vector<double>(rows.columns, 0.0),
                    .optimizer = "lbfgs, in the span of the rows"};
  optimize::Result result;
  bool lost = false;
  parallel::Team::run(rows.threads, [&](parallel::Team& team) {
    ByRows problem(rows, wish, scale, trace, team);
    result = problem.run();
    lost = problem.lost();
    result.value = problem.expand(scale, solution);
  });
  if (!lost) { return finished(std::move(solution), result, rows.classes, true); }
  trace.next_optimizer();
  Wish rest = wish;
  rest.max_iterations -= result.iterations;
  Solution found = solve_sparse(rows, rest, {solution.coefficients, solution.bias}, trace);
  found.iterations += result.iterations;
  if (result.iterations > 0) { found.optimizer = solution.optimizer + ", then " + found.optimizer; }
  return found;
}

}  // namespace logodds::models::softmax
