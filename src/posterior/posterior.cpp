#include "logodds/posterior/posterior.hpp"

#include "kernels/kernels.hpp"

namespace logodds::posterior {

void from_log_scores(std::span<double> scores, std::size_t classes) {
  kernels::softmax_rows(scores.data(), scores.size() / classes, classes, nullptr);
}

}  // namespace logodds::posterior
