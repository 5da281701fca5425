#include "parallel/team.hpp"

#include <thread>
#include <utility>

#include "logodds/parallel/blocks.hpp"

namespace logodds::parallel {

namespace {

constexpr std::uint64_t kPieceMask = 0xffff;
constexpr std::uint64_t kOneRound = std::uint64_t{1} << 32U;

std::uint64_t pieces(std::uint64_t state) { return state >> 16U & kPieceMask; }
std::uint64_t taken(std::uint64_t state) { return state & kPieceMask; }

/// Waits while the value is `old`: first awake, for about two milliseconds, because the next round
/// is mostly nearer than that and a processor that sleeps, of a virtual machine above all, takes
/// its time to wake up; then asleep.
template <class T>
void await_change(const std::atomic<T>& value, T old) {
  constexpr int kSpins = 8000;
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) { return; }
    std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

void Team::run(int threads, const std::function<void(Team&)>& body) {
  Team team;
  team.alone_ = threads <= 1;
  std::exception_ptr failure;
  run_threads(threads, [&](int thread) {
    if (thread > 0) { return team.help(); }
    try {
      body(team);
    } catch (...) { failure = std::current_exception(); }
    team.finish();
  });
  if (failure) { std::rethrow_exception(failure); }
}

void Team::finish() {
  over_.store(true, std::memory_order_relaxed);
  state_.fetch_add(kOneRound, std::memory_order_release);
  state_.notify_all();
}

void Team::help() {
  while (true) {
    const std::uint64_t state = state_.load(std::memory_order_acquire);
    if (over_.load(std::memory_order_relaxed)) { return; }
    if (taken(state) == pieces(state)) {
      await_change(state_, state);
      continue;
    }
    take_pieces();
  }
}

void Team::take_pieces() {
  std::uint64_t state = state_.load(std::memory_order_acquire);
  while (taken(state) < pieces(state)) {
    if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) { continue; }
    const std::uint64_t all = pieces(state);
    attempt(taken(state));
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == all) { done_.notify_all(); }
    state = state_.load(std::memory_order_acquire);
  }
}

void Team::attempt(std::size_t piece) {
  try {
    (*work_)(piece);
  } catch (...) {
    const std::lock_guard lock(gate_);
    if (!failure_ || piece < failed_) {
      failed_ = piece;
      failure_ = std::current_exception();
    }
  }
}

void Team::each(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (alone_ || count == 1) {
    for (std::size_t piece = 0; piece < count; ++piece) { work(piece); }
    return;
  }
  work_ = &work;
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t round =
      (state_.load(std::memory_order_relaxed) & ~(kOneRound - 1)) + kOneRound;
  state_.store(round | std::uint64_t{count} << 16U, std::memory_order_release);
  state_.notify_all();
  take_pieces();
  for (std::size_t done = done_.load(std::memory_order_acquire); done < count;
       done = done_.load(std::memory_order_acquire)) {
    await_change(done_, done);
  }
  if (const auto failure = std::exchange(failure_, nullptr)) { std::rethrow_exception(failure); }
}

}  // namespace logodds::parallel
