// The directions of L-BFGS over vectors in the span of the rows.
#pragma once

#include <Eigen/Core>
#include <deque>
#include <utility>
#include <vector>

#include "models/softmax/span_vectors.hpp"

namespace logodds::models::softmax {

/// From inner products alone (Chen, Wang and Zhou 2014): with the basis d_1 ... d_m, y_1 ... y_m, g
/// of past directions, changes of the gradient and the gradient all that is needed are the products
/// within it. The step along d_i was steps_i d_i.
class SpanBasis {
 public:
  explicit SpanBasis(std::size_t memory) : memory_(memory) {}

  /// d_1 ... d_m, y_1 ... y_m.
  [[nodiscard]] std::vector<const SpanStep*> vectors() const;
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear();
  /// |g|^2
  [[nodiscard]] double square() const { return gram_(gram_.rows() - 1, gram_.rows() - 1); }
  /// The products of another gradient with vectors() and with itself.
  void set_gradient(const std::vector<double>& products);

  /// The factors of -H g over vectors() and g; its slope.
  [[nodiscard]] std::vector<double> direction(double& slope) const;

  /// Memory for a vector, and back.
  [[nodiscard]] SpanStep spare(const SpanSpace& space);
  void give_back(SpanStep spare) { spare_.push_back(std::move(spare)); }
  /// Takes a direction, of these factors, the step along it, and the change of the gradient;
  /// `products` of the gradient at its end are those with vectors(), with the change, and |g|^2.
  void advance(const std::vector<double>& factors, double step, SpanStep direction, SpanStep change,
               const std::vector<double>& products);

 private:
  struct Pair {
    SpanStep direction;
    SpanStep change;
    double step;
  };

  void drop(std::size_t pair);

  std::size_t memory_;
  std::deque<Pair> pairs_;
  std::vector<SpanStep> spare_;
  Eigen::MatrixXd gram_ = Eigen::MatrixXd::Zero(1, 1);
};

}  // namespace logodds::models::softmax
