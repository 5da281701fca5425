// Memory for results that are about to be written from end to end.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace logodds::binding {

/// Uninitialised memory. The system clears every page of a new array, which takes as long as the
/// posteriors do; so the last large piece that was let go, up to 128 MiB, is kept for the next
/// result, and new ones are in huge pages.
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
