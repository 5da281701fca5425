#include "models/softmax/by_rows.hpp"

#include <Eigen/Core>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "models/softmax/columns.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/span_vectors.hpp"
#include "optimize/line_search.hpp"

namespace logodds::models::softmax {

namespace {

constexpr double kCurvature = 0.05;  // p (1 - p) at a typical p of many classes
constexpr double kNoise = 1e-10;     // share of |f| below which differences of values mean nothing
constexpr std::size_t kMemory = 8;   // pairs
constexpr std::size_t kQuiet = 20;   // steps within rounding after which the work ends

/// The directions of L-BFGS, from inner products alone (Chen, Wang and Zhou 2014): with the basis
/// s_1 ... s_m, y_1 ... y_m, g all that is needed are the products within it.
class Basis {
 public:
  explicit Basis(SpanVector gradient) : gradient_(std::move(gradient)) {}

  [[nodiscard]] std::vector<const SpanVector*> vectors() const {
    std::vector<const SpanVector*> all;
    for (const auto& s : steps_) { all.push_back(s.get()); }
    for (const auto& y : changes_) { all.push_back(y.get()); }
    all.push_back(&gradient_);
    return all;
  }
  [[nodiscard]] const SpanVector& gradient() const { return gradient_; }
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  void clear() {
    const double last = gram_.rows() > 0 ? gram_(gram_.rows() - 1, gram_.rows() - 1) : 0.0;
    steps_.clear();
    changes_.clear();
    gram_.setConstant(1, 1, last);
  }
  void set_square(double square) { gram_.setConstant(1, 1, square); }
  [[nodiscard]] double square() const { return gram_(gram_.rows() - 1, gram_.rows() - 1); }

  /// Memory for a vector.
  [[nodiscard]] SpanVector spare() { return std::move(*recycled()); }

  /// The factors of -H g, and its slope.
  [[nodiscard]] std::vector<double> direction(double& slope) const {
    const auto m = static_cast<Eigen::Index>(steps_.size());
    Eigen::VectorXd d = Eigen::VectorXd::Zero(2 * m + 1);
    d(2 * m) = -1.0;
    Eigen::VectorXd alpha(m);
    for (Eigen::Index i = m; i-- > 0;) {
      alpha(i) = gram_.row(i).dot(d) / gram_(i, m + i);
      d(m + i) -= alpha(i);
    }
    if (m > 0) { d *= gram_(m - 1, 2 * m - 1) / gram_(2 * m - 1, 2 * m - 1); }
    for (Eigen::Index i = 0; i < m; ++i) {
      d(i) += alpha(i) - gram_.row(m + i).dot(d) / gram_(i, m + i);
    }
    slope = gram_.row(2 * m).dot(d);
    return {d.data(), d.data() + d.size()};
  }

  /// Takes the step and the gradient at its end. `factors` of the direction are over vectors().
  void advance(SpanSpace& space, const std::vector<double>& factors, double step,
               const SpanVector& direction, SpanVector next) {
    const auto old = static_cast<Eigen::Index>(factors.size());
    Eigen::MatrixXd all(old + 1, old + 1);
    all.topLeftCorner(old, old) = gram_;
    auto others = vectors();
    others.push_back(&next);
    const auto products = space.products(next, others);
    for (Eigen::Index j = 0; j <= old; ++j) {
      all(old, j) = all(j, old) = products[static_cast<std::size_t>(j)];
    }
    auto s = recycled();
    auto y = recycled();
    space.combine({step}, {&direction}, *s);
    space.combine({1.0, -1.0}, {&next, &gradient_}, *y);
    Eigen::VectorXd s_row = Eigen::VectorXd::Zero(old + 1);
    for (Eigen::Index j = 0; j < old; ++j) {
      s_row(j) = step * factors[static_cast<std::size_t>(j)];
    }
    Eigen::VectorXd y_row = Eigen::VectorXd::Zero(old + 1);
    y_row(old) = 1.0;
    y_row(old - 1) = -1.0;
    const double curvature = s_row.dot(all * y_row);
    const double length = y_row.dot(all * y_row);
    spare_.push_back(std::make_unique<SpanVector>(std::exchange(gradient_, std::move(next))));
    const bool usable = curvature > std::numeric_limits<double>::epsilon() * length;
    rebuild(all, s_row, y_row, usable, std::move(s), std::move(y));
  }

 private:
  using Owned = std::unique_ptr<SpanVector>;

