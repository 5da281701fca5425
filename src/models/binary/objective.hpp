// Minus the log-likelihood of a two-class model with a link, plus a quadratic penalty.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/binary/links.hpp"

namespace logodds::models::binary {

/// Rows in the optimiser's coordinates. The row arrays belong to the caller.
struct Problem {
  Link link = Link::logit;
  std::size_t rows = 0;
  std::size_t columns = 0;  ///< M
  std::vector<double> z{};  ///< rows x M row-major; the intercept is a column of ones
  const std::int32_t* labels = nullptr;
  const double* weights = nullptr;  ///< null: all 1
  std::vector<double> penalty{};    ///< M x M, symmetric
  int threads = 1;
};

/// sum_n w_n loss(z_n . beta, label_n) + beta . penalty . beta. Convex. Rows are summed in fixed
/// blocks and lanes, so every number of threads gives the same bits.
class BinaryObjective {
 public:
  explicit BinaryObjective(const Problem& problem);

  [[nodiscard]] std::size_t dimension() const { return problem_.columns; }
  double evaluate(std::span<const double> beta, std::span<double> gradient);
  /// M x M row-major, lower triangle: second derivatives of the objective.
  void hessian(std::span<const double> beta, std::span<double> out);
  /// The same with the expected curvature of each row: the Fisher information.
  void information(std::span<const double> beta, std::span<double> out);
  /// z_n . beta of every row.
  [[nodiscard]] std::vector<double> linear(std::span<const double> beta) const;

 private:
  struct Lane {
    double value = 0.0;
    std::vector<double> gradient;
    std::vector<double> matrix;
    std::vector<double> eta;
  };
  void etas(std::size_t begin, std::size_t end, std::span<const double> beta,
            std::vector<double>& out) const;
  void run(const std::function<void(Lane&, std::size_t, std::size_t)>& block);
  void second_order(std::span<const double> beta, std::span<double> out, bool expected);

  const Problem& problem_;
  std::vector<double> zeros_;
  std::vector<Lane> lanes_;
};

}  // namespace logodds::models::binary
