#include "models/softmax/inference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

namespace logodds::models::softmax {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using linear::ErrorsAre;
using linear::Identifiability;
using Index = Eigen::Index;

/// Multiply-adds that errors under a decay, which nobody may want, are worth.
constexpr double kLittleWork = 1e8;
/// How much of its error a decay may move a coefficient.
constexpr double kUnnoticed = 1e-3;

bool unpenalized(const Wish& wish) { return wish.decay == 0.0 && wish.l1 == 0.0; }

/// The derivative of the decay by phi_k for a standardised column: 2 eps s_i theta_ik, theta in
/// the user's units. For three classes and more theta_k = phi_k - mean phi, and what the mean adds
/// sums to 0.
Vector decay_gradient(const FitRows& rows, const Wish& wish, const Scores& at,
                      const Identifiability& columns, std::size_t m) {
  const std::size_t classes = rows.classes;
  Vector gradient = Vector::Zero(static_cast<Index>(m * (classes - 1)));
  for (std::size_t i = 0; i < columns.kept.size(); ++i) {
    const std::size_t c = columns.kept[i];
    const double unit = wish.standardize ? 1.0 / columns.scale[c] : columns.scale[c];
    for (std::size_t k = 1; k < classes; ++k) {
      const double first = classes == 2 ? at.coefficients[c * classes] : 0.0;
      gradient(static_cast<Index>((k - 1) * m + i)) =
          2.0 * wish.decay * unit * (at.coefficients[c * classes + k] - first);
    }
  }
  return gradient;
}

/// False where a first-order step off the decay moves a coefficient noticeably.
bool barely_decayed(const Matrix& covariance, const Vector& gradient) {
  const Vector moved = covariance * gradient;
  for (Index i = 0; i < moved.size(); ++i) {
    if (!(std::abs(moved(i)) <= kUnnoticed * std::sqrt(covariance(i, i)))) { return false; }
  }
  return true;
}

/// The inverse, or nothing for a matrix that is singular to rounding.
bool invert(const Curvature& at, Matrix& covariance) {
  const auto p = static_cast<Index>(at.gradient.size());
  if (p == 0) { return false; }
  const Eigen::Map<const Matrix> information(at.information.data(), p, p);
  const Vector diagonal = information.diagonal();
  if (!(diagonal.minCoeff() > 0.0) || !diagonal.allFinite()) { return false; }
  const Vector scale = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Matrix> factor(scale.asDiagonal() * information * scale.asDiagonal());
  if (factor.info() != Eigen::Success || !(factor.rcond() > 1e-15)) { return false; }
  covariance = scale.asDiagonal() * factor.solve(Matrix::Identity(p, p)) * scale.asDiagonal();
  return covariance.allFinite();
}

/// Var of theta_0 = b - sum_i s_i c_i beta_i for one class, from its block of the covariance.
double intercept_variance(const Matrix& covariance, const Identifiability& columns, Index begin) {
  const auto m = static_cast<Index>(columns.kept.size()) + 1;
  Vector weights(m);
  for (Index i = 0; i + 1 < m; ++i) {
    const std::size_t c = columns.kept[static_cast<std::size_t>(i)];
    weights(i) = -columns.scale[c] * columns.center[c];
  }
  weights(m - 1) = 1.0;
  return weights.dot(covariance.block(begin, begin, m, m) * weights);
}

std::vector<double> errors_of(const FitRows& rows, const Matrix& covariance,
                              const Identifiability& columns, bool intercept, bool trade) {
  const std::size_t free = rows.classes - 1;
  const std::size_t m = columns.kept.size() + (intercept ? 1 : 0);
  const auto unknown = columns.involved();
  std::vector<double> errors((rows.columns + 1) * free, Coefficient::kUnknown);
  for (std::size_t k = 0; k < free; ++k) {
    const auto begin = static_cast<Index>(k * m);
    if (intercept && !(trade && unknown.back())) {
      errors[k] = std::sqrt(intercept_variance(covariance, columns, begin));
    }
    for (std::size_t i = 0; i < columns.kept.size(); ++i) {
      const std::size_t c = columns.kept[i];
      if (trade && unknown[c]) { continue; }
      const auto at = begin + static_cast<Index>(i);
      errors[(c + 1) * free + k] = columns.scale[c] * std::sqrt(covariance(at, at));
    }
  }
  return errors;
}

}  // namespace

std::size_t coefficient_count(const FitRows& rows) {
  return (rows.columns + 1) * (rows.classes - 1);
}

bool wants_information(const FitRows& rows, const Wish& wish) {
  return coefficient_count(rows) <= linear::kMostWithErrors && wish.l1 == 0.0 &&
         (wish.decay == 0.0 || curvature_work(rows) <= kLittleWork);
}

namespace {

ErrorsAre state_without(const FitRows& rows, const Wish& wish) {
  if (coefficient_count(rows) > linear::kMostWithErrors) { return ErrorsAre::too_many; }
  if (wish.l1 > 0.0) { return ErrorsAre::penalized; }
  return wants_information(rows, wish) ? ErrorsAre::not_converged : ErrorsAre::too_much_work;
}

}  // namespace

linear::Inference inference(const FitRows& rows, const Wish& wish, const Scores& at,
                            const Identifiability& columns, const Curvature* information) {
  linear::Inference result;
  result.intercept = wish.intercept;
  for (std::size_t i = 0; i < rows.columns; ++i) {
    result.identifiable.push_back(columns.constant[i] ? 0 : 1);
  }
  if (unpenalized(wish)) {
    for (const auto& relation : columns.relations) { result.identifiable[relation.column] = 0; }
  }
  result.state = state_without(rows, wish);
  if (information == nullptr) { return result; }
  result.state = unpenalized(wish) ? ErrorsAre::singular : ErrorsAre::penalized;
  const std::size_t m = information->gradient.size() / (rows.classes - 1);
  Matrix covariance;
  if (!invert(*information, covariance)) { return result; }
  const bool known =
      unpenalized(wish) || barely_decayed(covariance, decay_gradient(rows, wish, at, columns, m));
  if (!known) { return result; }
  result.errors = errors_of(rows, covariance, columns, wish.intercept, !unpenalized(wish));
  result.state = unpenalized(wish) ? ErrorsAre::of_likelihood : ErrorsAre::barely_decayed;
  return result;
}

}  // namespace logodds::models::softmax
