#include "result_memory.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace logodds::binding {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kLarge = 2 * kHugePage;
constexpr std::size_t kMostKept = std::size_t{128} << 20U;

/// The one large piece that is kept.
struct Spare {
  std::mutex gate;
  void* data = nullptr;
  std::size_t size = 0;

  /// Gives back what was there before, for the caller to free.
  void* put(void* piece, std::size_t bytes) {
    const std::lock_guard lock(gate);
    size = bytes;
    return std::exchange(data, piece);
  }
  /// The piece, unless it is too small or far too large; `bytes` becomes its size.
  void* take(std::size_t& bytes) {
    const std::lock_guard lock(gate);
    if (data == nullptr || size < bytes || size / 2 > bytes) { return nullptr; }
    bytes = size;
    return std::exchange(data, nullptr);
  }
};

Spare& spare() {
  static Spare piece;
  return piece;
}

}  // namespace

ResultMemory::ResultMemory(std::size_t bytes) {
  const std::size_t unit = bytes >= kLarge ? kHugePage : 64;
  size_ = (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
  data_ = size_ >= kLarge ? spare().take(size_) : nullptr;
  if (data_ != nullptr) { return; }
  data_ = std::aligned_alloc(unit, size_);
  if (data_ == nullptr) { throw std::bad_alloc(); }
#ifdef MADV_HUGEPAGE
  if (size_ >= kLarge) { madvise(data_, size_, MADV_HUGEPAGE); }
#endif
}

ResultMemory::~ResultMemory() {
  const bool kept = data_ != nullptr && size_ >= kLarge && size_ <= kMostKept;
  std::free(kept ? spare().put(data_, size_) : data_);
}

}  // namespace logodds::binding
