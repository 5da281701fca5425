// Which instruction sets the kernels are compiled for; to be included before any Highway header.
//
// Only sets of fixed vector width (transposition relies on it). SSSE3 is left out because SSE4
// processors are older than any this is run on; the fallback target runs kernels::reference.
#pragma once

#include <hwy/detect_compiler_arch.h>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

/// True while the fallback target is being compiled.
#define LOGODDS_PLAIN_TARGET (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
