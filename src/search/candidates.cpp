#include "search/candidates.hpp"

#include <algorithm>
#include <bit>
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

/// No more are wanted of any tile, if rows are all that counts.
std::size_t enough_of_a_tile(const Wanted& wanted) {
  const std::size_t rows = rows_for(wanted);
  const bool weighed = wanted.votes > 0.0 && wanted.weights != nullptr;
  return weighed || rows > kernels::Taker::kTileGroups ? 0 : rows;
}

}  // namespace

Candidates::Candidates(const Wanted& wanted)
    : Taker(enough_of_a_tile(wanted)),
      rows_(rows_for(wanted)),
      votes_needed_(wanted.votes * (1.0 + kMargin)),
      weights_(wanted.votes > 0.0 ? wanted.weights : nullptr),
      few_(weights_ == nullptr && rows_ > 0 && rows_ <= kFew
               ? offer_for(rows_, std::make_index_sequence<kFew>())
               : nullptr) {
  if (few_ != nullptr) { kept_.resize(4 * kernels::kTilePoints); }
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

double Candidates::take(std::uint32_t near, const double* distances, const std::uint32_t* rows) {
  if (few_ != nullptr) {
    (this->*few_)(near, distances, rows);
    return limit_;
  }
  for (; near != 0; near &= near - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(near));
    if (distances[p] <= limit_) { offer_to_heap(distances[p], rows[p]); }
  }
  return limit_;
}

/// Without branches, which distances would mispredict, and with the least distances in registers.
template <std::size_t Rows>
void Candidates::offer_to_few(std::uint32_t near, const double* distances,
                              const std::uint32_t* rows) {
  if (size_ + kernels::kTilePoints > kept_.size()) { thin_out(); }
  std::array<double, Rows> least;
  for (std::size_t i = 0; i < Rows; ++i) { least[i] = least_[i]; }
  Candidate* next = kept_.data() + size_;
  for (; near != 0; near &= near - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(near));
    const double distance = distances[p];
    *next = {distance, rows[p]};
    next += distance <= least[Rows - 1] ? 1 : 0;
    // The sorted list with the distance in it: min(least_i, max(least_i-1, distance)).
    for (std::size_t i = Rows - 1; i > 0; --i) {
      const double larger = least[i - 1] > distance ? least[i - 1] : distance;
      least[i] = least[i] < larger ? least[i] : larger;
    }
    least[0] = least[0] < distance ? least[0] : distance;
  }
  for (std::size_t i = 0; i < Rows; ++i) { least_[i] = least[i]; }
  limit_ = least[Rows - 1];
  size_ = static_cast<std::size_t>(next - kept_.data());
}

template <std::size_t... Rows>
Candidates::OfferToFew Candidates::offer_for(std::size_t rows, std::index_sequence<Rows...>) {
  static constexpr std::array kOffers{&Candidates::offer_to_few<Rows + 1>...};
  return kOffers[rows - 1];
}

void Candidates::thin_out() {
  std::size_t near = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    kept_[near] = kept_[i];
    near += kept_[i].distance <= limit_ ? 1U : 0U;
  }
  size_ = near;
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

namespace {

/// By insertion: there are seldom more than `rows_`, and the last are often the farthest.
void sort_few(std::span<Candidate> found) {
  if (found.size() > 32) { return std::sort(found.begin(), found.end()); }
  for (std::size_t i = 1; i < found.size(); ++i) {
    const Candidate next = found[i];
    std::size_t at = i;
    for (; at > 0 && next < found[at - 1]; --at) { found[at] = found[at - 1]; }
    found[at] = next;
  }
}

}  // namespace

std::span<const Candidate> Candidates::sorted() {
  if (few_ != nullptr) {
    thin_out();
    const std::span<Candidate> found(kept_.data(), size_);
    sort_few(found);
    return found;
  }
  heap_.insert(heap_.end(), tied_.begin(), tied_.end());
  std::sort(heap_.begin(), heap_.end());
  tied_.clear();
  return heap_;
}

}  // namespace logodds::search
