#include <algorithm>

#include "logodds/models/row_problem.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

using search::Candidate;

NeighborsDiscriminant::NeighborsDiscriminant(const NeighborRows& rows, const Schema& schema,
                                             const Wish& wish, int threads)
    : labels_(schema.labels), wish_(wish), comparison_(rows, schema, wish, wish.least_k, threads) {}

std::size_t NeighborsDiscriminant::neighbor_count() const {
  return std::min(wish_.least_k, neighbor_rows());
}

DesignRows NeighborsDiscriminant::queries(const RowBlock& block,
                                          std::vector<double>& scratch) const {
  const DesignRows rows = comparison_.space().coordinates(block, scratch);
  if (const auto row = comparison_.space().no_direction(rows)) {
    throw RowProblem{.row = *row, .column = {}, .sentence = kNoDirection};
  }
  return rows;
}

std::vector<double> NeighborsDiscriminant::coordinates(const RowBlock& block) const {
  if (wish_.metric == Metric::manhattan || wish_.metric == Metric::cosine) { return {}; }
  std::vector<double> scratch;
  const DesignRows rows = comparison_.space().coordinates(block, scratch);
  std::vector<double> result;
  result.reserve(rows.rows * rows.columns);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const row = rows.data + r * rows.stride;
    result.insert(result.end(), row, row + rows.columns);
  }
  return result;
}

void NeighborsDiscriminant::vote(std::span<const Candidate> found, Ballot& ballot,
                                 std::vector<Voter>& voters, double* scores) const {
  voters.clear();
  for (const Candidate& candidate : found) { voters.push_back(comparison_.voter(candidate)); }
  ballot.cast(voters, static_cast<double>(wish_.least_k));
  ballot.log_scores(scores);
}

void NeighborsDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  Ballot ballot(labels_.size(), comparison_.space(), wish_.by_distance);
  std::vector<Voter> voters;
  comparison_.index().nearest(queries(block, scratch),
                              comparison_.wanted(static_cast<double>(wish_.least_k)),
                              [&](std::size_t q, std::span<const Candidate> found) {
                                vote(found, ballot, voters, out.data() + q * labels_.size());
                              });
}

void NeighborsDiscriminant::nearest(const RowBlock& block, std::size_t count,
                                    std::span<std::int64_t> numbers, std::span<double> distances,
                                    std::span<double> log_scores) const {
  std::vector<double> scratch;
  Ballot ballot(labels_.size(), comparison_.space(), wish_.by_distance);
  std::vector<Voter> voters;
  search::Wanted wanted{.rows = count};
  if (!log_scores.empty()) {
    wanted = comparison_.wanted(static_cast<double>(wish_.least_k));
    wanted.rows = count;
  }
  comparison_.index().nearest(
      queries(block, scratch), wanted, [&](std::size_t q, std::span<const Candidate> found) {
        for (std::size_t i = 0; i < count; ++i) {
          numbers[q * count + i] = comparison_.number(found[i].row);
          distances[q * count + i] = comparison_.space().distance(found[i].distance);
        }
        if (log_scores.empty()) { return; }
        vote(found, ballot, voters, log_scores.data() + q * labels_.size());
      });
}

Description NeighborsDiscriminant::describe() const {
  const RowBlock& rows = comparison_.rows();
  Description description;
  description.facts = {{"rows", static_cast<std::int64_t>(rows.rows)},
                       {"index", comparison_.index().name()}};
  std::vector<double> by_class(labels_.size(), 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    by_class[static_cast<std::size_t>(rows.labels[r])] += rows.weight(r);
  }
  DescriptionTable classes{"classes", {"class", "weight"}, {}};
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    classes.rows.push_back({labels_[c], by_class[c]});
  }
  description.tables.push_back(std::move(classes));
  return description;
}

}  // namespace logodds::models::neighbors
