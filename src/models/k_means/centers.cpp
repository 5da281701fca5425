#include "models/k_means/centers.hpp"

#include <algorithm>

namespace logodds::models::k_means {

namespace {

/// Lanes of sums: fewer where the sums are large.
std::size_t lane_count(const Problem& problem, std::size_t width) {
  constexpr std::size_t kMostDoubles = std::size_t{1} << 22U;
  const std::size_t fit = kMostDoubles / (problem.clusters * width);
  return std::clamp<std::size_t>(fit, 1, 16);
}

}  // namespace

ClusterSums::ClusterSums(const Problem& problem, parallel::Team& team)
    : problem_(problem),
      team_(team),
      width_(problem.rows.columns + 1),
      shift_(problem.rows.columns, 0.0),
      sums_(problem.clusters * width_, 0.0),
      counts_(problem.clusters, 0),
      weights_(problem.clusters, 0.0) {
  // About the mean will do: the rows of every 16th piece or so.
  const std::size_t step = 1 + problem.rows.rows / 65536;
  double weight = 0.0;
  for (std::size_t r = 0; r < problem.rows.rows; r += step) {
    weight += problem.weight(r);
    for (std::size_t i = 0; i < shift_.size(); ++i) {
      shift_[i] += (problem.row(r)[i] - shift_[i]) * (problem.weight(r) / weight);
    }
  }
}

void ClusterSums::add(std::size_t row, std::int32_t cluster, double sign, double* sums) const {
  double* const to = sums + static_cast<std::size_t>(cluster) * width_;
  const double* const x = problem_.row(row);
  const double factor = sign * problem_.weight(row);
  for (std::size_t i = 0; i + 1 < width_; ++i) { to[i] += factor * (x[i] - shift_[i]); }
  to[width_ - 1] += factor;
}

template <class Work>
void ClusterSums::add_lanes(Work work) {
  const std::size_t lanes = lane_count(problem_, width_);
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

void ClusterSums::count(std::span<const std::int32_t> labels, const Changes& changes) {
  for (const auto& piece : changes) {
    for (const Change& change : piece) {
      if (change.from >= 0) { --counts_[static_cast<std::size_t>(change.from)]; }
      ++counts_[static_cast<std::size_t>(labels[change.row])];
    }
  }
}

void ClusterSums::sum_all(std::span<const std::int32_t> labels) {
  std::ranges::fill(sums_, 0.0);
  add_lanes([&](std::size_t p, double* sums) {
    const Piece piece = problem_.pieces[p];
    for (std::size_t r = piece.first; r < piece.last; ++r) { add(r, labels[r], 1.0, sums); }
  });
  fresh_ = true;
  take_weights();
}

void ClusterSums::take_weights() {
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    double* const sums = sums_.data() + k * width_;
    if (counts_[k] == 0) { std::fill_n(sums, width_, 0.0); }
    if (problem_.weights == nullptr) { sums[width_ - 1] = static_cast<double>(counts_[k]); }
    weights_[k] = sums[width_ - 1];
  }
}

void ClusterSums::update(std::span<const std::int32_t> labels, const Changes& changes) {
  constexpr std::size_t kFew = 4;
  std::size_t changed = 0;
  for (const auto& piece : changes) { changed += piece.size(); }
  count(labels, changes);
  // A small weight may be all that is left of large ones.
  if (problem_.weights != nullptr || kFew * changed > labels.size()) { return sum_all(labels); }
  add_lanes([&](std::size_t p, double* sums) {
    for (const Change& change : changes[p]) {
      add(change.row, labels[change.row], 1.0, sums);
      add(change.row, change.from, -1.0, sums);
    }
  });
  fresh_ = changed == 0 && fresh_;
  take_weights();
}

bool ClusterSums::renew(std::span<const std::int32_t> labels) {
  if (fresh_) { return false; }
  sum_all(labels);
  return true;
}

void ClusterSums::means(std::vector<double>& centers) const {
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (counts_[k] == 0) { continue; }
    const double* const sums = sums_.data() + k * width_;
    double* const center = centers.data() + k * (width_ - 1);
    for (std::size_t i = 0; i + 1 < width_; ++i) { center[i] = shift_[i] + sums[i] / weights_[k]; }
  }
}

}  // namespace logodds::models::k_means
