// Edges of runs, 64 bits at a time. No vectors, but instructions that count bits, which the targets
// with vectors have.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "kernels/runs.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::run_edges;

#else

/// The places of the bits, `at` being that of the first. Eight are written at a time, whether there
/// are so many or not: how many there are cannot be foreseen, and that there are few can.
HWY_INLINE std::uint32_t* put_places(std::uint64_t bits, std::uint32_t at, std::uint32_t* to) {
  constexpr int kTogether = 8;
  std::uint32_t* const end = to + std::popcount(bits);
  while (bits != 0) {
    for (int i = 0; i < kTogether; ++i) {
      to[i] = at + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
    to += kTogether;
  }
  return end;
}

template <bool Singles>
HWY_INLINE std::size_t edges_of(const std::uint64_t* bits, std::size_t size, std::uint32_t* edges) {
  std::uint64_t before = 0;  // the last bit of the group before
  std::uint64_t open = 0;    // the same without single bits: a run goes on
  std::uint32_t* to = edges;
  for (std::size_t at = 0; at <= size; at += 64) {
    std::uint64_t all = bits[at / 64];
    if (size - at < 64) { all &= (std::uint64_t{1} << (size - at)) - 1; }
    std::uint64_t group = all;
    if (!Singles) {
      const std::uint64_t after = size - at > 64 ? bits[at / 64 + 1] << 63U : 0;
      group &= all << 1U | before | all >> 1U | after;
    }
    to = put_places(group ^ (group << 1U | open), static_cast<std::uint32_t>(at), to);
    before = all >> 63U;
    open = group >> 63U;
  }
  return static_cast<std::size_t>(to - edges);
}

std::size_t run_edges(const std::uint64_t* bits, std::size_t size, bool singles,
                      std::uint32_t* edges) {
  return singles ? edges_of<true>(bits, size, edges) : edges_of<false>(bits, size, edges);
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(run_edges);

std::size_t run_edges(const std::uint64_t* bits, std::size_t size, bool singles,
                      std::uint32_t* edges) {
  return HWY_DYNAMIC_DISPATCH(run_edges)(bits, size, singles, edges);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
