// While the likelihood rises without end along d, a decay holds the coefficients about ln(1 /
// decay) d away from where they would be: between the optima of two decays lies a multiple of d,
// next to nothing of which is due to the rest. Where there is a maximum these optima end in it.
//
// Weights make no difference to whether there is one, but to how soon it shows: the search is one
// of rows without weights.
#include "models/softmax/separation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "models/softmax/columns.hpp"

namespace logodds::models::softmax {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// The change of scores by a step that is none: the optimum is reached.
constexpr double kNoStep = 1e-3;
/// That by a decay a hundred times smaller when the coefficients grow without end: ln 100, or more
/// where some rows are farther off than others.
constexpr double kGrowing = 4.0;
/// The share of the change before that it then is at least; on the way to an optimum a hundredth.
constexpr double kSteady = 0.5;
/// The least pivot of the curvature, as a share of the diagonal, that tells a small Newton step
/// from one that rounding has made small.
constexpr double kSafePivot = 1e-8;
/// What is asked of the gradient where Newton's method does not make it nothing: the decays have to
/// show in it.
constexpr double kExact = 1e-13;
/// Of standardised columns, per unit of weight.
constexpr std::array kDecays = {1e-5, 1e-7, 1e-9, 1e-11, 1e-13};

struct NewtonStep {
  Vector step;               ///< -H^-1 g, with 1e-14 of the diagonal added; or empty
  double least_pivot = 0.0;  ///< as a share of the diagonal
};

NewtonStep newton_step(const Curvature& around) {
  const auto p = static_cast<Index>(around.gradient.size());
  const Eigen::Map<const Matrix> information(around.information.data(), p, p);
  const Eigen::Map<const Vector> gradient(around.gradient.data(), p);
  const Vector diagonal = information.diagonal();
  if (!diagonal.allFinite() || !(diagonal.minCoeff() > 0.0)) { return {}; }
  const Vector scale = diagonal.cwiseSqrt().cwiseInverse();
  Matrix scaled = scale.asDiagonal() * information * scale.asDiagonal();
  scaled.diagonal().array() += 1e-14;
  const Eigen::LLT<Matrix> factor(scaled);
  if (factor.info() != Eigen::Success) { return {}; }
  NewtonStep found{-(scale.asDiagonal() * factor.solve(Vector(scale.asDiagonal() * gradient))),
                   factor.matrixLLT().diagonal().cwiseAbs2().minCoeff()};
  return found.step.allFinite() ? found : NewtonStep{};
}

/// The margins (d_t - d_k) . x of all rows: the least, the largest, their sum by pair.
struct Margins {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  std::vector<double> sums;  ///< K x K

  /// The largest change of a margin.
  [[nodiscard]] double size() const { return std::max(largest, -least); }
  /// No row goes to the wrong side, to rounding, and some go to the right one.
  [[nodiscard]] bool separating() const {
    return largest > 0.0 && std::isfinite(largest) && least >= -kLevel * largest;
  }
  void add(const double* scores, std::size_t truth, std::size_t classes) {
    for (std::size_t k = 0; k < classes; ++k) {
      if (k == truth) { continue; }
      const double margin = scores[truth] - scores[k];
      least = std::min(least, margin);
      largest = std::max(largest, margin);
      sums[truth * classes + k] += margin;
    }
  }
};

/// Calls work(row, scores), one row after the other; sparse ones are not spread out.
template <class Work>
void for_each_score(const FitRows& rows, const Scores& direction, const Work& work) {
  const std::size_t classes = rows.classes;
  std::vector<double> scores;
  if (!rows.is_sparse()) {
    view_of(rows).for_blocks([&](std::size_t first, const DesignRows& x) {
      scores.resize(x.rows * classes);
      kernels::affine_scores(x.data, x.rows, x.columns, x.stride, direction.center.data(),
                             direction.coefficients.data(), direction.bias.data(), classes,
                             scores.data());
      for (std::size_t r = 0; r < x.rows; ++r) { work(first + r, scores.data() + r * classes); }
    });
    return;
  }
  std::vector<double> at_zero = direction.bias;
  for (std::size_t i = 0; i < direction.coefficients.size(); ++i) {
    at_zero[i % classes] -= direction.coefficients[i] * direction.center[i / classes];
  }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    scores = at_zero;
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      const double* const theta = direction.coefficients.data() + rows.sparse.indices[i] * classes;
      for (std::size_t k = 0; k < classes; ++k) { scores[k] += rows.sparse.values[i] * theta[k]; }
    }
    work(r, scores.data());
  }
}

Margins margins(const FitRows& rows, const Scores& direction) {
  Margins found{.sums = std::vector<double>(rows.classes * rows.classes, 0.0)};
  for_each_score(rows, direction, [&](std::size_t row, const double* scores) {
    found.add(scores, static_cast<std::size_t>(rows.labels[row]), rows.classes);
  });
  return found;
}

/// The pair of classes that the direction tells apart best. `deviations` of the columns, D.
linear::SeparatingDirection named(const Scores& direction, const Margins& found,
                                  const std::vector<double>& deviations,
                                  const std::vector<std::string>& labels) {
  const std::size_t classes = labels.size();
  const auto best =
      static_cast<std::size_t>(std::ranges::max_element(found.sums) - found.sums.begin());
  const std::size_t high = best / classes;
  const std::size_t low = best % classes;
  linear::SeparatingDirection result{.high = labels[high], .low = labels[low], .weights = {}};
  for (std::size_t c = 0; c < deviations.size(); ++c) {
    const double* const theta = direction.coefficients.data() + c * classes;
    result.weights.push_back((theta[high] - theta[low]) * deviations[c]);
  }
  return result;
}

