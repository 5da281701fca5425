#include "logodds/parallel/blocks.hpp"

namespace logodds::parallel {

/// With `gate_` held, from inside a catch.
void BlockOrder::fail(std::size_t block) {
  if (block >= failed_block_) { return; }
  failed_block_ = block;
  failure_ = std::current_exception();
}

std::optional<std::size_t> BlockOrder::claim(const std::function<bool()>& take) {
  const std::lock_guard lock(gate_);
  if (failure_) { return std::nullopt; }
  try {
    if (!take()) { return std::nullopt; }
  } catch (...) {
    fail(claimed_);
    return std::nullopt;
  }
  return claimed_++;
}

void BlockOrder::attempt(std::size_t block, const std::function<void()>& step) {
  try {
    step();
  } catch (...) {
    const std::lock_guard lock(gate_);
    fail(block);
  }
}

bool BlockOrder::wanted(std::size_t block) {
  const std::lock_guard lock(gate_);
  return block < failed_block_;
}

void BlockOrder::await_turn(std::size_t block) {
  const std::size_t lanes = committed_.size();
  std::unique_lock lock(turn_gate_);
  turn_changed_.wait(lock, [&] { return committed_[block % lanes] == block / lanes; });
}

void BlockOrder::end_turn(std::size_t block) {
  {
    const std::lock_guard lock(turn_gate_);
    ++committed_[block % committed_.size()];
  }
  turn_changed_.notify_all();
}

void BlockOrder::rethrow() const {
  if (failure_) { std::rethrow_exception(failure_); }
}

}  // namespace logodds::parallel
