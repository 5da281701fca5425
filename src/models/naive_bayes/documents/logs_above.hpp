// Logarithms of smoothed counts over those of none.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace logodds::models::naive_bayes {

/// ln((amount + least) / least)
inline double log_above(double amount, double least) {
  const double ratio = amount / least;
  return std::isfinite(ratio) ? std::log1p(ratio) : std::log(amount) - std::log(least);
}

/// log_above() of counts, of which most are small whole numbers.
class LogsAbove {
 public:
  explicit LogsAbove(double least) : least_(least) {
    for (std::size_t n = 0; n < small_.size(); ++n) {
      small_[n] = log_above(static_cast<double>(n), least);
    }
  }
  [[nodiscard]] double operator()(double amount) const {
    const auto n = amount < static_cast<double>(small_.size()) ? static_cast<std::size_t>(amount)
                                                               : small_.size();
    return n < small_.size() && static_cast<double>(n) == amount ? small_[n]
                                                                 : log_above(amount, least_);
  }

 private:
  double least_;
  std::array<double, 64> small_{};
};

}  // namespace logodds::models::naive_bayes
