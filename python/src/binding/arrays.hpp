// NumPy arrays that own what a vector held.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace logodds::binding {

using Numbers = nanobind::ndarray<nanobind::numpy, double>;
using Codes = nanobind::ndarray<nanobind::numpy, std::int32_t, nanobind::ndim<1>>;

/// An array of type `Array` and this shape over memory that is filled in.
template <class Array, class T>
Array owning_array(std::unique_ptr<T[]> values, const std::vector<std::size_t>& shape) {
  T* const data = values.get();
  const nanobind::capsule owner(values.release(),
                                [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
  return Array(data, shape.size(), shape.data(), owner);
}

/// The same over the memory of a vector.
template <class Array, class T>
Array owning_array(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const nanobind::capsule owner(
      owned.release(), [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  return Array(data, shape.size(), shape.data(), owner);
}

}  // namespace logodds::binding
