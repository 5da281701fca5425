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
constexpr std::size_t kMostKept = std::size_t{256} << 20U;

/// The one large piece that is kept.
struct Spare {
  std::mutex gate;
  void* data = nullptr;
  std::size_t size = 0;

  /// Leaves what was there before, for the caller to free.
  void* put(void* piece, std::size_t bytes) {
    const std::lock_guard lock(gate);
    size = bytes;
    return std::exchange(data, piece);
  }
  void* take(std::size_t bytes) {
    const std::lock_guard lock(gate);
    return size == bytes ? std::exchange(data, nullptr) : nullptr;
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
#ifdef MADV_FREE
  if (data_ != nullptr && size_ >= kLarge && size_ <= kMostKept &&
      madvise(data_, size_, MADV_FREE) == 0) {
    data_ = spare().put(data_, size_);
  }
#endif
  std::free(data_);
}

}  // namespace logodds::binding
