// Models of a grid whose covariances have axes in common, scored together.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/common_axes.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/joint_runs.hpp"

namespace logodds::models::gaussian {

namespace {

// Covariances are diagonal in the same axes W, z = W (x - mu), wherever they are sums of the same
// two: what a ridge, a share of shrinkage, or LAMBDA or GAMMA alone makes of one. Then z is found
// once a row, and every model costs D products instead of D^2 / 2. Whether they are is not read
// from the options but measured, so that scores are those of the models by themselves to 1e-12 of
// the squared distance.

/// Two models do not pay: the axes are a full matrix, their factors triangles.
constexpr std::size_t kLeastModels = 3;
/// Of a correlation along the axes: what is left of 1e-9 in a posterior when a squared distance has
/// three digits before the point.
constexpr double kDiagonal = 1e-12;
/// The same for axes from two neighbors of a grid, which may differ by little.
constexpr double kNearlyDiagonal = 1e-8;

Eigen::Map<const Matrix> lower_of(const CholeskyFactor& factor) {
  return matrix_view(factor.lower.data(), factor.size, factor.size);
}

/// W with W A W^T and W B W^T diagonal, for the covariances A and B: with A + B = L L^T in units of
/// its diagonal, W = Q^T L^-1 and Q the eigenvectors of L^-1 A L^-T. Nothing where A + B is so near
/// to a singular matrix that L^-1 costs digits.
std::optional<Matrix> axes_of(const CholeskyFactor& first, const CholeskyFactor& last) {
  constexpr double kMostInverse = 1e6;  // trace of (A + B)^-1
  const Matrix a = lower_of(first) * lower_of(first).transpose();
  const Matrix sum = a + lower_of(last) * lower_of(last).transpose();
  const Vector scale = sum.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Matrix> llt(scale.asDiagonal() * sum * scale.asDiagonal());
  if (llt.info() != Eigen::Success) { return {}; }
  Matrix inverse = Matrix::Identity(sum.rows(), sum.cols());
  llt.matrixL().solveInPlace(inverse);
  if (!(inverse.squaredNorm() <= kMostInverse)) { return {}; }
  inverse = inverse * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(inverse * a * inverse.transpose());
  if (eigen.info() != Eigen::Success) { return {}; }
  return eigen.eigenvectors().transpose() * inverse;
}

/// The variances of W x under a covariance; nothing where these are correlated.
std::optional<Vector> variances_along(const Matrix& axes, const CholeskyFactor& factor,
                                      double tolerance) {
  const Matrix turned = axes * lower_of(factor).triangularView<Eigen::Lower>();
  Matrix sigma = turned * turned.transpose();
  Vector variances = sigma.diagonal();
  const Vector scale = variances.cwiseSqrt().cwiseInverse();
  sigma.diagonal().setZero();
  const double correlated = (scale.asDiagonal() * sigma * scale.asDiagonal()).norm();
  if (!(correlated <= tolerance)) { return {}; }
  return variances;
}

/// Models in the axes of the first and the last of them.
class CommonAxesScores final : public JointScores {
 public:
  /// Null where these are not the axes of all between.
  static std::unique_ptr<CommonAxesScores> of(Models models) {
    auto scores = std::unique_ptr<CommonAxesScores>(new CommonAxesScores(models));
    return scores->turn(models) ? std::move(scores) : nullptr;
  }

  void log_scores(const RowBlock& block, std::span<double> out) const override {
    std::vector<double> scratch;
    const DesignRows rows = design_.encode(block, scratch);
    kernels::common_axes_scores(rows.data, rows.rows, rows.stride, models(rows), out.data());
  }

  [[nodiscard]] bool losses(const RowBlock& block, std::span<const std::int32_t> truths,
                            const kernels::RowLosses& out) const override {
    std::vector<double> scratch;
    const DesignRows rows = design_.encode(block, scratch);
    return kernels::common_axes_losses(rows.data, rows.rows, rows.stride, models(rows),
                                       truths.data(), out);
  }

 private:
  explicit CommonAxesScores(Models models)
      : models_(models.size()),
        design_(models.front()->design()),
        means_(models.front()->densities().means) {
    const std::size_t d = models.front()->densities().size;
    axes_.resize(means_.size() * d);
    halves_.resize(means_.size() * models_);
    bias_.resize(means_.size() / d * models_);
  }

  [[nodiscard]] kernels::CommonAxes models(const DesignRows& rows) const {
    return {.d = rows.columns,
            .k = means_.size() / rows.columns,
            .m = models_,
            .means = means_.data(),
            .axes = axes_.data(),
            .halves = halves_.data(),
            .bias = bias_.data()};
  }

  bool turn(Models models) {
    const Densities& first = models.front()->densities();
    for (std::size_t g = 0; g < first.factors.size(); ++g) {
      const auto axes = axes_of(first.factors[g], models.back()->densities().factors[g]);
      if (!axes) { return false; }
      for (std::size_t p = 0; p < models.size(); ++p) {
        const auto variances = variances_along(*axes, models[p]->densities().factors[g], kDiagonal);
        if (!variances) { return false; }
        set_model(p, models[p]->densities(), g, *variances);
      }
      for (std::size_t k = 0; k < first.classes(); ++k) {
        if (first.covariance_of[k] != g) { continue; }
        matrix_view(axes_.data() + k * first.size * first.size, first.size, first.size) =
            axes->transpose();
      }
    }
    return true;
  }

  /// Of the classes with covariance g.
  void set_model(std::size_t p, const Densities& densities, std::size_t g,
                 const Vector& variances) {
    const std::size_t d = densities.size;
    for (std::size_t k = 0; k < densities.classes(); ++k) {
      if (densities.covariance_of[k] != g) { continue; }
      for (std::size_t t = 0; t < d; ++t) {
        halves_[(k * d + t) * models_ + p] = -0.5 / variances(index(t));
      }
      bias_[k * models_ + p] =
          -0.5 * densities.factors[g].log_determinant + densities.log_priors[k];
    }
  }

  std::size_t models_;
  Design design_;
  std::vector<double> means_;  ///< these and the next as kernels::CommonAxes has them
  std::vector<double> axes_;
  std::vector<double> halves_;
  std::vector<double> bias_;
};

/// How many models, from the first on, have the axes of the first two.
std::size_t run_length(Models models) {
  const Densities& first = models.front()->densities();
  std::vector<Matrix> axes;
  for (std::size_t g = 0; models.size() > 1 && g < first.factors.size(); ++g) {
    auto found = axes_of(first.factors[g], models[1]->densities().factors[g]);
    if (!found) { return 1; }
    axes.push_back(std::move(*found));
  }
  std::size_t length = 1;
  for (; length < models.size(); ++length) {
    for (std::size_t g = 0; g < axes.size(); ++g) {
      const CholeskyFactor& factor = models[length]->densities().factors[g];
      if (!variances_along(axes[g], factor, kNearlyDiagonal)) { return length; }
    }
  }
  return length;
}

}  // namespace

void find_common_axes(Models models, std::size_t first, std::vector<JointRun>& runs) {
  if (models.size() < kLeastModels) { return; }
  if (auto all = CommonAxesScores::of(models)) {
    runs.push_back({first, models.size(), std::move(all)});
    return;
  }
  for (std::size_t begin = 0; begin + kLeastModels <= models.size();) {
    const std::size_t length = run_length(models.subspan(begin));
    if (length >= kLeastModels) {
      auto some = CommonAxesScores::of(models.subspan(begin, length));
      if (some) { runs.push_back({first + begin, length, std::move(some)}); }
    }
    begin += length;
  }
}

}  // namespace logodds::models::gaussian
