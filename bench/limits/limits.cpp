// What this machine can do at best: read bandwidth and multiply-add peak, with 1 thread and with
// all. Prints one JSON object; the benchmark harness sets it beside its times.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace limits::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The sum of `count` doubles, in eight independent chains: bound by memory alone.
double read_all(const double* values, std::size_t count) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  auto a = hn::Zero(tag), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (std::size_t i = 0; i + 8 * lanes <= count; i += 8 * lanes) {
    const double* p = values + i;
    a = hn::Add(a, hn::LoadU(tag, p));
    b = hn::Add(b, hn::LoadU(tag, p + lanes));
    c = hn::Add(c, hn::LoadU(tag, p + 2 * lanes));
    d = hn::Add(d, hn::LoadU(tag, p + 3 * lanes));
    e = hn::Add(e, hn::LoadU(tag, p + 4 * lanes));
    f = hn::Add(f, hn::LoadU(tag, p + 5 * lanes));
    g = hn::Add(g, hn::LoadU(tag, p + 6 * lanes));
    h = hn::Add(h, hn::LoadU(tag, p + 7 * lanes));
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  return hn::GetLane(hn::SumOfLanes(tag, sum));
}

/// Ten chains of multiply-adds: enough to hide a latency of 5 on two units. `steps` of each.
double multiply_add(std::size_t steps, double factor) {
  const hn::ScalableTag<double> tag;
  const auto m = hn::Set(tag, factor), s = hn::Set(tag, 1e-9);
  auto a = s, b = s, c = s, d = s, e = s, f = s, g = s, h = s, i = s, j = s;
  for (std::size_t step = 0; step < steps; ++step) {
    a = hn::MulAdd(a, m, s);
    b = hn::MulAdd(b, m, s);
    c = hn::MulAdd(c, m, s);
    d = hn::MulAdd(d, m, s);
    e = hn::MulAdd(e, m, s);
    f = hn::MulAdd(f, m, s);
    g = hn::MulAdd(g, m, s);
    h = hn::MulAdd(h, m, s);
    i = hn::MulAdd(i, m, s);
    j = hn::MulAdd(j, m, s);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)),
                           hn::Add(hn::Add(hn::Add(e, f), hn::Add(g, h)), hn::Add(i, j)));
  return hn::GetLane(hn::SumOfLanes(tag, sum));
}

std::size_t lane_count() { return hn::Lanes(hn::ScalableTag<double>()); }

}  // namespace limits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limits {

HWY_EXPORT(read_all);
HWY_EXPORT(multiply_add);
HWY_EXPORT(lane_count);

/// Results go here, so that no loop is optimised away.
volatile double sink = 0.0;

/// Best of several repetitions of `work(thread)` on every thread at once, in seconds.
double best_seconds(unsigned threads, const std::function<void(unsigned)>& work) {
  double best = 1e9;
  for (int repetition = 0; repetition < 7; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> team;
    for (unsigned t = 1; t < threads; ++t) { team.emplace_back(work, t); }
    work(0);
    for (std::thread& member : team) { member.join(); }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

/// GB/s over an array of 256 MB, about the size of the benchmarks' data.
double read_bandwidth(const std::vector<double>& values, unsigned threads) {
  const std::size_t share = values.size() / threads;
  const double seconds = best_seconds(threads, [&](unsigned thread) {
    sink = HWY_DYNAMIC_DISPATCH(read_all)(values.data() + thread * share, share);
  });
  return static_cast<double>(values.size() * sizeof(double)) / seconds * 1e-9;
}

/// GFLOP/s, a multiply-add counted as two.
double multiply_add_peak(unsigned threads) {
  constexpr std::size_t kSteps = 10'000'000;
  const double seconds = best_seconds(
      threads, [](unsigned) { sink = HWY_DYNAMIC_DISPATCH(multiply_add)(kSteps, 0.999); });
  const std::size_t operations =
      std::size_t{20} * HWY_DYNAMIC_DISPATCH(lane_count)() * kSteps * threads;
  return static_cast<double>(operations) / seconds * 1e-9;
}

}  // namespace limits

int main() {
  const unsigned all = std::max(1U, std::thread::hardware_concurrency());
  const std::vector<double> values(std::size_t{32} << 20, 1.0);
  std::printf(
      "{\"threads\": %u, \"read_gb_per_second_1\": %.2f, \"read_gb_per_second\": %.2f, "
      "\"gflop_per_second_1\": %.1f, \"gflop_per_second\": %.1f}\n",
      all, limits::read_bandwidth(values, 1), limits::read_bandwidth(values, all),
      limits::multiply_add_peak(1), limits::multiply_add_peak(all));
}
#endif  // HWY_ONCE
