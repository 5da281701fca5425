#include "models/neighbors/leave_one_out.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/data/schema.hpp"

namespace logodds::models::neighbors {

namespace {

/// What is left when one row of `row` is taken out.
void take_voters(const Comparison& comparison, std::size_t row,
                 std::span<const search::Candidate> found, std::vector<Voter>& voters) {
  voters.clear();
  for (const auto& candidate : found) {
    Voter voter = comparison.voter(candidate);
    if (candidate.row == row) { voter.weight -= 1.0; }
    if (voter.weight > 0.0) { voters.push_back(voter); }
  }
}

}  // namespace

std::vector<double> leave_one_out(const Comparison& comparison, std::size_t classes,
                                  const Wish& wish, std::size_t most, const Context& context) {
  const RowBlock& rows = comparison.rows();
  std::vector<std::vector<double>> wrong(comparison.blocks(), std::vector<double>(most, 0.0));
  const auto wanted = comparison.wanted(static_cast<double>(most) + 1.0);
  comparison.for_blocks(
      context, "leaving one out",
      [&](std::size_t block, std::size_t first, const DesignRows& queries) {
        Ballot ballot(classes, comparison.space(), wish.by_distance);
        std::vector<Voter> voters;
        comparison.index().nearest(
            queries, wanted, [&](std::size_t q, std::span<const search::Candidate> found) {
              const std::size_t row = first + q;
              take_voters(comparison, row, found, voters);
              for (std::size_t k = 1; k <= most; ++k) {
                ballot.cast(voters, static_cast<double>(k));
                if (ballot.winner() == static_cast<std::size_t>(rows.labels[row])) { continue; }
                wrong[block][k - 1] += rows.weight(row);
              }
            });
      });
  std::vector<double> errors(most, 0.0);
  for (const auto& block : wrong) {
    for (std::size_t k = 0; k < most; ++k) { errors[k] += block[k]; }
  }
  return errors;
}

std::size_t chosen_k(const Comparison& comparison, std::size_t classes, const Wish& wish,
                     const Context& context, FitReport& report) {
  double weight = 0.0;
  for (std::size_t r = 0; r < comparison.rows().rows; ++r) {
    weight += comparison.rows().weight(r);
  }
  const double others = std::max(1.0, std::ceil(weight) - 1.0);
  const auto most = static_cast<std::size_t>(std::min(
      static_cast<double>(wish.most_k), std::max(others, static_cast<double>(wish.least_k))));
  const auto errors = leave_one_out(comparison, classes, wish, most, context);
  const auto first = errors.begin() + static_cast<std::ptrdiff_t>(wish.least_k) - 1;
  const auto best = std::min_element(first, errors.end());
  DescriptionTable curve{"k: errors when every row is left out once", {"k", "errors", "error"}, {}};
  for (auto error = first; error != errors.end(); ++error) {
    const auto k = static_cast<std::int64_t>(error - errors.begin()) + 1;
    curve.rows.push_back({k, *error, *error / weight});
  }
  report.tables.push_back(std::move(curve));
  const auto k = static_cast<std::size_t>(best - errors.begin()) + 1;
  report.notes.push_back("k = " + std::to_string(k) + " has the least leave-one-out error, " +
                         format_number(*best) + " of " + format_number(weight) + " rows");
  return k;
}

}  // namespace logodds::models::neighbors
