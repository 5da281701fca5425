#include "memory/kept_pages.hpp"

namespace logodds::memory {

/// The smallest that suffices; what is left of it stays.
void* KeptPages::take(std::size_t bytes) {
  const std::lock_guard lock(gate_);
  Block* best = nullptr;
  for (Block& block : blocks_) {
    if (block.bytes < bytes || block.bytes == 0) { continue; }
    if (best == nullptr || block.bytes < best->bytes) { best = &block; }
  }
  if (best == nullptr) { return nullptr; }
  best->bytes -= bytes;
  bytes_ -= bytes;
  return best->memory + best->bytes;
}

bool KeptPages::keep(void* memory, std::size_t bytes) {
  const std::lock_guard lock(gate_);
  if (bytes_ + bytes > kMostBytes) { return false; }
  Block whole{static_cast<char*>(memory), bytes};
  for (Block& block : blocks_) {
    const bool before = block.bytes > 0 && block.memory + block.bytes == whole.memory;
    const bool behind = block.bytes > 0 && whole.memory + whole.bytes == block.memory;
    if (!before && !behind) { continue; }
    whole = {before ? block.memory : whole.memory, whole.bytes + block.bytes};
    block = {};
  }
  for (Block& block : blocks_) {
    if (block.bytes > 0) { continue; }
    block = whole;
    bytes_ += bytes;
    return true;
  }
  return false;
}

}  // namespace logodds::memory
