// Fixed blocks, fixed merge order: the same bits for any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

namespace logodds::parallel {

/// Runs body(0) ... body(threads - 1) at the same time and waits for all of them. With one thread,
/// and where the platform has none, body(0) runs in the caller. `body` must not throw.
void run_threads(int threads, const std::function<void(int)>& body);

/// Threads worth starting for `blocks` blocks: at most `wanted`, at least 1.
[[nodiscard]] int useful_threads(int wanted, std::size_t blocks);

/// Runs work(lane) for every lane, each once, in up to `threads` threads; the first exception by
/// lane is thrown again in the caller. For data in memory: lane l takes blocks l, l + lanes, ...
void run_lanes(int threads, std::size_t lanes, const std::function<void(std::size_t)>& work);

/// Sends blocks through three steps. take(buffer) claims the next block, one thread at a time, and
/// is false at the end. work(buffer) runs in parallel. commit(buffer, lane) runs in parallel too,
/// but block b goes to lane b mod `lanes` and the blocks of one lane are committed in their order.
/// So with lanes = 1 results leave in the order of the rows (a writer), and with more lanes each
/// lane sees a sequence of blocks that depends on the data alone (a statistic).
///
/// The first exception, counted by block and not by time, is thrown again in the caller.
template <class Buffer, class Take, class Work, class Commit>
void run_blocks(int threads, std::size_t lanes, Take take, Work work, Commit commit) {
  std::mutex gate;        // guards take() and the three variables below
  std::size_t taken = 0;  // blocks claimed so far
  std::size_t failed_block = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure;
  std::mutex turn_gate;
  std::condition_variable turn_changed;
  std::vector<std::size_t> committed(lanes, 0);  // blocks committed, by lane

  const auto fail = [&](std::size_t block) {
    const std::lock_guard lock(gate);
    if (block < failed_block) {
      failed_block = block;
      failure = std::current_exception();
    }
  };
  const auto body = [&](int) {
    Buffer buffer;
    for (;;) {
      std::size_t block = 0;
      {
        const std::lock_guard lock(gate);
        if (failure) { return; }
        block = taken;
        try {
          if (!take(buffer)) { return; }
        } catch (...) {
          if (block < failed_block) {
            failed_block = block;
            failure = std::current_exception();
          }
          return;
        }
        ++taken;
      }
      bool good = true;
      try {
        work(buffer);
      } catch (...) {
        good = false;
        fail(block);
      }
      const std::size_t lane = block % lanes;
      {
        std::unique_lock lock(turn_gate);
        turn_changed.wait(lock, [&] { return committed[lane] == block / lanes; });
      }
      if (good) {
        try {
          bool wanted = true;
          {
            const std::lock_guard lock(gate);
            wanted = block < failed_block;
          }
          if (wanted) { commit(buffer, lane); }
        } catch (...) { fail(block); }
      }
      {
        const std::lock_guard lock(turn_gate);
        ++committed[lane];
      }
      turn_changed.notify_all();
    }
  };
  run_threads(threads, body);
  if (failure) { std::rethrow_exception(failure); }
}

}  // namespace logodds::parallel
