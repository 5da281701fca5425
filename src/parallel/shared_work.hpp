// Work whose result several threads wait for, done by those who wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace logodds::parallel {

/// Steps one after the other, each of pieces that can be done at the same time. Starts no thread:
/// whoever calls finish() does pieces as long as there are some, and so does who comes later.
class SharedWork {
 public:
  struct Step {
    std::function<std::size_t()> pieces;  ///< how many; asked when the step before is done
    std::function<void(std::size_t)> work;
  };
  explicit SharedWork(std::vector<Step> steps);

  /// Returns when every step is done. The first exception, by time, is thrown again in all callers.
  void finish();

 private:
  /// With `gate_` held: goes to the next step that has pieces.
  void next_step();
  void attempt(std::size_t piece);

  std::mutex gate_;  ///< guards everything
  std::condition_variable changed_;
  std::vector<Step> steps_;
  std::size_t step_ = 0;
  std::size_t pieces_ = 0;  ///< of the present step
  std::size_t taken_ = 0;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace logodds::parallel
