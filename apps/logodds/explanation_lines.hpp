// What predict --explain writes: for every row, why it is decided as it is.
#pragma once

#include <cstddef>
#include <string>

#include "logodds/explained_rows.hpp"

namespace logodds::app {

struct ExplanationStyle {
  bool json = false;           ///< one object a row and line, else a short block of text
  std::size_t top = 0;         ///< parts to show, the largest first; 0: all
  std::string log_base = "e";  ///< as written
};

/// Makes the text of a block; shared by all threads, so it only reads. The model must have Evidence
/// and outlive this.
class ExplanationLines {
 public:
  ExplanationLines(const Classifier& model, ExplanationStyle style);

  /// Appends to `text`.
  void render(const ExplainedBlock& block, std::string& text) const;

 private:
  [[nodiscard]] std::string text_of(const ExplainedRow& row) const;
  [[nodiscard]] std::string json_of(const ExplainedRow& row) const;

  ExplanationStyle style_;
  ExplainedRows rows_;
};

}  // namespace logodds::app
