#include "models/naive_bayes/columns/log_piece.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logodds::models::naive_bayes::columns {

namespace {

constexpr std::size_t kOrder = kernels::kBumpPlaces;
/// Of the last two coefficients. Those of w exp(k v) are 2 w I_m(k), and I_16 is less than 0.04
/// I_14 for k up to 6: all that are left out together are less than 2^-50.
constexpr double kMostLeft = 0x1p-46;
using Square = std::array<kernels::BumpPlaces, kOrder>;

/// T_m at the places: cos(m (i + 1/2) pi / 16), with the angle reduced to less than a turn.
Square polynomials_at_places() {
  Square values;
  for (std::size_t m = 0; m < kOrder; ++m) {
    for (std::size_t i = 0; i < kOrder; ++i) {
      const std::size_t halves = m * (2 * i + 1) % (4 * kOrder);
      values[m][i] = std::cos(static_cast<double>(halves) * std::numbers::pi /
                              static_cast<double>(2 * kOrder));
    }
  }
  return values;
}

/// Coefficients of T_m by powers: T_m = 2 v T_(m-1) - T_(m-2).
Square powers_of_polynomials() {
  Square powers{};
  powers[0][0] = 1.0;
  powers[1][1] = 1.0;
  for (std::size_t m = 2; m < kOrder; ++m) {
    for (std::size_t p = 0; p < kOrder; ++p) {
      powers[m][p] = (p > 0 ? 2.0 * powers[m - 1][p - 1] : 0.0) - powers[m - 2][p];
    }
  }
  return powers;
}

/// c_m of sum_m c_m T_m, which has the values `f` at the places.
kernels::BumpPlaces chebyshev_coefficients(const kernels::BumpPlaces& f) {
  static const Square polynomials = polynomials_at_places();
  kernels::BumpPlaces coefficients{};
  for (std::size_t m = 0; m < kOrder; ++m) {
    for (std::size_t i = 0; i < kOrder; ++i) { coefficients[m] += f[i] * polynomials[m][i]; }
    coefficients[m] *= (m == 0 ? 1.0 : 2.0) / static_cast<double>(kOrder);
  }
  return coefficients;
}

}  // namespace

const kernels::BumpPlaces& LogPiece::places() {
  static const kernels::BumpPlaces places = polynomials_at_places()[1];
  return places;
}

LogPiece::LogPiece(const kernels::BumpPlaces& f, double curve) : curve_(curve) {
  static const Square powers = powers_of_polynomials();
  const auto [least, most] = std::ranges::minmax(f);
  if (!(least >= 1e-300 && most <= 1e300)) { return; }
  const kernels::BumpPlaces& v = places();
  base_ = std::log(f[kOrder / 2]);
  slope_ = std::log(f.front() / f.back()) / (v.front() - v.back());
  kernels::BumpPlaces rest;
  for (std::size_t i = 0; i < kOrder; ++i) {
    rest[i] = f[i] / f[kOrder / 2] * std::exp(-(slope_ + curve_ * v[i]) * v[i]);
  }
  const kernels::BumpPlaces chebyshev = chebyshev_coefficients(rest);
  const double left = std::fabs(chebyshev[kOrder - 2]) + std::fabs(chebyshev[kOrder - 1]);
  usable_ = left <= kMostLeft * *std::ranges::min_element(rest);
  for (std::size_t m = 0; m < kOrder; ++m) {
    for (std::size_t p = 0; p < kOrder; ++p) { coefficients_[p] += chebyshev[m] * powers[m][p]; }
  }
}

/// Even and odd powers in two chains.
double LogPiece::operator()(double v) const {
  const double square = v * v;
  double even = coefficients_[kOrder - 2];
  double odd = coefficients_[kOrder - 1];
  for (std::size_t p = kOrder - 2; p >= 2; p -= 2) {
    even = even * square + coefficients_[p - 2];
    odd = odd * square + coefficients_[p - 1];
  }
  return base_ + ((slope_ + curve_ * v) * v + std::log(even + odd * v));
}

/// Where another thread was first, its piece is taken, which is the same.
const LogPiece& LazyPieces::keep(std::size_t number, std::unique_ptr<const LogPiece> made) const {
  const LogPiece* first = nullptr;
  const bool mine = slots_[number].piece.compare_exchange_strong(
      first, made.get(), std::memory_order_acq_rel, std::memory_order_acquire);
  return mine ? *made.release() : *first;
}

}  // namespace logodds::models::naive_bayes::columns
