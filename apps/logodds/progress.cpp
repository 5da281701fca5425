#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.hpp"

namespace logodds::app {

namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kEraseLine = "\r\x1b[2K";

/// A progress bar is worth no error: whatever happens to it is ignored.
void draw(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

ProgressBar::ProgressBar(bool wanted)
    : enabled_(wanted && isatty(STDERR_FILENO) == 1), next_(Clock::now() + kPatience) {}

void ProgressBar::show(const Progress& progress) {
  if (!enabled_ || Clock::now() < next_) { return; }
  draw(std::string(kEraseLine) + progress_line(progress));
  visible_ = true;
  next_ = Clock::now() + kInterval;
}

void ProgressBar::erase() noexcept {
  if (visible_) { draw(kEraseLine); }
  visible_ = false;
}

std::string progress_line(const Progress& progress) {
  constexpr int kCells = 30;
  std::string line(progress.what);
  if (progress.fraction >= 0.0) {
    const double share = std::clamp(progress.fraction, 0.0, 1.0);
    const int full = static_cast<int>(share * kCells);
    line += fmt::format(" [{:#<{}}{:-<{}}] {:.0f} %", "", full, "", kCells - full, share * 100.0);
  }
  if (progress.rows > 0) { line += fmt::format(", {} rows", grouped(progress.rows)); }
  if (progress.iteration > 0) {
    line += fmt::format(", iteration {}, objective {}", progress.iteration,
                        short_number(progress.objective));
  }
  return line;
}

}  // namespace logodds::app
