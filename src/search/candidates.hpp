// The nearest rows so far, while a search offers one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kernels/box_tree.hpp"

namespace logodds::search {

/// A row and its distance from the query, as kernels::Measure adds it up.
struct Candidate {
  double distance;
  std::uint32_t row;

  /// Nearest first; of equally near rows the one that comes first.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  }
};

/// How many of the nearest rows are wanted: at least `rows`, and so many that they have `votes` of
/// weight together. Whatever is as near as the last of these is wanted, too.
struct Wanted {
  std::size_t rows = 1;
  double votes = 0.0;
  const double* weights = nullptr;  ///< of the rows; null: all 1
};

/// What it holds in the end does not depend on the order of the offers.
class Candidates final : public kernels::Taker {
 public:
  explicit Candidates(const Wanted& wanted);

  /// Begins with the next query.
  void clear();
  /// Rows that are farther than this are not wanted; infinite until there are enough.
  [[nodiscard]] double limit() const { return limit_; }
  /// A row; one that is farther than limit() changes nothing.
  void offer(double distance, std::uint32_t row) { take(1, &distance, &row); }
  /// The same for the rows whose bits are set; returns limit().
  double take(std::uint32_t near, const double* distances, const std::uint32_t* rows) override;
  /// All that was wanted, sorted; by weights maybe a few more, for sums of weights are rounded.
  [[nodiscard]] std::span<const Candidate> sorted();

 private:
  static constexpr std::size_t kFew = 16;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  using OfferToFew = void (Candidates::*)(std::uint32_t, const double*, const std::uint32_t*);
  template <std::size_t Rows>
  void offer_to_few(std::uint32_t near, const double* distances, const std::uint32_t* rows);
  template <std::size_t... Rows>
  static OfferToFew offer_for(std::size_t rows, std::index_sequence<Rows...> counts);
  void offer_to_heap(double distance, std::uint32_t row);
  /// Forgets what is farther than the limit, and makes room.
  void thin_out();
  [[nodiscard]] bool top_is_needed() const;
  void drop_top();

  std::size_t rows_;       ///< needed
  double votes_needed_;    ///< of the weights
  const double* weights_;  ///< null where rows are all that counts
  OfferToFew few_;         ///< rows are all that counts, and there are few; else null
  double limit_ = kInfinity;
  /// Few: the least distances, sorted, and all rows that were not farther than the limit then.
  std::array<double, kFew> least_{};
  std::vector<Candidate> kept_;
  std::size_t size_ = 0;  ///< of `kept_`, which has more room
  /// Many: the farthest on top, and what is as far but not needed.
  std::vector<Candidate> heap_;
  double votes_ = 0.0;  ///< of the heap
  std::vector<Candidate> tied_;
};

}  // namespace logodds::search
