// logodds._core: the library as Python sees it. Checks of arguments and conveniences are Python's.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "logodds/kernels/level.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace {

const char* exception_name(logodds::ErrorCode code) {
  switch (code) {
    case logodds::ErrorCode::io:
      return "FileError";
    case logodds::ErrorCode::model_file:
      return "ModelFileError";
    case logodds::ErrorCode::numeric:
      return "NumericError";
    default:
      return "LogoddsError";
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const logodds::Error& error) {
    const nb::object type =
        nb::module_::import_("logodds._errors").attr(exception_name(error.code()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(translate);
  module.def("available_levels", &logodds::kernels::available_levels,
             "Vector levels this machine can run, best first.");
  module.def("level", &logodds::kernels::level, "The vector level in use.");
  module.def("set_level", &logodds::kernels::set_level, nb::arg("name"),
             "Use this vector level from now on; empty: the best.");
  logodds::binding::bind_registry(module);
  logodds::binding::bind_given_rows(module);
  logodds::binding::bind_model(module);
  logodds::binding::bind_fit(module);
  logodds::binding::bind_cluster(module);
  logodds::binding::bind_spread(module);
  logodds::binding::bind_moments(module);
  logodds::binding::bind_class_sums(module);
  logodds::binding::bind_column_stream(module);
  logodds::binding::bind_discrete_scores(module);
  logodds::binding::bind_descriptive(module);
  logodds::binding::bind_documents(module);
  logodds::binding::bind_mixture(module);
  logodds::binding::bind_measures(module);
  logodds::binding::bind_choose(module);
  logodds::binding::bind_plot(module);
  logodds::binding::bind_report(module);
}
