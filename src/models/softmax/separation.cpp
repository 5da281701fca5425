// While the likelihood rises without end along d, its gradient falls like exp(-t) and so does its
// curvature along d: Newton's steps keep a length of order 1 and point along d ever more exactly.
// Where there is a maximum they shrink quadratically.
#include "models/softmax/separation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "models/softmax/columns.hpp"

namespace logodds::models::softmax {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// A Newton step, in standardised columns, that is none: the optimum is reached.
constexpr double kNoStep = 1e-3;
/// The decay of standardised columns, per unit of weight, from whose optimum the search starts.
constexpr double kStartDecay = 1e-7;
constexpr int kMostSteps = 25;

/// -H^-1 g, with 1e-14 of the diagonal added; empty where that is not finite.
Vector newton_step(const Curvature& around) {
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
  Vector step = -(scale.asDiagonal() * factor.solve(Vector(scale.asDiagonal() * gradient)));
  return step.allFinite() ? step : Vector();
}

/// The margins (d_t - d_k) . x of all rows: the least, the largest, their sum by pair.
struct Margins {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  std::vector<double> sums;  ///< K x K

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

  /// The optimum under a decay that is hardly there; where the classes are separable, so far out
  /// that what is left of the likelihood is small.
  [[nodiscard]] Scores start() const {
    const Context silent{.threads = rows_.threads};
    linear::FitTrace trace(silent);
    auto solution = solve(
        rows_, {.decay = kStartDecay * rows_.weight, .standardize = true, .intercept = intercept_},
        {}, trace);
    return {std::move(solution.center), std::move(solution.coefficients), std::move(solution.bias)};
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

/// The center of the step may be another.
void add(Scores& scores, const Scores& step) {
  const std::size_t classes = scores.bias.size();
  for (std::size_t i = 0; i < scores.coefficients.size(); ++i) {
    const double moved = scores.center[i / classes] - step.center[i / classes];
    scores.coefficients[i] += step.coefficients[i];
    scores.bias[i % classes] += step.coefficients[i] * moved;
  }
  for (std::size_t k = 0; k < classes; ++k) { scores.bias[k] += step.bias[k]; }
}

}  // namespace

std::optional<linear::SeparatingDirection> find_separation(const FitRows& rows, const Scores& at,
                                                           const linear::Identifiability& columns,
                                                           bool intercept, bool converged,
                                                           const Curvature& around,
                                                           const std::vector<std::string>& labels) {
  if (around.gradient.empty()) { return {}; }
  const Search search(rows, columns, intercept);
  const Vector first = newton_step(around);
  if (converged && first.size() > 0 && first.cwiseAbs().maxCoeff() < kNoStep) { return {}; }
  const auto complete = margins(rows, at);
  if (complete.least > 0.0) { return named(at, complete, search.deviations(), labels); }
  Scores scores = search.start();
  for (int i = 0; i < kMostSteps; ++i) {
    const Vector step = newton_step(curvature(rows, scores, columns, intercept));
    if (step.size() == 0 || step.cwiseAbs().maxCoeff() < kNoStep) { return {}; }
    const Scores direction = search.as_scores(step);
    const auto found = margins(rows, direction);
    if (found.largest > 0.0 && found.least >= -kLevel * found.largest) {
      return named(direction, found, search.deviations(), labels);
    }
    add(scores, direction);
  }
  return {};
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