  Owned recycled() {
    if (spare_.empty()) {
      return std::make_unique<SpanVector>(SpanVector{std::vector<double>(gradient_.a.size()),
                                                     std::vector<double>(gradient_.a.size()),
                                                     std::vector<double>(gradient_.bias.size())});
    }
    Owned one = std::move(spare_.back());
    spare_.pop_back();
    return one;
  }

  void rebuild(const Eigen::MatrixXd& all, const Eigen::VectorXd& s_row,
               const Eigen::VectorXd& y_row, bool usable, Owned s, Owned y) {
    const auto m = static_cast<Eigen::Index>(steps_.size());
    const Eigen::Index dropped = usable && steps_.size() == kMemory ? 1 : 0;
    const Eigen::Index kept = m - dropped;
    const Eigen::Index pairs = kept + (usable ? 1 : 0);
    Eigen::MatrixXd map = Eigen::MatrixXd::Zero(2 * pairs + 1, all.rows());
    for (Eigen::Index i = 0; i < kept; ++i) {
      map(i, dropped + i) = 1.0;
      map(pairs + i, m + dropped + i) = 1.0;
    }
    if (usable) {
      map.row(kept) = s_row;
      map.row(pairs + kept) = y_row;
      steps_.push_back(std::move(s));
      changes_.push_back(std::move(y));
    } else {
      spare_.push_back(std::move(s));
      spare_.push_back(std::move(y));
    }
    if (dropped > 0) {
      spare_.push_back(std::move(steps_.front()));
      spare_.push_back(std::move(changes_.front()));
      steps_.pop_front();
      changes_.pop_front();
    }
    map(2 * pairs, all.rows() - 1) = 1.0;
    gram_ = map * all * map.transpose();
  }

  std::deque<Owned> steps_;
  std::deque<Owned> changes_;
  std::vector<Owned> spare_;
  SpanVector gradient_;
  Eigen::MatrixXd gram_;
};

/// The objective along the way. With an intercept scores are taken around their mean over the rows,
/// so that biases belong to the mean row and hardly depend on the rest; the a of every vector then
/// sum to 0, and inner products stay what they are. The bias of class k is in units in which it is
/// curved about as much as the coefficients are.
class ByRows {
 public:
  ByRows(const FitRows& rows, const Wish& wish, const std::vector<double>& scale,
         linear::FitTrace& trace)
      : rows_(rows), wish_(wish), trace_(trace), space_(rows, scale), at_(space_.zero()) {
    double squares = 0.0;
    const auto x = space_.columns().all();
    for (std::size_t i = 0; i < x.starts[x.columns]; ++i) { squares += x.values[i] * x.values[i]; }
    const double mean = squares / static_cast<double>(rows.rows);
    const auto priors = log_priors(rows);
    for (const double prior : priors) {
      const double share = std::exp(prior) / (priors.size() == 1 ? 1.0 + std::exp(prior) : 1.0);
      const double curvature = std::max(1.0, share * (1.0 - share) * rows.weight);
      bias_units_.push_back(std::sqrt((2.0 * wish.decay + kCurvature * mean) / curvature));
    }
    for (std::size_t k = 0; k < space_.free() && wish.intercept; ++k) {
      at_.bias[k] = priors[k] / bias_units_[k];
    }
  }

  optimize::Result run() {
    residuals_ = at_.scores;
    value_ = evaluate(0.0, nullptr);
    Basis basis(gradient(space_.zero()));
    basis.set_square(space_.products(basis.gradient(), {&basis.gradient()}).front());
    optimize::Result result;
    double norm = std::sqrt(basis.square());
    const double goal = wish_.tolerance * rows_.weight;
    trace_.add({0, value_, norm, 0.0});
    std::size_t quiet = 0;
    while (norm > goal && result.iterations < wish_.max_iterations && quiet < kQuiet) {
      const double before = value_;
      const double step = advance(basis);
      if (step == 0.0) {
        if (basis.empty()) { break; }
        basis.clear();
        continue;
      }
      norm = std::sqrt(std::max(0.0, basis.square()));
      ++result.iterations;
      trace_.add({result.iterations, value_, norm, step});
      quiet = before - value_ <= 1e-15 * std::abs(value_) ? quiet + 1 : 0;
    }
    result.value = value_;
    result.gradient_norm = norm;
    result.converged = norm <= goal || quiet >= kQuiet;
    return result;
  }

