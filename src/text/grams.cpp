#include "text/grams.hpp"

namespace logodds::text {

namespace {

/// Room that is not made for every word anew.
constexpr std::size_t kRoom = 16384;

}  // namespace

void Grams::make_room(std::size_t bytes) {
  const std::size_t kept = std::min(starts_.size(), longest_ - 1);
  const auto first = starts_.end() - static_cast<std::ptrdiff_t>(kept);
  const std::size_t begin = kept > 0 ? *first : end_;
  const auto at = [this](std::size_t place) {
    return joined_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  std::copy(at(begin), at(end_), at(0));
  end_ -= begin;
  starts_.erase(starts_.begin(), first);
  for (std::size_t& start : starts_) { start -= begin; }
  const std::size_t needed = 2 * (end_ + 1 + bytes + kPadding) + kRoom;
  if (joined_.size() < needed) { joined_.resize(needed); }
}

}  // namespace logodds::text