class Search {
 public:
  Search(const FitRows& rows, const linear::Identifiability& columns, bool intercept)
      : rows_(rows),
        columns_(columns),
        intercept_(intercept),
        m_(columns.kept.size() + (intercept ? 1 : 0)) {}

  /// A step as scores: phi to theta, with zeros for the first class.
  [[nodiscard]] Scores as_scores(const Vector& step) const {
    const std::size_t classes = rows_.classes;
    Scores scores{.center = columns_.center,
                  .coefficients = std::vector<double>(rows_.columns * classes, 0.0),
                  .bias = std::vector<double>(classes, 0.0)};
    for (std::size_t k = 1; k < classes; ++k) {
      for (std::size_t i = 0; i < columns_.kept.size(); ++i) {
        const std::size_t c = columns_.kept[i];
        scores.coefficients[c * classes + k] = columns_.scale[c] * at(step, k, i);
      }
      if (intercept_) { scores.bias[k] = at(step, k, columns_.kept.size()); }
    }
    return scores;
  }

  /// Of the columns kept; 0 of the others.
  [[nodiscard]] std::vector<double> deviations() const {
    std::vector<double> result(rows_.columns, 0.0);
    for (const std::size_t c : columns_.kept) { result[c] = 1.0 / columns_.scale[c]; }
    return result;
  }

  /// The optimum under a decay of the standardised columns; `from` is that of another one, or none.
  [[nodiscard]] Solution optimum(double decay, const Solution* from) const {
    Start start;
    if (from != nullptr) {
      start = {from->coefficients, from->bias};
      for (std::size_t i = 0; i < from->coefficients.size(); ++i) {
        start.intercepts[i % rows_.classes] -=
            from->coefficients[i] * from->center[i / rows_.classes];
      }
    }
    const Context silent{.threads = rows_.threads};
    linear::FitTrace trace(silent);
    Wish wish{.decay = decay * rows_.weight, .standardize = true, .intercept = intercept_};
    wish.optimizer = has_hessian(rows_) ? "newton" : "lbfgs";
    if (!has_hessian(rows_)) { wish.tolerance = kExact; }
    return solve(rows_, wish, start, trace);
  }

 private:
  [[nodiscard]] double at(const Vector& step, std::size_t k, std::size_t i) const {
    return step(static_cast<Index>((k - 1) * m_ + i));
  }

  const FitRows& rows_;
  const linear::Identifiability& columns_;
  bool intercept_;
  std::size_t m_;
};

/// b - a, with the center of b.
Scores between(const Solution& a, const Solution& b) {
  Scores result{.center = b.center, .coefficients = b.coefficients, .bias = b.bias};
  const std::size_t classes = b.bias.size();
  for (std::size_t i = 0; i < b.coefficients.size(); ++i) {
    result.coefficients[i] -= a.coefficients[i];
    result.bias[i % classes] -= a.coefficients[i] * (b.center[i / classes] - a.center[i / classes]);
  }
  for (std::size_t k = 0; k < classes; ++k) { result.bias[k] -= a.bias[k]; }
  return result;
}

}  // namespace

std::optional<linear::SeparatingDirection> find_separation(const FitRows& rows, const Scores& at,
                                                           const linear::Identifiability& columns,
                                                           bool intercept, bool converged,
                                                           const Curvature& around,
                                                           const std::vector<std::string>& labels) {
  if (around.gradient.empty()) { return {}; }
  FitRows plain = rows;
  plain.weights = nullptr;
  plain.weight = static_cast<double>(rows.rows);
  const Search search(plain, columns, intercept);
  const auto name = [&](const Scores& direction) {
    return named(direction, margins(plain, direction), search.deviations(), labels);
  };
  const NewtonStep first = newton_step(around);
  if (converged && first.least_pivot > kSafePivot &&
      margins(plain, search.as_scores(first.step)).size() < kNoStep) {
    return {};
  }
  if (margins(plain, at).least > 0.0) { return name(at); }
  std::optional<Solution> last;
  std::optional<linear::SeparatingDirection> nearly;
  double change = 0.0;
  for (const double decay : kDecays) {
    Solution next = search.optimum(decay, last ? &*last : nullptr);
    if (last) {
      const Scores direction = between(*last, next);
      const Margins found = margins(plain, direction);
      if (found.size() < kNoStep) { return {}; }
      nearly = name(direction);
      if (found.separating()) { return nearly; }
      nearly->proven = false;
      if (found.size() < std::max(kGrowing, kSteady * change)) { nearly.reset(); }
      change = found.size();
    }
    last = std::move(next);
  }
  return nearly;
}

std::optional<linear::SeparatingDirection> complete_separation(
    const FitRows& rows, const Scores& at, const std::vector<std::string>& labels) {
  const auto found = margins(rows, at);
  if (!(found.least > 0.0)) { return {}; }
  std::vector<double> deviations = column_spread(rows).variance;
  for (double& variance : deviations) { variance = std::sqrt(std::max(variance, 0.0)); }
  return named(at, found, deviations, labels);
}

}  // namespace logodds::models::softmax
