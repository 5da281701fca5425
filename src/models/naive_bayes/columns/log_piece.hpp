// The logarithm of a smooth positive function on an interval, as a polynomial gives it: pieces that
// are made when they are first asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "kernels/bumps.hpp"

namespace logodds::models::naive_bayes::columns {

/// ln f(v) = base + (slope + curve v) v + ln P(v) for v in [-1, 1]. P is near 1, and of degree 15:
/// f without its trend is what a polynomial follows to the last digits, relative to f itself.
class LogPiece {
 public:
  /// No polynomial follows the function.
  LogPiece() = default;
  /// From f at `places()`, where f is the bump exp(curve v^2) times a sum of exponentials
  /// w exp(k v), w > 0, whose k lie within 6 of each other. Not usable where f is no normal
  /// positive number, or where a polynomial of this degree is wrong by more than 2^-50.
  LogPiece(const kernels::BumpPlaces& f, double curve);

  /// Chebyshev's: cos((i + 1/2) pi / 16).
  [[nodiscard]] static const kernels::BumpPlaces& places();

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] double operator()(double v) const;

 private:
  bool usable_ = false;
  double base_ = 0.0;
  double slope_ = 0.0;
  double curve_ = 0.0;
  kernels::BumpPlaces coefficients_{};  ///< of P, ascending powers
};

/// Pieces by number, each a function of its number alone: which thread asks first does not matter.
class LazyPieces {
 public:
  LazyPieces() = default;
  explicit LazyPieces(std::size_t count) : slots_(std::make_unique<Slot[]>(count)) {}

  /// make(): the piece of this number.
  template <class Make>
  [[nodiscard]] const LogPiece& at(std::size_t number, const Make& make) const {
    const LogPiece* piece = slots_[number].piece.load(std::memory_order_acquire);
    return piece != nullptr ? *piece : keep(number, std::make_unique<const LogPiece>(make()));
  }

 private:
  struct Slot {
    Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { const std::unique_ptr<const LogPiece> owned(piece.load(std::memory_order_relaxed)); }
    std::atomic<const LogPiece*> piece{nullptr};
  };

  [[nodiscard]] const LogPiece& keep(std::size_t number,
                                     std::unique_ptr<const LogPiece> made) const;

  std::unique_ptr<Slot[]> slots_;
};

}  // namespace logodds::models::naive_bayes::columns
