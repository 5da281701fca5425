#include "models/k_means/centers.hpp"

#include <algorithm>

namespace logodds::models::k_means {

namespace {

/// Lanes of sums: fewer where the sums are large.
std::size_t lane_count(std::size_t doubles) {
  constexpr std::size_t kMostDoubles = std::size_t{1} << 22U;
  return std::clamp<std::size_t>(kMostDoubles / doubles, 1, 16);
}

/// The mean of the rows, or of some of them where there are many.
std::vector<double> about_the_mean(const Problem& problem) {
  std::vector<double> mean(problem.rows.columns, 0.0);
  const std::size_t step = 1 + problem.rows.rows / 4096;
  double weight = 0.0;
  for (std::size_t r = 0; r < problem.rows.rows; r += step) {
    weight += problem.weight(r);
    const double share = problem.weight(r) / weight;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += (problem.row(r)[i] - mean[i]) * share;
    }
  }
  return mean;
}

}  // namespace

std::size_t count_changes(const Changes& changes) {
  std::size_t count = 0;
  for (const auto& piece : changes) { count += piece.size(); }
  return count;
}

ClusterSums::ClusterSums(const Problem& problem, parallel::Team& team)
    : problem_(problem),
      team_(team),
      shift_(about_the_mean(problem)),
      sums_(problem.clusters * problem.rows.columns, 0.0),
      counts_(problem.clusters, 0),
      weights_(problem.clusters, 0.0) {}

template <class Work>
void ClusterSums::add_lanes(Work work) {
  const std::size_t lanes = lane_count(sums_.size());
  const std::size_t pieces = problem_.pieces.count();
  std::vector<std::vector<double>> sums(lanes);
  team_.each(lanes, [&](std::size_t lane) {
    sums[lane].assign(sums_.size(), 0.0);
    for (std::size_t p = lane * pieces / lanes; p < (lane + 1) * pieces / lanes; ++p) {
      work(p, sums[lane].data());
    }
  });
  for (const auto& lane : sums) {
    for (std::size_t i = 0; i < sums_.size(); ++i) { sums_[i] += lane[i]; }
  }
}

void ClusterSums::sum_weights(std::span<const std::int32_t> labels) {
  if (problem_.weights == nullptr) {
    std::ranges::copy(counts_, weights_.begin());
    return;
  }
  std::ranges::fill(weights_, 0.0);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    weights_[static_cast<std::size_t>(labels[r])] += problem_.weights[r];
  }
}

void ClusterSums::sum_all(std::span<const std::int32_t> labels) {
  const DesignRows& rows = problem_.rows;
  std::ranges::fill(sums_, 0.0);
  add_lanes([&](std::size_t p, double* sums) {
    const auto [first, last] = problem_.pieces[p];
    const double* const weights = problem_.weights == nullptr ? nullptr : problem_.weights + first;
    kernels::labelled_sums(problem_.row(first), last - first, rows.columns, rows.stride, weights,
                           shift_.data(), labels.data() + first, sums);
  });
  fresh_ = true;
}

void ClusterSums::update(std::span<const std::int32_t> labels, const Changes& changes) {
  constexpr std::size_t kFew = 4;
  const std::size_t changed = count_changes(changes);
  for (const auto& piece : changes) {
    for (const auto& move : piece) {
      if (move.from >= 0) { --counts_[static_cast<std::size_t>(move.from)]; }
      ++counts_[static_cast<std::size_t>(move.to)];
    }
  }
  // A small weight may be all that is left of large ones, so weighted rows are summed anew.
  if (problem_.weights != nullptr || kFew * changed > labels.size()) {
    sum_all(labels);
  } else if (changed > 0) {
    const DesignRows& rows = problem_.rows;
    add_lanes([&](std::size_t p, double* sums) {
      kernels::moved_sums(rows.data, rows.columns, rows.stride, shift_.data(), changes[p].data(),
                          changes[p].size(), sums);
    });
    fresh_ = false;
  }
  sum_weights(labels);
}

bool ClusterSums::renew(std::span<const std::int32_t> labels) {
  if (fresh_) { return false; }
  sum_all(labels);
  return true;
}

void ClusterSums::means(std::vector<double>& centers) const {
  const std::size_t d = problem_.rows.columns;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (std::size_t i = k * d; i < (k + 1) * d && counts_[k] > 0; ++i) {
      centers[i] = shift_[i - k * d] + sums_[i] / weights_[k];
    }
  }
}

}  // namespace logodds::models::k_means
