// Arrow streams out of Python capsules.
#pragma once

#include <nanobind/nanobind.h>

#include "logodds/data/arrow_source.hpp"

namespace logodds::binding {

/// The batches of the stream in the capsule that an object's __arrow_c_stream__() returns. The
/// producer may be written in Python, so it is asked without the GIL and takes it when it must.
[[nodiscard]] inline ArrowTable arrow_table(const nanobind::object& capsule) {
  void* const stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (stream == nullptr) { throw nanobind::python_error(); }
  const nanobind::gil_scoped_release no_gil;
  return ArrowTable(*static_cast<ArrowArrayStream*>(stream));
}

}  // namespace logodds::binding
