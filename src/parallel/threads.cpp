// The one seam to threads: everything parallel in the library goes through run_threads().
#include <algorithm>
#include <atomic>
#include <deque>
#include <system_error>

#include "logodds/parallel/blocks.hpp"
#include "parallel/started_thread.hpp"

namespace logodds::parallel {

void run_threads(int threads, const std::function<void(int)>& body) {
#ifdef __EMSCRIPTEN__
  (void)threads;
  body(0);
#else
  std::deque<StartedThread> others;
  for (int i = 1; i < threads; ++i) {
    try {
      others.emplace_back([&body, i] { body(i); });
    } catch (const std::system_error&) {
      break;  // the system has no more threads to give: the ones that run do the work
    }
  }
  body(0);  // then `others` end: each waits for its thread
#endif
}

void run_lanes(int threads, std::size_t lanes, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(lanes);
  run_threads(useful_threads(threads, lanes), [&](int) {
    for (std::size_t lane = next++; lane < lanes; lane = next++) {
      try {
        work(lane);
      } catch (...) { failures[lane] = std::current_exception(); }
    }
  });
  for (const auto& failure : failures) {
    if (failure) { std::rethrow_exception(failure); }
  }
}

int useful_threads(int wanted, std::size_t blocks) {
  const auto most = std::min<std::size_t>(blocks, 1024);
  return std::max(1, std::min(wanted, static_cast<int>(most)));
}

}  // namespace logodds::parallel
