// Sums of chosen rows of a table: the words of a document.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::add_rows;

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, 8> kDoubles;
constexpr std::size_t kAhead = 16;  // rows that are fetched before they are needed

/// `Count` vectors of columns; the sums stay in registers. Each is taken in the order of the rows.
template <std::size_t Count>
HWY_INLINE void add_columns(const double* table, std::size_t stride, const std::uint32_t* rows,
                            const double* factors, std::size_t n, double* sums) {
  const std::size_t lanes = hn::Lanes(kDoubles);
  hn::Vec<decltype(kDoubles)> totals[Count];
  for (std::size_t v = 0; v < Count; ++v) { totals[v] = hn::Zero(kDoubles); }
  for (std::size_t i = 0; i < n; ++i) {
    const double* const row = table + rows[i] * stride;
    const double* const next = table + rows[std::min(i + kAhead, n - 1)] * stride;
    const auto factor = hn::Set(kDoubles, factors == nullptr ? 1.0 : factors[i]);
    for (std::size_t v = 0; v < Count; ++v) {
      __builtin_prefetch(next + v * lanes);
      totals[v] = hn::Add(totals[v], hn::Mul(factor, hn::LoadU(kDoubles, row + v * lanes)));
    }
  }
  for (std::size_t v = 0; v < Count; ++v) {
    double* const to = sums + v * lanes;
    hn::StoreU(hn::Add(hn::LoadU(kDoubles, to), totals[v]), kDoubles, to);
  }
}

void add_rows(const double* table, std::size_t stride, const std::uint32_t* rows,
              const double* factors, std::size_t n, double* sums) {
  if (n == 0) { return; }
  const std::size_t lanes = hn::Lanes(kDoubles);
  std::size_t c = 0;
  const auto pass = [&]<std::size_t Count>() HWY_ATTR {
    add_columns<Count>(table + c, stride, rows, factors, n, sums + c);
    c += Count * lanes;
  };
  while (c + 6 * lanes <= stride) { pass.template operator()<6>(); }
  while (c + 3 * lanes <= stride) { pass.template operator()<3>(); }
  while (c < stride) { pass.template operator()<1>(); }
}

#endif
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(add_rows);

void add_rows(const double* table, std::size_t stride, const std::uint32_t* rows,
              const double* factors, std::size_t n, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(table, stride, rows, factors, n, sums);
}

}  // namespace logodds::kernels
#endif
