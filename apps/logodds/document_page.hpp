// Rows as HTML: documents in which the words that decided are marked.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds::app {

/// Makes the text of a block; shared by all threads, so it only reads. The model must have Evidence
/// and outlive this.
class DocumentPage {
 public:
  /// `top`: terms listed below each document.
  DocumentPage(const Classifier& model, std::size_t top, double log_base);

  [[nodiscard]] static std::string head();
  /// Appends the rows of a block to `text`.
  void render(const ExplainedBlock& block, std::string& text) const;
  [[nodiscard]] static std::string foot();

 private:
  static constexpr std::size_t kNoText = std::numeric_limits<std::size_t>::max();

  void render_row(const ExplainedBlock& block, std::size_t row, std::string& text) const;
  void render_document(std::string_view document, std::size_t part,
                       const std::vector<TextMark>& marks, std::string& text) const;
  void render_terms(const ExplainedBlock& block, std::size_t row,
                    const std::vector<WordShare>& words, std::string& text) const;

  const Classifier& model_;
  const Evidence& evidence_;
  std::string base_name_;  ///< "(prior)", or "(intercept)"
  std::size_t top_;
  double scale_;                          ///< from natural logarithms to those that are shown
  std::vector<std::size_t> text_places_;  ///< by part: which text column of a block, or kNoText
};

}  // namespace logodds::app
