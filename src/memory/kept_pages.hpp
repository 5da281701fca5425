// Pages that are at hand for the next who asks.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace logodds::memory {

/// Pieces of huge pages: what is left of them, and what was given back. The system clears every
/// page that it hands out, and a virtual machine's host has to find one besides, which together
/// takes up to ten times as long as to write it once more: tables that grow, and arrays that follow
/// each other, take what is there.
class KeptPages {
 public:
  /// A piece of so many bytes, with whatever was written there; null where there is none.
  [[nodiscard]] void* take(std::size_t bytes);
  /// Pieces that touch become one. False when enough is kept already: this one is the caller's
  /// still.
  [[nodiscard]] bool keep(void* memory, std::size_t bytes);

 private:
  struct Piece {
    char* memory = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

  std::mutex gate_;  ///< guards the others
  std::array<Piece, 32> pieces_{};
  std::size_t bytes_ = 0;
};

}  // namespace logodds::memory
