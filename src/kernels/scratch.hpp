// Working memory of a kernel call, aligned for the widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace logodds::kernels {

class Scratch {
 public:
  explicit Scratch(std::size_t doubles)
      : storage_(std::make_unique_for_overwrite<double[]>(doubles + kAlignment)) {}

  /// `doubles` uninitialised values, the first at a multiple of 64 bytes.
  [[nodiscard]] double* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.get()) / sizeof(double);
    return storage_.get() + (kAlignment - address % kAlignment) % kAlignment;
  }

 private:
  static constexpr std::size_t kAlignment = 8;  // doubles
  std::unique_ptr<double[]> storage_;
};

}  // namespace logodds::kernels
