// Fixed blocks, fixed merge order: the same bits for any number of threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

namespace logodds::parallel {

/// Runs body(0) ... body(threads - 1) at the same time and waits for all of them. With one thread,
/// and where the platform has none, body(0) runs in the caller. `body` must not throw.
void run_threads(int threads, const std::function<void(int)>& body);

/// Lanes of a statistic at most; see lanes_for().
inline constexpr std::size_t kMostLanes = 16;

/// Threads worth starting for `blocks` blocks: at most `wanted`, at least 1.
[[nodiscard]] int useful_threads(int wanted, std::size_t blocks);

/// Runs work(lane) for every lane, each once, in up to `threads` threads; the first exception by
/// lane is thrown again in the caller. For data in memory: lane l takes blocks l, l + lanes, ...
void run_lanes(int threads, std::size_t lanes, const std::function<void(std::size_t)>& work);

/// Who has which block, whose turn it is in each lane, and what failed first.
class BlockOrder {
 public:
  explicit BlockOrder(std::size_t lanes) : committed_(lanes, 0) {}

  /// The number of the block that `take` claimed, or nothing at the end or after a failure.
  std::optional<std::size_t> claim(const std::function<bool()>& take);
  /// Runs `step` of a block and keeps what it throws.
  void attempt(std::size_t block, const std::function<void()>& step);
  /// False when this block or one before it has failed.
  [[nodiscard]] bool wanted(std::size_t block);
  /// Waits until the blocks before this one in its lane have ended their turns.
  void await_turn(std::size_t block);
  void end_turn(std::size_t block);
  /// Throws what the first failed block, by number, has thrown.
  void rethrow() const;

 private:
  void fail(std::size_t block);

  std::mutex gate_;  ///< guards take() and the next three
  std::size_t claimed_ = 0;
  std::size_t failed_block_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
  std::mutex turn_gate_;  ///< guards the turns
  std::condition_variable turn_changed_;
  std::vector<std::size_t> committed_;  ///< blocks committed, by lane
};

/// Sends blocks through three steps. take(buffer) claims the next block, one thread at a time, and
/// is false at the end. work(buffer) runs in parallel. commit(buffer, lane) runs in parallel too,
/// but block b goes to lane b mod `lanes` and the blocks of one lane are committed in their order.
/// So with lanes = 1 results leave in the order of the rows (a writer), and with more lanes each
/// lane sees a sequence of blocks that depends on the data alone (a statistic).
///
/// The first exception, counted by block and not by time, is thrown again in the caller.
template <class Buffer, class Take, class Work, class Commit>
void run_blocks(int threads, std::size_t lanes, Take take, Work work, Commit commit) {
  BlockOrder order(lanes);
  run_threads(threads, [&](int) {
    Buffer buffer;
    while (const auto block = order.claim([&] { return take(buffer); })) {
      order.attempt(*block, [&] { work(buffer); });
      order.await_turn(*block);
      if (order.wanted(*block)) {
        order.attempt(*block, [&] { commit(buffer, *block % lanes); });
      }
      order.end_turn(*block);
    }
  });
  order.rethrow();
}

/// The same without an order: commit(buffer, thread) takes whatever block the thread has. For
/// statistics that come out the same however blocks are dealt.
template <class Buffer, class Take, class Work, class Commit>
void run_blocks_by_thread(int threads, Take take, Work work, Commit commit) {
  BlockOrder order(1);
  run_threads(threads, [&](int thread) {
    Buffer buffer;
    while (const auto block = order.claim([&] { return take(buffer); })) {
      order.attempt(*block, [&] {
        work(buffer);
        commit(buffer, static_cast<std::size_t>(thread));
      });
    }
  });
  order.rethrow();
}

}  // namespace logodds::parallel
