#include "memory/large_array.hpp"

#include <cstdint>
#include <cstring>
#include <new>

#include "memory/kept_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace logodds::memory {

namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr std::size_t kHugePage = std::size_t{2} << 20U;

#ifdef __linux__

constexpr std::size_t kPage = std::size_t{4} << 10U;
/// Shorter arrays come from the heap.
constexpr std::size_t kLeastPiece = std::size_t{64} << 10U;

std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Whole huge pages from the system, which hands out zeros; what stands before and behind goes back
/// to it.
char* map_pages(std::size_t bytes) {
  const std::size_t all = bytes + kHugePage;
  void* const mapped =
      ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) { throw std::bad_alloc(); }
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(first)) % kHugePage;
  if (before > 0) { ::munmap(first, before); }
  ::munmap(first + before + bytes, kHugePage - before);
  static_cast<void>(::madvise(first + before, bytes, MADV_HUGEPAGE));
  return first + before;
}

/// Never destroyed: arrays of static storage may outlive whatever is.
KeptPages& kept_pages() {
  static auto& pages = *new KeptPages;
  return pages;
}

void give_back(char* memory, std::size_t bytes) {
  if (bytes > 0 && !kept_pages().keep(memory, bytes)) { ::munmap(memory, bytes); }
}

/// A piece of huge pages, the rest of which is kept for others.
void* allocate_piece(std::size_t bytes, bool zero) {
  if (bytes > SIZE_MAX - 2 * kHugePage) { throw std::bad_alloc(); }
  const std::size_t piece = rounded_up(bytes, kPage);
  if (void* const kept = kept_pages().take(piece)) {
    if (zero) { std::memset(kept, 0, bytes); }
    return kept;
  }
  const std::size_t mapped = rounded_up(bytes, kHugePage);
  char* const memory = map_pages(mapped);
  give_back(memory + piece, mapped - piece);
  return memory;
}

#endif

}  // namespace

void* allocate(std::size_t bytes, bool zero) {
#ifdef __linux__
  if (bytes >= kLeastPiece) { return allocate_piece(bytes, zero); }
#endif
  void* const memory = ::operator new(bytes, kCacheLine);
  if (zero) { std::memset(memory, 0, bytes); }
  return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
#ifdef __linux__
  if (bytes >= kLeastPiece) {
    return give_back(static_cast<char*>(memory), rounded_up(bytes, kPage));
  }
#endif
  ::operator delete(memory, kCacheLine);
}

}  // namespace logodds::memory
