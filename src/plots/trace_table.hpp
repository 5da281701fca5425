// What an optimizer or a clustering wrote down of its course (--trace).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace logodds::plots {

struct TraceTable {
  std::string name{};              ///< to show
  std::string step{};              ///< of the first column: "iteration", "pass"
  std::string objective{};         ///< what falls, or rises: "objective", "E", "log-likelihood"
  bool rises = false;              ///< the larger the better
  std::vector<double> steps{};     ///< 0, 1, 2, ...
  std::vector<double> values{};    ///< NaN where it was infinite
  std::vector<double> gradient{};  ///< norms; empty where there are none
};

/// A file and the name to show for it. Throws Error(io | input) that names file, line and column.
[[nodiscard]] TraceTable read_trace(const std::string& path, std::string name);

/// Names of files without folders and endings, or as they are where two would be called alike.
[[nodiscard]] std::vector<std::string> short_names(
    const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace logodds::plots
