// K-means: K centers such that E = sum_n w_n min_k |x_n - c_k|^2 is small.
//
// One step moves every center to the mean of its rows and assigns every row to the nearest center,
// ties to the lower index. E never grows; when no row changes its cluster, nothing will any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/design.hpp"

namespace logodds {

/// `random`: K rows that differ. `plus_plus`: rows drawn one after the other with probability
/// proportional to w |x - nearest center so far|^2, of some candidates the one that leaves the
/// least E (Arthur & Vassilvitskii, k-means++, SODA 2007). `given`: KMeansOptions::centers.
enum class KMeansStart : std::uint8_t { plus_plus, random, given };

/// How the nearest centers are found; the result has the same bits. `lloyd`: all distances.
/// `triangle`: only those that the triangle inequality does not rule out, most of them first in
/// floats. `automatic`: `triangle` where there are many distances.
enum class KMeansMethod : std::uint8_t { automatic, lloyd, triangle };

struct KMeansOptions {
  std::size_t clusters = 8;
  KMeansStart start = KMeansStart::plus_plus;
  /// Where to start, row-major clusters x columns, if `start` is `given`.
  std::span<const double> centers{};
  std::size_t restarts = 1;     ///< starts, of which the one with the smallest E is kept
  std::size_t max_steps = 300;  ///< of each start
  /// Ends when the squared moves of all centers sum to this share of the mean variance of the
  /// columns. 0: when no row changes its cluster.
  double tolerance = 0.0;
  KMeansMethod method = KMeansMethod::automatic;
  /// E after every step, which costs a pass over the rows each; else only after the last one.
  bool trace = true;
};

/// Why no further step was taken: no row had changed its cluster, the centers had moved no more
/// than the tolerance (or not at all), or the steps were used up.
enum class KMeansEnd : std::uint8_t { no_change, small_move, max_steps };

/// What one step did.
struct KMeansStep {
  double error = 0.0;        ///< E
  std::size_t changed = 0;   ///< rows whose cluster is not that of the step before
  std::size_t reseeded = 0;  ///< clusters that had no row and were given the farthest one
};

struct KMeansResult {
  std::vector<double> centers;       ///< row-major clusters x columns
  std::vector<std::int32_t> labels;  ///< the cluster of every row: of the nearest center
  std::vector<double> weights;       ///< of the clusters
  std::vector<double> errors;        ///< of the clusters: they sum to E
  double error = 0.0;                ///< E
  /// The first is the start, which no step has moved. Without KMeansOptions::trace all E but the
  /// last are NaN.
  std::vector<KMeansStep> steps;
  KMeansEnd end = KMeansEnd::max_steps;
  std::size_t start = 0;             ///< which start it was, from 0
  std::vector<double> start_errors;  ///< E of all starts
};

/// Row r stands at rows.data + r * rows.stride; every number must be finite. `weights` (null: all
/// 1) are positive. Same bits for any number of threads and any vector level. Throws Error(usage |
/// input) when there are fewer rows, or rows that differ, than clusters.
[[nodiscard]] KMeansResult k_means(const DesignRows& rows, const double* weights,
                                   const KMeansOptions& options, const Context& context = {});

}  // namespace logodds
