// Arrays of megabytes that are read at random places.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace logodds::memory {

/// Memory at a multiple of 64 bytes; `zero`: all of it is 0. From 64 KiB on it stands in huge pages
/// where the system gives them: a page of 4 KiB has to be faulted in by itself, and the processor
/// remembers the places of a few megabytes of such pages only. Throws std::bad_alloc.
[[nodiscard]] void* allocate(std::size_t bytes, bool zero);
/// What allocate() gave for so many bytes.
void release(void* memory, std::size_t bytes) noexcept;

/// Elements that are 0 in every byte when they are made. The number of them is fixed.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : LargeArray(size, true) {}
  /// Elements that mean nothing until they are set.
  [[nodiscard]] static LargeArray for_overwrite(std::size_t size) { return {size, false}; }
  LargeArray(const LargeArray& other) : LargeArray(other.size_, false) {
    if (size_ > 0) { std::memcpy(data_, other.data_, size_ * sizeof(T)); }
  }
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray other) noexcept {
    swap(other);
    return *this;
  }
  ~LargeArray() {
    if (data_ != nullptr) { release(data_, size_ * sizeof(T)); }
  }
  void swap(LargeArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }

 private:
  LargeArray(std::size_t size, bool zero)
      : data_(size == 0 ? nullptr : static_cast<T*>(allocate(size * sizeof(T), zero))),
        size_(size) {}

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// For vectors that grow: memory as allocate() gives it, and resize() leaves new elements unset.
template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) noexcept {}  // NOLINT: as allocators do

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(memory::allocate(n * sizeof(T), false));
  }
  void deallocate(T* memory, std::size_t n) noexcept { release(memory, n * sizeof(T)); }
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace logodds::memory
