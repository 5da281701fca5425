// A progress bar on standard error, for work longer than a second, on a terminal only.
#pragma once

#include <chrono>
#include <string>

#include "logodds/context.hpp"

namespace logodds::app {

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { erase(); }

  void show(const Progress& progress);
  void erase() noexcept;
  [[nodiscard]] bool enabled() const { return enabled_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool visible_ = false;
  Clock::time_point next_;  ///< not drawn before this
};

/// The bar as one line of text, without colors: "reading [####----] 52 %, 1,024 rows".
[[nodiscard]] std::string progress_line(const Progress& progress);

}  // namespace logodds::app
