#include "models/neighbors/condense.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace logodds::models::neighbors {

namespace {

using search::Candidate;

/// What each row has been decided to be, and what it knows of the rows that are kept.
class Condensing {
 public:
  Condensing(const Comparison& comparison, std::size_t classes, const Wish& wish,
             const Context& context)
      : comparison_(comparison),
        classes_(classes),
        wish_(wish),
        context_(context),
        decisions_(comparison.rows().rows),
        nearest_(comparison.rows().rows),
        kept_(comparison.rows().rows, 0) {
    group_equal_rows();
    decide_all();
  }

  std::vector<std::uint32_t> run() {
    for (auto added = middles(); !added.empty(); added = wanted_rows()) { keep(added); }
    std::vector<std::uint32_t> rows;
    for (std::uint32_t r = 0; r < kept_.size(); ++r) {
      if (kept_[r] != 0) { rows.push_back(r); }
    }
    return rows;
  }

 private:
  [[nodiscard]] std::int32_t label(std::uint32_t row) const {
    return comparison_.rows().labels[row];
  }
  [[nodiscard]] const double* point(std::uint32_t row) const {
    return comparison_.points().data + row * comparison_.points().stride;
  }

  void group_equal_rows();
  void decide_all();
  [[nodiscard]] std::vector<std::uint32_t> middles() const;
  void keep(const std::vector<std::uint32_t>& added);
  void merge(std::size_t row, std::span<const Candidate> found,
             const std::vector<std::uint32_t>& added);
  [[nodiscard]] std::vector<std::uint32_t> wanted_rows() const;
  [[nodiscard]] std::uint32_t help_for(std::uint32_t row) const;
  /// A row and all that are equal to it.
  void add_group(std::uint32_t row, std::vector<std::uint32_t>& rows) const;

