#include "search/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::search {

namespace {

/// Of the votes, so that no order of adding weights up finds too few rows.
constexpr double kMargin = 1e-9;
/// More rows than any table has.
constexpr double kMostRows = 4e18;

bool nearer(const Candidate& a, const Candidate& b) { return a.distance < b.distance; }

std::size_t rows_for(const Wanted& wanted) {
  if (wanted.weights != nullptr) { return wanted.rows; }
  return std::max(wanted.rows,
                  static_cast<std::size_t>(std::ceil(std::min(wanted.votes, kMostRows))));
}

}  // namespace

Candidates::Candidates(const Wanted& wanted)
    : rows_(rows_for(wanted)),
      votes_needed_(wanted.votes * (1.0 + kMargin)),
      weights_(wanted.votes > 0.0 ? wanted.weights : nullptr),
      few_(weights_ == nullptr && rows_ > 0 && rows_ <= kFew) {
  constexpr std::size_t kRoom = 64;
  if (few_) { kept_.resize(kRoom); }
  clear();
}

void Candidates::clear() {
  limit_ = kInfinity;
  least_.fill(kInfinity);
  size_ = 0;
  heap_.clear();
  votes_ = 0.0;
  tied_.clear();
}

bool Candidates::top_is_needed() const {
  if (heap_.size() <= rows_) { return true; }
  return weights_ != nullptr && votes_ - weights_[heap_.front().row] < votes_needed_;
}

void Candidates::drop_top() {
  std::ranges::pop_heap(heap_, nearer);
  const Candidate dropped = heap_.back();
  heap_.pop_back();
  if (weights_ != nullptr) { votes_ -= weights_[dropped.row]; }
  if (dropped.distance != heap_.front().distance) { return tied_.clear(); }
  tied_.push_back(dropped);
}

void Candidates::thin_out() {
  const auto far = [this](const Candidate& candidate) { return candidate.distance > limit_; };
  const auto end =
      std::remove_if(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(size_), far);
  size_ = static_cast<std::size_t>(end - kept_.begin());
  if (2 * size_ > kept_.size()) { kept_.resize(2 * kept_.size()); }  // ties stay
}

void Candidates::offer_to_heap(double distance, std::uint32_t row) {
  heap_.push_back({distance, row});
  std::ranges::push_heap(heap_, nearer);
  if (weights_ != nullptr) { votes_ += weights_[row]; }
  while (!top_is_needed()) { drop_top(); }
  const bool enough = heap_.size() >= rows_ && (weights_ == nullptr || votes_ >= votes_needed_);
  if (enough) { limit_ = heap_.front().distance; }
}

std::span<const Candidate> Candidates::sorted() {
  if (few_) {
    thin_out();
    const std::span<Candidate> found(kept_.data(), size_);
    std::sort(found.begin(), found.end());
    return found;
  }
  heap_.insert(heap_.end(), tied_.begin(), tied_.end());
  std::sort(heap_.begin(), heap_.end());
  tied_.clear();
  return heap_;
}

}  // namespace logodds::search
