#include "models/neural/standardize.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/stats/variance.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::neural {

namespace {

double weight_of(const RowBlock& block, const std::vector<std::uint32_t>& members) {
  double sum = 0.0;
  for (const auto row : members) { sum += block.weight(row); }
  return sum;
}

/// In two passes: the second adds the mean of what the rounding of the first left over, so that a
/// constant column has no variance at all.
std::vector<double> weighted_mean(const DesignRows& x, const RowBlock& block,
                                  const std::vector<std::uint32_t>& members, double total) {
  std::vector<double> mean(x.columns, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> rest(x.columns, 0.0);
    for (const auto row : members) {
      const double share = block.weight(row) / total;
      const double* const values = x.data + row * x.stride;
      for (std::size_t i = 0; i < x.columns; ++i) { rest[i] += share * (values[i] - mean[i]); }
    }
    for (std::size_t i = 0; i < x.columns; ++i) { mean[i] += rest[i]; }
  }
  return mean;
}

/// Rows of each class in an order of the seed's.
std::vector<std::vector<std::uint32_t>> shuffled_by_class(const RowBlock& block,
                                                          std::size_t classes, std::uint64_t seed) {
  // Not a number that counts passes or restarts: these draw from the same seed.
  constexpr std::uint64_t kStream = std::uint64_t{1} << 62U;
  std::vector<std::vector<std::uint32_t>> rows(classes);
  for (std::size_t r = 0; r < block.rows; ++r) {
    rows[static_cast<std::size_t>(block.labels[r])].push_back(static_cast<std::uint32_t>(r));
  }
  random::RowDraws draws(seed, kStream);
  for (auto& members : rows) {
    for (std::size_t left = members.size(); left > 1; --left) {
      const auto place = static_cast<std::size_t>(draws.uniform() * static_cast<double>(left));
      std::swap(members[left - 1], members[place]);
    }
  }
  return rows;
}

}  // namespace

Standardization standardization(const DesignRows& x, const RowBlock& block,
                                const std::vector<std::uint32_t>& members,
                                const std::vector<std::string>& names) {
  const double total = weight_of(block, members);
  Standardization result{weighted_mean(x, block, members, total), {}};
  std::vector<double> variance(x.columns, 0.0);
  for (const auto row : members) {
    const double share = block.weight(row) / total;
    const double* const values = x.data + row * x.stride;
    for (std::size_t i = 0; i < x.columns; ++i) {
      const double off = values[i] - result.center[i];
      variance[i] += share * off * off;
    }
  }
  for (std::size_t i = 0; i < x.columns; ++i) {
    if (!std::isfinite(variance[i])) {
      throw Error(ErrorCode::numeric, "column '" + names[i] +
                                          "': the values are so large that their squares overflow; "
                                          "divide the column by a constant");
    }
    const bool none = has_no_variance(variance[i], std::abs(result.center[i]));
    result.scale.push_back(none ? 0.0 : 1.0 / std::sqrt(variance[i]));
  }
  return result;
}

NetRows standardized(const DesignRows& x, const RowBlock& block,
                     const std::vector<std::uint32_t>& members,
                     const Standardization& standardization) {
  NetRows rows;
  rows.rows = members.size();
  rows.weight = weight_of(block, members);
  rows.z.resize(members.size() * x.columns);
  double* to = rows.z.data();
  for (const auto row : members) {
    const double* const values = x.data + row * x.stride;
    for (std::size_t i = 0; i < x.columns; ++i) {
      to[i] = (values[i] - standardization.center[i]) * standardization.scale[i];
    }
    to += x.columns;
    rows.labels.push_back(block.labels[row]);
    if (block.weights != nullptr) { rows.weights.push_back(block.weights[row]); }
  }
  return rows;
}

Split split_rows(const RowBlock& block, std::size_t classes, double share, std::uint64_t seed) {
  Split split;
  if (share <= 0.0) {
    split.training.resize(block.rows);
    std::iota(split.training.begin(), split.training.end(), 0U);
    return split;
  }
  for (const auto& members : shuffled_by_class(block, classes, seed)) {
    if (members.empty()) { continue; }
    const double wanted = std::round(share * static_cast<double>(members.size()));
    const std::size_t held = std::min(static_cast<std::size_t>(wanted), members.size() - 1);
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>(held);
    split.held_out.insert(split.held_out.end(), members.begin(), middle);
    split.training.insert(split.training.end(), middle, members.end());
  }
  if (split.held_out.empty()) {
    throw Error(ErrorCode::usage, "--validation " + format_number(share) + " of " +
                                      std::to_string(block.rows) +
                                      " rows holds out none, as every class keeps a row to learn "
                                      "from; give a larger share, more rows, or --validation 0");
  }
  std::ranges::sort(split.training);
  std::ranges::sort(split.held_out);
  return split;
}

}  // namespace logodds::models::neural
