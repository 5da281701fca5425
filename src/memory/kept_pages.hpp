// Pages that were given back, for the next who asks.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace logodds::memory {

/// Blocks of whole huge pages. The system clears every page that it hands out, and a virtual
/// machine's host has to find one besides, which together takes up to ten times as long as to write
/// it once more: tables that grow, and arrays that follow each other, take what is there.
class KeptPages {
 public:
  /// A block of so many bytes, with whatever was written there; null where there is none.
  [[nodiscard]] void* take(std::size_t bytes);
  /// False when enough is kept already: the block is the caller's still. Blocks that stand beside
  /// each other become one again, so that pieces taken of a large block leave no pieces behind.
  [[nodiscard]] bool keep(void* memory, std::size_t bytes);

 private:
  struct Block {
    char* memory = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20U;

  std::mutex gate_;  ///< guards the others
  std::array<Block, 8> blocks_{};
  std::size_t bytes_ = 0;
};

}  // namespace logodds::memory
