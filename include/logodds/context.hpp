// How a piece of work is to run: threads, seed, whom to tell about progress.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace logodds {

class BlockSource;
class Classifier;
struct Schema;

struct Progress {
  std::string_view what;      ///< "reading", "optimizing", ...
  double fraction = -1.0;     ///< 0 to 1, or -1 when the end is not known
  std::size_t rows = 0;       ///< rows done so far, when rows are what is being done
  double objective = 0.0;     ///< current objective of an optimiser
  std::size_t iteration = 0;  ///< its iteration, 0 when nothing is being optimised
};

struct Context {
  int threads = 1;
  std::uint64_t seed = 0;
  /// Called now and then, from one thread at a time; may throw to stop the work.
  std::function<void(const Progress&)> progress{};
  /// Where an optimiser starts: a model of the same family, columns and classes, or null. Families
  /// without an optimiser take no notice.
  const Classifier* warm_start = nullptr;
  /// Whether every step is to be told where that costs time: E after every step of K-means.
  bool trace = true;
  /// Opens the rows that a clustering is to start from, read against the schema of its data; null:
  /// there are none. Families that learn from labels take no notice.
  std::function<std::unique_ptr<BlockSource>(const Schema&)> start_rows{};
};

}  // namespace logodds
