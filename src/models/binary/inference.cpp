#include "models/binary/inference.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace logodds::models::binary {

namespace {

using Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using linear::ErrorsAre;

/// How much of its error a decay may move a coefficient.
constexpr double kUnnoticed = 1e-3;
/// Least reciprocal condition of the information, in whitened coordinates.
constexpr double kSingular = 1e-13;

/// (intercept at x = 0, coefficients) = this times beta.
Matrix to_user_units(const Coordinates& coordinates) {
  const auto m = static_cast<Index>(coordinates.size);
  const auto d = static_cast<Index>(coordinates.columns);
  Matrix result(d + 1, m);
  result.bottomRows(d) = Eigen::Map<const Matrix>(coordinates.matrix.data(), d, m);
  const Eigen::Map<const Eigen::RowVectorXd> center(coordinates.center.data(), d);
  result.row(0) = -(center * result.bottomRows(d));
  if (coordinates.intercept) { result(0, m - 1) += 1.0; }
  return result;
}

/// The information of the rows alone: that of the objective less what the decay adds.
Matrix row_information(BinaryObjective& objective, const Eigen::Map<const Matrix>& penalty,
                       const std::vector<double>& beta) {
  Matrix information(penalty.rows(), penalty.cols());
  objective.information(beta, {information.data(), beta.size() * beta.size()});
  return information - 2.0 * penalty;
}

}  // namespace

linear::Inference inference_of(BinaryObjective& objective, const Problem& problem,
                               const Coordinates& coordinates, const optimize::Result& result,
                               double decay) {
  linear::Inference found;
  found.intercept = coordinates.intercept;
  found.identifiable = coordinates.identifiable;
  found.state = ErrorsAre::too_many;
  if (coordinates.columns + 1 > linear::kMostWithErrors) { return found; }
  found.state = ErrorsAre::not_converged;
  if (!result.converged) { return found; }
  found.state = decay > 0.0 ? ErrorsAre::penalized : ErrorsAre::singular;
  const auto m = static_cast<Index>(coordinates.size);
  const Eigen::Map<const Matrix> penalty(problem.penalty.data(), m, m);
  const Eigen::LLT<Matrix, Eigen::Lower> factor(row_information(objective, penalty, result.theta));
  if (m == 0 || factor.info() != Eigen::Success || !(factor.rcond() > kSingular)) { return found; }
  const Matrix user = to_user_units(coordinates);
  const Matrix roots = factor.matrixL().solve(user.transpose());
  const Eigen::Map<const Eigen::VectorXd> beta(result.theta.data(), m);
  const Eigen::VectorXd moved = user * factor.solve(Eigen::VectorXd(2.0 * penalty * beta));
  std::vector<double> errors;
  for (Index i = 0; i <= user.rows() - 1; ++i) {
    errors.push_back(roots.col(i).norm());
    if (decay > 0.0 && !(std::abs(moved(i)) <= kUnnoticed * errors.back())) { return found; }
  }
  found.errors = std::move(errors);
  found.state = decay > 0.0 ? ErrorsAre::barely_decayed : ErrorsAre::of_likelihood;
  return found;
}

}  // namespace logodds::models::binary
