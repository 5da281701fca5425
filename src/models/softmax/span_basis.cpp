#include "models/softmax/span_basis.hpp"

#include <limits>
#include <utility>

namespace logodds::models::softmax {

namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

std::vector<const SpanStep*> SpanBasis::vectors() const {
  std::vector<const SpanStep*> all;
  for (const Pair& pair : pairs_) { all.push_back(&pair.direction); }
  for (const Pair& pair : pairs_) { all.push_back(&pair.change); }
  return all;
}

void SpanBasis::clear() {
  for (Pair& pair : pairs_) {
    spare_.push_back(std::move(pair.direction));
    spare_.push_back(std::move(pair.change));
  }
  pairs_.clear();
  gram_.setConstant(1, 1, square());
}

void SpanBasis::set_gradient(const std::vector<double>& products) {
  gram_.rightCols<1>() = vector_of(products);
  gram_.bottomRows<1>() = vector_of(products).transpose();
}

/// With s_i = t_i d_i the usual two loops: t_i falls out of alpha_i, and s_i beta_i = d_i y_i r /
/// (d_i y_i).
std::vector<double> SpanBasis::direction(double& slope) const {
  const auto m = static_cast<Eigen::Index>(pairs_.size());
  Eigen::VectorXd d = Eigen::VectorXd::Zero(2 * m + 1);
  d(2 * m) = -1.0;
  Eigen::VectorXd alpha(m);
  for (Eigen::Index i = m; i-- > 0;) {
    alpha(i) = gram_.row(i).dot(d) / gram_(i, m + i);
    d(m + i) -= alpha(i);
  }
  if (m > 0) { d *= pairs_.back().step * gram_(m - 1, 2 * m - 1) / gram_(2 * m - 1, 2 * m - 1); }
  for (Eigen::Index i = 0; i < m; ++i) {
    d(i) += pairs_[static_cast<std::size_t>(i)].step * alpha(i) -
            gram_.row(m + i).dot(d) / gram_(i, m + i);
  }
  slope = gram_.row(2 * m).dot(d);
  return {d.data(), d.data() + d.size()};
}

SpanStep SpanBasis::spare(const SpanSpace& space) {
  if (spare_.empty()) { return space.zero<float>(); }
  SpanStep one = std::move(spare_.back());
  spare_.pop_back();
  return one;
}

void SpanBasis::advance(const std::vector<double>& factors, double step, SpanStep direction,
                        SpanStep change, const std::vector<double>& products) {
  // Over the old vectors, the old gradient and the new one, whose product is |g|^2 - g y.
  const Eigen::Index old = gram_.rows();
  const auto m = static_cast<Eigen::Index>(pairs_.size());
  Eigen::MatrixXd all(old + 1, old + 1);
  all.topLeftCorner(old, old) = gram_;
  Eigen::VectorXd last = vector_of(products);
  last(old - 1) = last(old) - last(old - 1);
  all.rightCols<1>() = last;
  all.bottomRows<1>() = last.transpose();
  Eigen::VectorXd d_row = Eigen::VectorXd::Zero(old + 1);
  d_row.head(old) = vector_of(factors);
  Eigen::VectorXd y_row = Eigen::VectorXd::Zero(old + 1);
  y_row(old) = 1.0;
  y_row(old - 1) = -1.0;
  const double curvature = step * d_row.dot(all * y_row);
  const double length = y_row.dot(all * y_row);
  pairs_.push_back({std::move(direction), std::move(change), step});
  const bool usable = curvature > std::numeric_limits<double>::epsilon() * length;
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(2 * (m + 1) + 1, old + 1);
  map.topLeftCorner(m, m).setIdentity();
  map.row(m) = d_row;
  map.block(m + 1, m, m, m).setIdentity();
  map.row(2 * m + 1) = y_row;
  map(2 * m + 2, old) = 1.0;
  gram_ = map * all * map.transpose();
  if (!usable) {
    drop(pairs_.size() - 1);
  } else if (pairs_.size() > memory_) {
    drop(0);
  }
}

void SpanBasis::drop(std::size_t pair) {
  const auto m = static_cast<Eigen::Index>(pairs_.size());
  const auto out = static_cast<Eigen::Index>(pair);
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < 2 * m + 1; ++i) {
    if (i != out && i != m + out) { kept.push_back(i); }
  }
  gram_ = Eigen::MatrixXd(gram_(kept, kept));
  const auto at = pairs_.begin() + static_cast<std::ptrdiff_t>(pair);
  spare_.push_back(std::move(at->direction));
  spare_.push_back(std::move(at->change));
  pairs_.erase(at);
}

}  // namespace logodds::models::softmax
