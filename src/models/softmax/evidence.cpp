#include <algorithm>

#include "models/softmax/softmax.hpp"

namespace logodds::models::softmax {

void SoftmaxDiscriminant::contributions(const RowBlock& block, std::span<const std::int32_t> first,
                                        std::span<const std::int32_t> second, std::span<double> out,
                                        std::span<double> base) const {
  std::vector<double> scratch;
  const DesignRows rows = design_.encode(block, scratch);
  const std::size_t classes = labels_.size();
  std::ranges::fill(out, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto a = static_cast<std::size_t>(first[r]);
    const auto b = static_cast<std::size_t>(second[r]);
    const double* const x = rows.data + r * rows.stride;
    base[r] = bias_[a] - bias_[b];
    for (std::size_t i = 0; i < rows.columns; ++i) {
      const double* const theta = coefficients_.data() + i * classes;
      out[r * parts_.names.size() + parts_.of_design[i]] +=
          (theta[a] - theta[b]) * (x[i] - center_[i]);
    }
  }
}

}  // namespace logodds::models::softmax
