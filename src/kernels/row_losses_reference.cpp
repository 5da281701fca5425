#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/reference.hpp"
#include "kernels/row_losses.hpp"

namespace logodds::kernels::reference {

bool row_losses(const double* scores, std::size_t n, std::size_t k, const std::int32_t* truths,
                const RowLosses& out) {
  std::vector<double> row(k);
  for (std::size_t r = 0; r < n; ++r) {
    std::copy_n(scores + r * k, k, row.begin());
    const bool numbers = std::ranges::none_of(row, [](double a) { return std::isnan(a); });
    if (!numbers || !std::isfinite(*std::ranges::max_element(row))) { return false; }
    softmax_rows(row.data(), 1, k, nullptr);
    const auto truth = static_cast<std::size_t>(truths[r]);
    const auto decided = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    out.own[r] = row[truth];
    out.log_loss[r] = -std::log(std::max(row[truth], std::numeric_limits<double>::min()));
    out.wrong[r] = decided == truth ? 0.0 : 1.0;
    row[truth] -= 1.0;
    out.brier[r] = 0.0;
    for (const double off : row) { out.brier[r] += off * off; }
  }
  return true;
}

}  // namespace logodds::kernels::reference
