// Taking rows out of moments again: the update of Chan, Golub & LeVeque (1983) solved for the part
// that stays, with a check that what stays can be moments of anything.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds {

namespace {

constexpr double kWeightTolerance = 1e-12;  // of the weight before: sums of weights are rounded

std::string column_name(const DesignColumn& column, const Schema& schema) {
  std::size_t position = 0;
  for (const auto& candidate : schema.columns) {
    if (candidate.coded() != (column.level >= 0)) { continue; }
    if (position++ != column.position) { continue; }
    return column.level < 0
               ? candidate.name
               : candidate.name + "=" + candidate.levels[static_cast<std::size_t>(column.level)];
  }
  return {};
}

/// "class 'a', column 'x': "; rows that are of no class have one without a name.
std::string place(const Schema& schema, std::size_t k, const std::string& column = "") {
  std::string text = schema.labels[k].empty() ? "" : "class '" + schema.labels[k] + "'";
  if (!column.empty()) { text += (text.empty() ? "column '" : ", column '") + column + "'"; }
  return text.empty() ? "" : text + ": ";
}

[[noreturn]] void refuse(const Schema& schema, std::size_t k, const std::string& why) {
  throw Error(ErrorCode::input,
              place(schema, k) + why +
                  ", so these rows were not all among those of the model; forget only rows that it "
                  "was trained on");
}

[[noreturn]] void refuse_lost(const Schema& schema, std::size_t k, const std::string& column) {
  throw Error(
      ErrorCode::input,
      place(schema, k, column) +
          "the rows to be forgotten are so far from the others, or so heavy, that what they "
          "leave is lost in rounding; train on the remaining rows instead");
}

/// The least eigenvalue of the scatter in units of the scales, of the columns whose scale is not 0.
double least_eigenvalue(const ClassMoments& moments, std::size_t k,
                        const std::vector<double>& scales) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (scales[i] > 0.0) { kept.push_back(i); }
  }
  const auto d = static_cast<Eigen::Index>(kept.size());
  if (d == 0) { return 0.0; }
  Eigen::MatrixXd scaled(d, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const std::size_t a = kept[static_cast<std::size_t>(i)];
      const std::size_t b = kept[static_cast<std::size_t>(j)];
      scaled(i, j) = moments.scatter(k, a, b) / (scales[a] * scales[b]);
    }
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly)
      .eigenvalues()(0);
}

}  // namespace

void ClassMoments::unmerge(const ClassMoments& other, const Schema& schema) {
  for (std::size_t k = 0; k < other.classes(); ++k) {
    if (other.weights_[k] > 0.0) { unmerge_class(k, other, schema); }
  }
}

void ClassMoments::clear_class(std::size_t k) {
  const auto begin = [](std::vector<double>& values, std::size_t at) {
    return values.begin() + static_cast<std::ptrdiff_t>(at);
  };
  weights_[k] = 0.0;
  std::fill_n(begin(means_, k * columns_.size()), columns_.size(), 0.0);
  std::fill_n(begin(second_moments_, k * second_size()), second_size(), 0.0);
}

/// S - S_o - factor delta delta^T.
void ClassMoments::subtract_scatter(std::size_t k, const ClassMoments& other,
                                    const std::vector<double>& delta, double factor) {
  const std::size_t d = columns_.size();
  double* const second = second_moments_.data() + k * second_size();
  const double* const gone = other.second_moments_.data() + k * second_size();
  if (second_ == SecondMoments::diagonal) {
    for (std::size_t i = 0; i < d; ++i) { second[i] -= gone[i] + factor * delta[i] * delta[i]; }
    return;
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      second[i * d + j] -= gone[i * d + j] + factor * delta[i] * delta[j];
    }
  }
}

