// Which instruction sets the kernels are compiled for; to be included before any Highway header.
//
// Only sets of fixed vector width (transposition relies on it). SSSE3 is left out because SSE4
// processors are older than any this is run on; the fallback target runs kernels::reference.
#pragma once

#include <hwy/detect_compiler_arch.h>

#define LOGODDS_UNUSED (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#ifdef LOGODDS_FEW_TARGETS  // one vector width, and the fallback: a quick build under a sanitizer
#define HWY_DISABLED_TARGETS (LOGODDS_UNUSED | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS LOGODDS_UNUSED
#endif

/// True while the fallback target is being compiled.
#define LOGODDS_PLAIN_TARGET (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
