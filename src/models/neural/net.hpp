// A net with one hidden layer: its parameters, and what it makes of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/layers.hpp"

namespace logodds::models::neural {

using kernels::Activation;

/// Where the parameters stand in one vector: hidden weights D x H, hidden biases H, output weights
/// H x K, skip weights D x K if there are any, and last the output biases K, which know no decay.
struct Layout {
  std::size_t inputs = 0;   ///< D
  std::size_t hidden = 0;   ///< H
  std::size_t outputs = 0;  ///< K
  bool skip = false;

  [[nodiscard]] std::size_t hidden_bias() const { return inputs * hidden; }
  [[nodiscard]] std::size_t output_weights() const { return hidden_bias() + hidden; }
  [[nodiscard]] std::size_t skip_weights() const { return output_weights() + hidden * outputs; }
  [[nodiscard]] std::size_t output_bias() const {
    return skip_weights() + (skip ? inputs * outputs : 0);
  }
  [[nodiscard]] std::size_t size() const { return output_bias() + outputs; }
};

/// One vector of parameters, seen by its parts.
struct NetView {
  NetView(const Layout& where, const double* parameters, const double* origin);

  Layout layout;
  const double* center;  ///< D: what is taken off the inputs
  const double* hidden_weights;
  const double* hidden_bias;
  const double* output_weights;
  const double* skip_weights;  ///< null when there are none
  const double* output_bias;
};

/// Rows taken at a time: their inputs, units and scores stay in a core's cache.
inline constexpr std::size_t kNetRows = 256;

/// h_n = g(W^T (x_n - center) + b), a_n = V^T h_n + c (+ S^T (x_n - center)): `hidden` is n x H and
/// `scores` n x K, both row-major; `skipped` is working memory. n is at most kNetRows, rows are at
/// rows + r * stride.
void forward(const NetView& net, Activation activation, const double* rows, std::size_t n,
             std::size_t stride, double* hidden, std::vector<double>& skipped, double* scores);

}  // namespace logodds::models::neural
