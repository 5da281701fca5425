#include "draw/cairo_library.hpp"

#include <dlfcn.h>

#include <string>

#include "logodds/error.hpp"

namespace logodds::draw {

namespace {

#ifdef __APPLE__
constexpr const char* kName = "libcairo.2.dylib";
#else
constexpr const char* kName = "libcairo.so.2";
#endif

[[noreturn]] void refuse() {
  throw Error(ErrorCode::io, std::string("PNG and PDF are painted by the library ") + kName +
                                 ", which cannot be loaded; install Cairo, or ask for SVG");
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) { refuse(); }
}

/// Stays loaded: fonts are kept from picture to picture.
CairoLibrary load() {
  void* const library = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) { refuse(); }
  CairoLibrary functions;
#define LOGODDS_CAIRO_FUNCTION(name) find(library, "cairo_" #name, functions.name);
#include "draw/cairo_functions.def"
#undef LOGODDS_CAIRO_FUNCTION
  return functions;
}

}  // namespace

const CairoLibrary& cairo() {
  static const CairoLibrary library = load();
  return library;
}

}  // namespace logodds::draw
