// Exact search for the nearest rows: what every index offers, and which one is taken.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/neighbors.hpp"
#include "logodds/data/design.hpp"
#include "search/candidates.hpp"

namespace logodds::search {

using kernels::Measure;

class Index {
 public:
  Index() = default;
  Index(const Index&) = delete;
  Index(Index&&) = delete;
  Index& operator=(const Index&) = delete;
  Index& operator=(Index&&) = delete;
  virtual ~Index() = default;

  /// Takes the number of a query and what was found for it; valid during the call.
  using Use = std::function<void(std::size_t query, std::span<const Candidate> found)>;

  /// For every query all rows that are wanted, sorted. Distances are summed column by column, with
  /// two roundings a term, so that they and their ties are the same in every index, at every vector
  /// level and for any number of threads. A NaN is not allowed; infinite distances are found, too.
  virtual void nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const = 0;
  /// Whether many queries are quicker one after the other as order() says, which brings those
  /// together that are near each other.
  [[nodiscard]] virtual bool likes_order() const { return false; }
  [[nodiscard]] virtual std::vector<std::uint32_t> order(const DesignRows& queries) const;
  /// "brute force", "k-d tree"
  [[nodiscard]] virtual std::string name() const = 0;
};

/// An index of `points`, which must outlive it; `rows` are mostly asked for at a time. A tree is
/// taken where a trial on some of the points finds that it looks at few of them; the trial counts
/// points, not time, so that the same points get the same index everywhere.
[[nodiscard]] std::unique_ptr<Index> make_index(const DesignRows& points, Measure measure,
                                                std::size_t rows, int threads);

}  // namespace logodds::search
