// Arrays in one piece of memory.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

#include "memory/large_array.hpp"

namespace logodds::memory {

/// Arrays that are made together and go together: one piece of memory, so that short ones stand in
/// huge pages, too. Each begins at a multiple of 64 bytes; elements mean nothing until they are
/// set.
class Pool {
 public:
  Pool() = default;
  explicit Pool(std::size_t bytes) : memory_(LargeArray<std::byte>::for_overwrite(bytes)) {}

  /// What an array of so many elements takes of the bytes.
  template <class T>
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t count) {
    return (count * sizeof(T) + kLine - 1) / kLine * kLine;
  }

  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    assert(used_ + bytes_for<T>(count) <= memory_.size());
    T* const first = reinterpret_cast<T*>(memory_.data() + used_);
    used_ += bytes_for<T>(count);
    return {first, count};
  }

 private:
  static constexpr std::size_t kLine = 64;

  LargeArray<std::byte> memory_;
  std::size_t used_ = 0;
};

}  // namespace logodds::memory