  /// theta = X^T alpha, D x K in the user's units, and the biases of x = 0.
  void expand(const std::vector<double>& scale, Solution& solution) {
    const std::size_t width = space_.width();
    const std::size_t free = space_.free();
    const std::size_t classes = rows_.classes;
    std::vector<double> theta(rows_.columns * width);
    kernels::transposed_product(space_.columns().all(), at_.a.data(), width, theta.data());
    solution.coefficients.assign(rows_.columns * classes, 0.0);
    solution.bias.assign(classes, 0.0);
    space_.score(at_);
    const auto means = wish_.intercept ? space_.means(at_.scores) : std::vector<double>(free, 0.0);
    for (std::size_t k = 0; k < free; ++k) {
      const std::size_t to = classes - free + k;
      solution.bias[to] = at_.bias[k] * bias_units_[k] - means[k];
      for (std::size_t i = 0; i < rows_.columns; ++i) {
        solution.coefficients[i * classes + to] =
            theta[i * width + k] * (scale.empty() ? 1.0 : scale[i]);
      }
    }
  }

 private:
  /// Minus the log-likelihood at `at_` + step d; leaves the residuals.
  double evaluate(double step, const SpanVector* d) {
    std::vector<double> bias(space_.free());
    for (std::size_t k = 0; k < bias.size(); ++k) {
      bias[k] = (at_.bias[k] + (d != nullptr ? step * d->bias[k] : 0.0)) * bias_units_[k];
    }
    if (d != nullptr) { space_.add(at_.scores, step, d->scores, residuals_); }
    return residuals_of(rows_, space_.free(), space_.width(), bias, residuals_, totals_);
  }

  /// X^T (R + 2 eps alpha), and the sums of R, which R is freed of.
  SpanVector gradient(SpanVector g) {
    if (wish_.intercept) { space_.take_off(totals_, residuals_); }
    space_.add(residuals_, 2.0 * wish_.decay, at_.a, g.a);
    space_.score(g);
    if (!wish_.intercept) { return g; }
    space_.center(g.scores);
    for (std::size_t k = 0; k < g.bias.size(); ++k) { g.bias[k] = totals_[k] * bias_units_[k]; }
    return g;
  }

  /// One step; 0 when none is accepted.
  double advance(Basis& basis) {
    double slope = 0.0;
    const auto factors = basis.direction(slope);
    if (!(slope < 0.0)) { return 0.0; }
    if (direction_.a.empty()) { direction_ = space_.zero(); }
    space_.combine(factors, basis.vectors(), direction_);
    const double eps = wish_.decay;
    const double square = space_.dot(at_.a, at_.scores);
    const double cross = space_.dot(at_.a, direction_.scores);
    const double length = space_.dot(direction_.a, direction_.scores);
    const auto line = [&](double step) {
      const double loss = evaluate(step, &direction_);
      double rise = space_.dot(residuals_, direction_.scores);
      for (std::size_t k = 0; k < totals_.size(); ++k) {
        rise += totals_[k] * bias_units_[k] * direction_.bias[k];
      }
      return optimize::LinePoint{step, loss + eps * (square + step * (2.0 * cross + step * length)),
                                 rise + 2.0 * eps * (cross + step * length)};
    };
    const double first = basis.empty() ? 1.0 / (2.0 * eps + 1.0) : 1.0;
    const auto found =
        optimize::search_line(line, {0.0, value_, slope}, first, kNoise * std::abs(value_));
    if (!found) { return 0.0; }
    space_.combine({1.0, found->step}, {&at_, &direction_}, next_);
    std::swap(at_, next_);
    value_ = found->value;
    basis.advance(space_, factors, found->step, direction_, gradient(basis.spare()));
    return found->step;
  }

  const FitRows& rows_;
  const Wish& wish_;
  linear::FitTrace& trace_;
  SpanSpace space_;
  SpanVector at_;
  SpanVector next_ = space_.zero();
  SpanVector direction_;
  std::vector<double> residuals_;
  std::vector<double> totals_;
  double value_ = 0.0;
  std::vector<double> bias_units_;
};

}  // namespace

bool fits_by_rows(const FitRows& rows, const Wish& wish) {
  return rows.is_sparse() && wish.decay > 0.0 && rows.rows < rows.columns;
}

Solution solve_by_rows(const FitRows& rows, const Wish& wish, linear::FitTrace& trace) {
  std::vector<double> scale;
  if (wish.standardize) {
    for (const double variance : column_spread(rows).variance) {
      scale.push_back(variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0);
    }
  }
  ByRows problem(rows, wish, scale, trace);
  const auto result = problem.run();
  Solution solution{.center = std::vector<double>(rows.columns, 0.0),
                    .optimizer = "lbfgs, in the span of the rows"};
  problem.expand(scale, solution);
  return finished(std::move(solution), result, rows.classes, true);
}

}  // namespace logodds::models::softmax