  const Comparison& comparison_;
  std::size_t classes_;
  const Wish& wish_;
  const Context& context_;
  std::vector<std::uint32_t> order_;     ///< rows, equal ones together
  std::vector<std::uint32_t> group_;     ///< of each row the place in `order_` where its like begin
  std::vector<std::int32_t> decisions_;  ///< by all rows
  std::vector<std::vector<Candidate>> nearest_;  ///< of each row, the kept rows that decide it
  std::vector<std::uint8_t> kept_;
};

void Condensing::group_equal_rows() {
  const std::size_t d = comparison_.points().columns;
  order_.resize(kept_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (label(a) != label(b)) { return label(a) < label(b); }
    return std::lexicographical_compare(point(a), point(a) + d, point(b), point(b) + d);
  };
  std::stable_sort(order_.begin(), order_.end(), before);
  group_.resize(order_.size());
  for (std::size_t at = 0; at < order_.size(); ++at) {
    const bool same = at > 0 && !before(order_[at - 1], order_[at]);
    group_[order_[at]] = same ? group_[order_[at - 1]] : static_cast<std::uint32_t>(at);
  }
}

void Condensing::add_group(std::uint32_t row, std::vector<std::uint32_t>& rows) const {
  for (std::size_t at = group_[row]; at < order_.size() && group_[order_[at]] == group_[row];
       ++at) {
    rows.push_back(order_[at]);
  }
}

void Condensing::decide_all() {
  const auto k = static_cast<double>(wish_.least_k);
  comparison_.for_blocks(
      context_, "deciding", [&](std::size_t, std::size_t first, const DesignRows& queries) {
        Ballot ballot(classes_, comparison_.space(), wish_.by_distance);
        std::vector<Voter> voters;
        comparison_.index().nearest(
            queries, comparison_.wanted(k), [&](std::size_t q, std::span<const Candidate> found) {
              voters.clear();
              for (const auto& candidate : found) {
                voters.push_back(comparison_.voter(candidate));
              }
              ballot.cast(voters, k);
              decisions_[first + q] = static_cast<std::int32_t>(ballot.winner());
            });
      });
}

/// Of each class the row that is nearest to the mean of its rows.
std::vector<std::uint32_t> Condensing::middles() const {
  const DesignRows& points = comparison_.points();
  const RowBlock& rows = comparison_.rows();
  std::vector<double> means(classes_ * points.columns, 0.0);
  std::vector<double> weights(classes_, 0.0);
  for (std::uint32_t r = 0; r < rows.rows; ++r) {
    const auto c = static_cast<std::size_t>(label(r));
    weights[c] += rows.weight(r);
    for (std::size_t i = 0; i < points.columns; ++i) {
      double& mean = means[c * points.columns + i];
      mean += (point(r)[i] - mean) * (rows.weight(r) / weights[c]);
    }
  }
  std::vector<Candidate> best(classes_, {std::numeric_limits<double>::infinity(), 0});
  for (std::uint32_t r = 0; r < rows.rows; ++r) {
    const auto c = static_cast<std::size_t>(label(r));
    double sum = 0.0;
    for (std::size_t i = 0; i < points.columns; ++i) {
      const double off = point(r)[i] - means[c * points.columns + i];
      sum += off * off;
    }
    best[c] = std::min(best[c], Candidate{sum, r});
  }
  std::vector<std::uint32_t> found;
  for (std::size_t c = 0; c < classes_; ++c) {
    if (weights[c] > 0.0) { add_group(best[c].row, found); }
  }
  return found;
}

/// The rows that vote on `row`, now that some were added; what is farther than the last vote goes.
void Condensing::merge(std::size_t row, std::span<const Candidate> found,
                       const std::vector<std::uint32_t>& added) {
  std::vector<Candidate>& nearest = nearest_[row];
  for (const Candidate& candidate : found) {
    nearest.push_back({candidate.distance, added[candidate.row]});
  }
  std::sort(nearest.begin(), nearest.end());
  double votes = 0.0;
  std::size_t size = 0;
  for (; size < nearest.size(); ++size) {
    const bool tied = size > 0 && nearest[size].distance == nearest[size - 1].distance;
    if (votes >= static_cast<double>(wish_.least_k) && !tied) { break; }
    votes += comparison_.rows().weight(nearest[size].row);
  }
  nearest.resize(size);
}

void Condensing::keep(const std::vector<std::uint32_t>& added) {
  const std::size_t d = comparison_.points().columns;
  std::vector<double> points;
  std::vector<double> weights;
  for (const std::uint32_t row : added) {
    kept_[row] = 1;
    points.insert(points.end(), point(row), point(row) + d);
    weights.push_back(comparison_.rows().weight(row));
  }
  const auto index =
      search::make_index({.data = points.data(), .rows = added.size(), .columns = d, .stride = d},
                         comparison_.space().measure(), wish_.least_k, context_.threads);
  const search::Wanted wanted{
      .rows = 1, .votes = static_cast<double>(wish_.least_k), .weights = weights.data()};
  comparison_.for_blocks(
      context_, "condensing", [&](std::size_t, std::size_t first, const DesignRows& queries) {
        index->nearest(queries, wanted, [&](std::size_t q, std::span<const Candidate> found) {
          merge(first + q, found, added);
        });
      });
}

/// The nearest row that would vote for what `row` is to be decided as; where all such are kept, the
/// nearest that is not.
std::uint32_t Condensing::help_for(std::uint32_t row) const {
  const DesignRows query{.data = point(row),
                         .rows = 1,
                         .columns = comparison_.points().columns,
                         .stride = comparison_.points().stride};
  const std::size_t all = kept_.size();
  for (std::size_t count = std::min<std::size_t>(all, 2 * wish_.least_k + 8);;
       count = std::min(all, 4 * count)) {
    std::vector<Candidate> free;
    comparison_.index().nearest(query, {.rows = count},
                                [&](std::size_t, std::span<const Candidate> found) {
                                  for (const auto& candidate : found) {
                                    if (kept_[candidate.row] == 0) { free.push_back(candidate); }
                                  }
                                });
    const auto voter = std::ranges::find_if(
        free, [&](const Candidate& candidate) { return label(candidate.row) == decisions_[row]; });
    if (voter != free.end()) { return voter->row; }
    if (count == all) { return free.front().row; }
  }
}

std::vector<std::uint32_t> Condensing::wanted_rows() const {
  Ballot ballot(classes_, comparison_.space(), wish_.by_distance);
  std::vector<Voter> voters;
  std::map<std::uint32_t, Candidate> by_cell;  // nearest kept row: the nearest that is wrong there
  for (std::uint32_t row = 0; row < nearest_.size(); ++row) {
    voters.clear();
    for (const auto& candidate : nearest_[row]) { voters.push_back(comparison_.voter(candidate)); }
    ballot.cast(voters, static_cast<double>(wish_.least_k));
    if (ballot.winner() == static_cast<std::size_t>(decisions_[row])) { continue; }
    const Candidate& nearest = nearest_[row].front();
    const Candidate wrong{nearest.distance, row};
    const auto [place, is_new] = by_cell.try_emplace(nearest.row, wrong);
    if (!is_new) { place->second = std::min(place->second, wrong); }
  }
  std::vector<std::uint32_t> groups;
  for (const auto& [cell, wrong] : by_cell) {
    const bool itself = kept_[wrong.row] == 0 && label(wrong.row) == decisions_[wrong.row];
    groups.push_back(group_[itself ? wrong.row : help_for(wrong.row)]);
  }
  std::ranges::sort(groups);
  groups.erase(std::ranges::unique(groups).begin(), groups.end());
  std::vector<std::uint32_t> added;
  for (const std::uint32_t group : groups) { add_group(order_[group], added); }
  return added;
}

}  // namespace

std::vector<std::uint32_t> condensed(const Comparison& comparison, std::size_t classes,
                                     const Wish& wish, const Context& context) {
  return Condensing(comparison, classes, wish, context).run();
}

}  // namespace logodds::models::neighbors
