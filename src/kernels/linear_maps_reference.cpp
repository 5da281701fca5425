#include <vector>

#include "kernels/linear_maps.hpp"
#include "kernels/reference.hpp"

namespace logodds::kernels::reference {

void linear_maps_scores(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, double* out) {
  const auto [d, k, m, center, coefficients, bias] = maps;
  for (std::size_t p = 0; p < m; ++p) {
    affine_scores(rows, n, d, stride, center, coefficients + p * d * k, bias + p * k, k,
                  out + p * n * k);
  }
}

bool linear_maps_losses(const double* rows, std::size_t n, std::size_t stride,
                        const LinearMaps& maps, const std::int32_t* truths, const RowLosses& out) {
  std::vector<double> scores(maps.m * n * maps.k);
  reference::linear_maps_scores(rows, n, stride, maps, scores.data());
  bool sound = true;
  for (std::size_t p = 0; p < maps.m; ++p) {
    const double* const own = scores.data() + p * n * maps.k;
    sound = reference::row_losses(own, n, maps.k, truths, out.from(p * n)) && sound;
  }
  return sound;
}

}  // namespace logodds::kernels::reference
