// One line of an svmlight file: LABEL [qid:N] INDEX:VALUE INDEX:VALUE ... # COMMENT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace logodds {

struct SvmlightLine {
  std::string_view label;  ///< without a '+' before it; empty when the line begins with a pair
  std::string_view pairs;  ///< without the comment
};

/// Neither blank nor a comment.
[[nodiscard]] bool svmlight_row(std::string_view line);
[[nodiscard]] SvmlightLine split_svmlight(std::string_view line);

struct SvmlightPair {
  std::uint64_t index = 0;
  double value = 0.0;
};

/// Reads the pairs of a line from first to last.
class PairReader {
 public:
  explicit PairReader(std::string_view pairs) : rest_(pairs) {}
  /// Throws std::invalid_argument, with what is wrong and the cure, for something that is no pair,
  /// for indices that do not ascend and for a value that is not finite.
  [[nodiscard]] std::optional<SvmlightPair> next();
  /// All pairs so far are written in the shortest way: no '+', no leading zeros of the index, and
  /// no pair of the value 0.
  [[nodiscard]] bool plain() const { return plain_; }

 private:
  std::string_view rest_;
  std::optional<std::uint64_t> last_;
  bool plain_ = true;
};

}  // namespace logodds
