#include "memory/kept_pages.hpp"

namespace logodds::memory {

/// Of the smallest that suffices; what is left of it stays.
void* KeptPages::take(std::size_t bytes) {
  const std::lock_guard lock(gate_);
  Piece* best = nullptr;
  for (Piece& piece : pieces_) {
    if (piece.bytes < bytes || piece.bytes == 0) { continue; }
    if (best == nullptr || piece.bytes < best->bytes) { best = &piece; }
  }
  if (best == nullptr) { return nullptr; }
  best->bytes -= bytes;
  bytes_ -= bytes;
  return best->memory + best->bytes;
}

bool KeptPages::keep(void* memory, std::size_t bytes) {
  const std::lock_guard lock(gate_);
  if (bytes_ + bytes > kMostBytes) { return false; }
  Piece whole{static_cast<char*>(memory), bytes};
  Piece* place = nullptr;
  for (Piece& piece : pieces_) {
    const bool before = piece.bytes > 0 && piece.memory + piece.bytes == whole.memory;
    const bool behind = piece.bytes > 0 && whole.memory + whole.bytes == piece.memory;
    if (before || behind) {
      whole = {before ? piece.memory : whole.memory, piece.bytes + whole.bytes};
      piece.bytes = 0;
    }
    if (piece.bytes == 0) { place = &piece; }
  }
  if (place == nullptr) { return false; }
  *place = whole;
  bytes_ += bytes;
  return true;
}

}  // namespace logodds::memory
