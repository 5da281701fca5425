// Reading ahead: while a kernel computes on one block of rows, it asks the memory for the next one,
// a few cache lines at every step. Reading and computing then take the time of the longer of the
// two instead of their sum.
#pragma once

#include <algorithm>
#include <cstddef>

namespace logodds::kernels {

inline constexpr std::size_t kLineDoubles = 8;  ///< in a cache line of 64 bytes

/// Cache lines to ask for; ask(i) for i < count takes a single instruction and never waits.
struct Lines {
  const double* first;
  std::size_t step;  ///< doubles; 0 when there is nothing to ask for, which asks for `first` again

  void ask(std::size_t i) const { __builtin_prefetch(first + i * step, 0, 2); }
};

/// What this thread will probably read next, see announce(), less what has been asked for already.
struct Announced {
  const double* next;
  const double* end;

  /// The next `count` lines, for the caller to ask for. `known`: any address in the cache.
  Lines take(std::size_t count, const double* known) {
    const std::size_t doubles = count * kLineDoubles;
    if (static_cast<std::size_t>(end - next) < doubles) { return {known, 0}; }
    const Lines lines{next, kLineDoubles};
    next += doubles;
    return lines;
  }
};

extern constinit thread_local Announced announced;

}  // namespace logodds::kernels
