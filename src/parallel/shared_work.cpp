#include "parallel/shared_work.hpp"

namespace logodds::parallel {

SharedWork::SharedWork(std::vector<Step> steps) : steps_(std::move(steps)) {
  if (!steps_.empty()) { pieces_ = steps_.front().pieces(); }
}

void SharedWork::next_step() {
  do {
    ++step_;
    pieces_ = step_ < steps_.size() ? steps_[step_].pieces() : 0;
  } while (pieces_ == 0 && step_ < steps_.size());
  taken_ = done_ = 0;
  changed_.notify_all();
}

/// Without `gate_`.
void SharedWork::attempt(std::size_t piece) {
  try {
    steps_[step_].work(piece);
  } catch (...) {
    const std::lock_guard lock(gate_);
    if (!failure_) { failure_ = std::current_exception(); }
    changed_.notify_all();
  }
}

void SharedWork::finish() {
  std::unique_lock lock(gate_);
  while (step_ < steps_.size() && !failure_) {
    if (taken_ < pieces_) {
      const std::size_t piece = taken_++;
      lock.unlock();
      attempt(piece);
      lock.lock();
      ++done_;
    }
    if (failure_) { break; }
    if (done_ == pieces_) {
      next_step();
    } else if (taken_ == pieces_) {
      changed_.wait(lock);
    }
  }
  if (failure_) { std::rethrow_exception(failure_); }
}

}  // namespace logodds::parallel
