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

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

/// From the system, which hands out zeros; what stands before and behind goes back to it.
void* map_pages(std::size_t bytes) {
  const std::size_t wanted = whole_pages(bytes);
  const std::size_t all = wanted + kHugePage;
  void* const mapped =
      ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) { throw std::bad_alloc(); }
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(first)) % kHugePage;
  if (before > 0) { ::munmap(first, before); }
  ::munmap(first + before + wanted, kHugePage - before);
  static_cast<void>(::madvise(first + before, wanted, MADV_HUGEPAGE));
  return first + before;
}

/// Never destroyed: arrays of static storage may outlive whatever is.
KeptPages& kept_pages() {
  static auto& pages = *new KeptPages;
  return pages;
}

#endif

}  // namespace

void* allocate(std::size_t bytes, bool zero) {
#ifdef __linux__
  if (bytes >= kHugePage) {
    if (bytes > SIZE_MAX - 2 * kHugePage) { throw std::bad_alloc(); }
    void* const kept = kept_pages().take(whole_pages(bytes));
    if (kept == nullptr) { return map_pages(bytes); }
    if (zero) { std::memset(kept, 0, bytes); }
    return kept;
  }
#endif
  void* const memory = ::operator new(bytes, kCacheLine);
  if (zero) { std::memset(memory, 0, bytes); }
  return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
#ifdef __linux__
  if (bytes >= kHugePage) {
    const std::size_t size = whole_pages(bytes);
    if (!kept_pages().keep(memory, size)) { ::munmap(memory, size); }
    return;
  }
#endif
  ::operator delete(memory, kCacheLine);
}

}  // namespace logodds::memory
