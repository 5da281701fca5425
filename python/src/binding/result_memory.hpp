// Memory for results that are about to be written from end to end.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace logodds::binding {

/// Uninitialised memory. A large one is in huge pages, because a fault for every 4 KiB of a new
/// array takes longer than its posteriors; and the last large one that was let go is kept for the
/// next, marked as free for the system to take back (so it is no leak, though it counts as
/// resident until then).
class ResultMemory {
 public:
  explicit ResultMemory(std::size_t bytes);
  ResultMemory(ResultMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  ResultMemory(const ResultMemory&) = delete;
  ResultMemory& operator=(const ResultMemory&) = delete;
  ResultMemory& operator=(ResultMemory&&) = delete;
  ~ResultMemory();

  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  std::size_t size_;
};

/// An array over `memory`, which it then owns.
template <class Array>
Array array_over(ResultMemory memory, std::initializer_list<std::size_t> shape) {
  void* const data = memory.as<void>();
  const nanobind::capsule owner(new ResultMemory(std::move(memory)), [](void* owned) noexcept {
    delete static_cast<ResultMemory*>(owned);
  });
  return {data, shape, owner};
}

}  // namespace logodds::binding
