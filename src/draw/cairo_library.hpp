// The functions of Cairo, found when the first picture is painted: with the libraries of fonts and
// windows that it needs, loading it takes longer than many a command runs.
#pragma once

#include <cairo-pdf.h>
#include <cairo.h>

namespace logodds::draw {

/// Named as in Cairo, without its prefix.
struct CairoLibrary {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a member cannot stand in them
#define LOGODDS_CAIRO_FUNCTION(name) decltype(&::cairo_##name) name = nullptr;
#include "draw/cairo_functions.def"
#undef LOGODDS_CAIRO_FUNCTION
};

/// Throws Error(io) where the library, or a function in it, is not there.
[[nodiscard]] const CairoLibrary& cairo();

}  // namespace logodds::draw
