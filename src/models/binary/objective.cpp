#include "models/binary/objective.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::binary {

BinaryObjective::BinaryObjective(const Problem& problem)
    : problem_(problem), zeros_(problem.columns, 0.0) {
  const std::size_t blocks = (problem.rows + kBlockRows - 1) / kBlockRows;
  lanes_.resize(std::min(lanes_for(problem.columns), std::max<std::size_t>(blocks, 1)));
}

void BinaryObjective::etas(std::size_t begin, std::size_t end, std::span<const double> beta,
                           std::vector<double>& out) const {
  const double bias = 0.0;
  out.resize(end - begin);
  kernels::affine_scores(problem_.z.data() + begin * problem_.columns, end - begin,
                         problem_.columns, problem_.columns, zeros_.data(), beta.data(), &bias, 1,
                         out.data());
}

void BinaryObjective::run(const std::function<void(Lane&, std::size_t, std::size_t)>& block) {
  parallel::run_lanes(problem_.threads, lanes_.size(), [&](std::size_t lane) {
    for (std::size_t begin = lane * kBlockRows; begin < problem_.rows;
         begin += lanes_.size() * kBlockRows) {
      block(lanes_[lane], begin, std::min(begin + kBlockRows, problem_.rows));
    }
  });
}

double BinaryObjective::evaluate(std::span<const double> beta, std::span<double> gradient) {
  const std::size_t m = problem_.columns;
  for (auto& lane : lanes_) {
    lane.value = 0.0;
    lane.gradient.assign(m, 0.0);
  }
  run([&](Lane& lane, std::size_t begin, std::size_t end) {
    etas(begin, end, beta, lane.eta);
    for (std::size_t r = begin; r < end; ++r) {
      const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[r];
      double& eta = lane.eta[r - begin];
      const RowLoss loss = row_loss(problem_.link, eta, problem_.labels[r] == 1);
      lane.value += w * loss.value;
      eta = w * loss.slope;
    }
    kernels::outer_add(problem_.z.data() + begin * m, end - begin, m, m, zeros_.data(),
                       lane.eta.data(), 1, lane.gradient.data());
  });
  double value = 0.0;
  std::ranges::fill(gradient, 0.0);
  for (const auto& lane : lanes_) {
    value += lane.value;
    for (std::size_t i = 0; i < m; ++i) { gradient[i] += lane.gradient[i]; }
  }
  for (std::size_t i = 0; i < m; ++i) {
    double product = 0.0;
    for (std::size_t j = 0; j < m; ++j) { product += problem_.penalty[i * m + j] * beta[j]; }
    value += beta[i] * product;
    gradient[i] += 2.0 * product;
  }
  return value;
}

void BinaryObjective::second_order(std::span<const double> beta, std::span<double> out,
                                   bool expected) {
  const std::size_t m = problem_.columns;
  for (auto& lane : lanes_) { lane.matrix.assign(m * m, 0.0); }
  run([&](Lane& lane, std::size_t begin, std::size_t end) {
    etas(begin, end, beta, lane.eta);
    for (std::size_t r = begin; r < end; ++r) {
      const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[r];
      double& eta = lane.eta[r - begin];
      eta = w * (expected ? binary::information(problem_.link, eta)
                          : row_loss(problem_.link, eta, problem_.labels[r] == 1).curvature);
    }
    kernels::scatter_add(problem_.z.data() + begin * m, end - begin, m, m, lane.eta.data(),
                         lane.matrix.data());
  });
  for (std::size_t i = 0; i < m * m; ++i) { out[i] = 2.0 * problem_.penalty[i]; }
  for (const auto& lane : lanes_) {
    for (std::size_t i = 0; i < m * m; ++i) { out[i] += lane.matrix[i]; }
  }
}

void BinaryObjective::hessian(std::span<const double> beta, std::span<double> out) {
  second_order(beta, out, false);
}

void BinaryObjective::information(std::span<const double> beta, std::span<double> out) {
  second_order(beta, out, true);
}

std::vector<double> BinaryObjective::linear(std::span<const double> beta) const {
  std::vector<double> eta;
  etas(0, problem_.rows, beta, eta);
  return eta;
}

}  // namespace logodds::models::binary