void ClassMoments::unmerge_class(std::size_t k, const ClassMoments& other, const Schema& schema) {
  const std::size_t d = columns_.size();
  const double before = weights_[k];
  const double gone = other.weights_[k];
  double left = before - gone;
  if (left < -kWeightTolerance * before) {
    refuse(schema, k,
           "a weight of " + format_number(gone) + " is to be forgotten, and there is only " +
               format_number(before));
  }
  if (left <= kWeightTolerance * before) { left = 0.0; }
  std::vector<double> delta(d);  // from the mean that stays to the mean that goes
  std::vector<double> scales(d);
  std::vector<double> tolerances(d);
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < d; ++i) {
    const double step = other.mean(k, i) - mean(k, i);
    const double rounding = 4.0 * kEpsilon * std::abs(mean(k, i));
    delta[i] = left > 0.0 ? step * (before / left) : step;
    scales[i] = std::sqrt(scatter(k, i, i));
    tolerances[i] = kUnmergeTolerance * scatter(k, i, i) +
                    2.0 * gone * rounding * (rounding + std::abs(delta[i]));
  }
  subtract_scatter(k, other, delta, left * (gone / before));
  check_spread(k, other, schema, {left, scales, tolerances});
  if (left == 0.0) { return clear_class(k); }
  drop_rounding(k, tolerances);
  for (std::size_t i = 0; i < d; ++i) {
    double& mean = means_[k * d + i];
    const double size = std::abs(mean) + scales[i] / std::sqrt(before);
    mean -= (gone / before) * delta[i];
    if (std::abs(mean) < kUnmergeTolerance * size) { mean = 0.0; }  // what is left of a 0
  }
  weights_[k] = left;
}

/// Rows that were never there leave a spread that no rows have. The doubt is larger than the stated
/// error, because rows forgotten earlier have left rounding of their own size.
void ClassMoments::check_spread(std::size_t k, const ClassMoments& other, const Schema& schema,
                                const Remainder& rest) const {
  constexpr double kDoubt = 1e-6;
  constexpr double kRounding = 1e-14;  // of a sum of squares
  constexpr double kLost = 1e-4;       // of a variance, in all classes together
  const std::size_t d = columns_.size();
  for (std::size_t i = 0; i < d; ++i) {
    const double variance = scatter(k, i, i);
    const double before = rest.scales[i] * rest.scales[i];
    const double means = std::abs(mean(k, i)) + std::abs(other.mean(k, i));
    const double off = std::abs(other.mean(k, i) - mean(k, i));
    const bool moved = off > kDoubt * (means + rest.scales[i] / std::sqrt(weights_[k]));
    const double doubt = kDoubt * before + 1e3 * rest.tolerances[i];
    if (rest.weight > 0.0 &&
        kRounding * before / rest.weight > kLost * pooled_variance(i, k, rest)) {
      refuse_lost(schema, k, column_name(columns_[i], schema));
    }
    if (variance < -doubt || (rest.weight == 0.0 && (moved || variance > doubt))) {
      refuse(schema, k,
             "without them the spread of column '" + column_name(columns_[i], schema) +
                 "' would not be that of any rows");
    }
  }
  if (rest.weight > 0.0 && second_ == SecondMoments::full &&
      least_eigenvalue(*this, k, rest.scales) < -kDoubt) {
    refuse(schema, k, "without them the covariance would not be positive semi-definite");
  }
}

/// Over all classes, with what is rounding in class k left out; infinite where nothing varies, of
/// which nothing can be lost.
double ClassMoments::pooled_variance(std::size_t i, std::size_t k, const Remainder& rest) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < classes(); ++c) {
    const double square = scatter(c, i, i);
    sum += c == k && square <= rest.tolerances[i] ? 0.0 : square;
  }
  const double left = weight() - weights_[k] + rest.weight;
  return sum > 0.0 ? sum / left : std::numeric_limits<double>::infinity();
}

/// What is less than the rounding is 0, in the whole row and column.
void ClassMoments::drop_rounding(std::size_t k, const std::vector<double>& tolerances) {
  const std::size_t d = columns_.size();
  const bool full = second_ == SecondMoments::full;
  for (std::size_t i = 0; i < d; ++i) {
    if (scatter(k, i, i) > tolerances[i]) { continue; }
    for (std::size_t j = 0; full && j < d; ++j) {
      second_moments_[k * d * d + std::max(i, j) * d + std::min(i, j)] = 0.0;
    }
    if (!full) { second_moments_[k * d + i] = 0.0; }
  }
}

}  // namespace logodds
