#include "models/neural/net.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"

namespace logodds::models::neural {

NetView::NetView(const Layout& where, const double* parameters, const double* origin)
    : layout(where),
      center(origin),
      hidden_weights(parameters),
      hidden_bias(parameters + where.hidden_bias()),
      output_weights(parameters + where.output_weights()),
      skip_weights(where.skip ? parameters + where.skip_weights() : nullptr),
      output_bias(parameters + where.output_bias()) {}

void forward(const NetView& net, Activation activation, const double* rows, std::size_t n,
             std::size_t stride, double* hidden, std::vector<double>& skipped, double* scores) {
  const Layout& at = net.layout;
  kernels::affine_scores(rows, n, at.inputs, stride, net.center, net.hidden_weights,
                         net.hidden_bias, at.hidden, hidden);
  kernels::activate(activation, hidden, n * at.hidden);
  const std::size_t count = n * at.outputs;
  skipped.assign(std::max(count, at.hidden) + at.outputs, 0.0);
  kernels::affine_scores(hidden, n, at.hidden, at.hidden, skipped.data(), net.output_weights,
                         net.output_bias, at.outputs, scores);
  if (net.skip_weights == nullptr) { return; }
  const double* const no_bias = skipped.data() + count;  // zeros
  kernels::affine_scores(rows, n, at.inputs, stride, net.center, net.skip_weights, no_bias,
                         at.outputs, skipped.data());
  for (std::size_t i = 0; i < count; ++i) { scores[i] += skipped[i]; }
}

}  // namespace logodds::models::neural
