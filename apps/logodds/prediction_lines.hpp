// The lines of CSV that predict writes: one a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds::app {

/// The decision of a row that --reject-outliers turns away.
inline constexpr std::string_view kRejected = "reject";

/// Which columns stand after the decision.
struct PredictionColumns {
  bool posteriors = false;
  bool densities = false;
  std::vector<std::string> distances{};  ///< names, one a linear boundary; empty: none
  std::size_t neighbors = 0;             ///< how many; each has two columns
};

/// Makes the lines of a block; shared by all threads, so it only reads.
class PredictionLines {
 public:
  PredictionLines(const std::vector<std::string>& labels, PredictionColumns columns);

  [[nodiscard]] const std::string& header() const { return header_; }
  /// Appends to `text`.
  void render(const ScoredBlock& block, std::string& text) const;

 private:
  void render_neighbors(const ScoredBlock& block, std::size_t row, std::string& text) const;
  void render_row(const ScoredBlock& block, std::size_t row, std::string& text) const;

  std::size_t classes_;
  PredictionColumns columns_;
  std::string header_;
  std::string skipped_;  ///< the line of a row without a decision
  std::vector<std::string> labels_;
};

}  // namespace logodds::app
