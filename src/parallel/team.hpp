// Threads that stay while a caller does one small piece of work after the other: starting threads
// for every mini-batch would take longer than the mini-batch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace logodds::parallel {

class Team {
 public:
  /// Runs body(team) in the caller, with up to threads - 1 helpers; what it throws is thrown again.
  static void run(int threads, const std::function<void(Team&)>& body);

  /// Runs work(0) ... work(count - 1), each once, in whatever thread is free, and waits for all of
  /// them; count < 65536. The first exception by number is thrown again. To be called from body.
  void each(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  Team() = default;
  void help();
  void finish();
  /// Takes pieces of the present round until none is left.
  void take_pieces();
  void attempt(std::size_t piece);

  // The round in the upper 32 bits, the number of its pieces in the next 16, the pieces taken in
  // the last 16: one word, so that a helper who comes late cannot take a piece of another round.
  std::atomic<std::uint64_t> state_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> over_{false};
  const std::function<void(std::size_t)>* work_ = nullptr;  ///< read only by who has a piece
  bool alone_ = true;
  std::mutex gate_;  ///< guards the next two
  std::size_t failed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace logodds::parallel
