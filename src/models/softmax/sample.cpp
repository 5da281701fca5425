#include "models/softmax/sample.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/ahead.hpp"
#include "random/philox.hpp"

namespace logodds::models::softmax {

namespace {

/// A row of the s-th of `count` equal stretches, at a place that a hash says: rows may be periodic.
std::size_t picked_row(const FitRows& rows, std::size_t count, std::size_t s, std::uint32_t turn) {
  const std::size_t begin = s * rows.rows / count;
  const std::size_t length = (s + 1) * rows.rows / count - begin;
  const auto bits = random::philox({static_cast<std::uint32_t>(s), turn, 0, 0}, {0x50F7, 0});
  return begin + bits[0] % length;
}

}  // namespace

Sample draw(parallel::Team& team, const FitRows& rows, std::size_t count, std::uint32_t turn) {
  constexpr std::size_t kPieces = 16;
  constexpr std::size_t kAhead = 16;  // rows asked of the memory before they are copied
  Sample sample{memory::LargeArray<double>::for_overwrite(count * rows.columns),
                std::vector<std::int32_t>(count), std::vector<double>(count)};
  team.each(kPieces, [&](std::size_t piece) {
    std::array<std::size_t, kAhead> places{};
    const auto ask = [&](std::size_t s) {
      const std::size_t r = places[s % kAhead] = picked_row(rows, count, s, turn);
      const double* const x = rows.x.data + r * rows.x.stride;
      for (std::size_t i = 0; i < rows.columns; i += kernels::kLineDoubles) {
        __builtin_prefetch(x + i);
      }
    };
    const std::size_t end = (piece + 1) * count / kPieces;
    const std::size_t begin = piece * count / kPieces;
    for (std::size_t s = begin; s < std::min(end, begin + kAhead); ++s) { ask(s); }
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t r = places[s % kAhead];
      std::copy_n(rows.x.data + r * rows.x.stride, rows.columns,
                  sample.x.data() + s * rows.columns);
      sample.labels[s] = rows.labels[r];
      sample.weights[s] = rows.weight_of(r);
      if (s + kAhead < end) { ask(s + kAhead); }
    }
  });
  const double weight = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  for (double& w : sample.weights) { w *= rows.weight / weight; }
  return sample;
}

}  // namespace logodds::models::softmax
