// What predict --explain writes: for every row, why it is decided as it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds::app {

struct ExplanationStyle {
  bool json = false;           ///< one object a row and line, else a short block of text
  std::size_t top = 0;         ///< parts to show, the largest first; 0: all
  std::string log_base = "e";  ///< as written
};

/// A row with what there is to say about it, in the order in which it is said.
struct ExplainedRow {
  struct Term {
    std::string part;
    /// The columns of the part that have a value, as in the data: a number, or the name of a level;
    /// nothing for a level that training has not met.
    std::vector<std::pair<std::string, std::optional<Cell>>> values;
    bool joint = false;  ///< the part is of several columns
    double contribution = 0.0;
    /// Of a text column: one word, or what else the document tells, in ().
    std::optional<std::string> word{};
    double count = 0.0;  ///< of the word
  };
  std::size_t number = 0;                ///< from 1
  std::optional<std::string> decision;   ///< none: skipped
  std::optional<std::string> against{};  ///< none: skipped or rejected, and so is all that follows
  double posterior = 0.0;
  double log_odds = 0.0;
  double base = 0.0;
  std::vector<Term> terms{};  ///< the largest first
  std::size_t others = 0;     ///< terms that are not shown
  double rest = 0.0;          ///< their sum
};

/// Makes the text of a block; shared by all threads, so it only reads. The model must have Evidence
/// and outlive this.
class ExplanationLines {
 public:
  ExplanationLines(const Classifier& model, ExplanationStyle style);

  /// Appends to `text`.
  void render(const ExplainedBlock& block, std::string& text) const;

 private:
  struct Share {
    std::size_t part = 0;
    double contribution = 0.0;
    std::optional<std::string> word{};  ///< of a text column
    double count = 0.0;
  };
  void add_words(const ExplainedBlock& block, std::size_t row, std::vector<Share>& all) const;
  [[nodiscard]] bool is_text(std::size_t part) const;
  [[nodiscard]] ExplainedRow explained(const ExplainedBlock& block, std::size_t row) const;
  /// Of the parts that have a value, and of the words of documents, the largest first.
  [[nodiscard]] std::vector<Share> shares(const ExplainedBlock& block, std::size_t row) const;
  [[nodiscard]] ExplainedRow::Term term(const RowBlock& rows, std::size_t row,
                                        const Share& share) const;
  [[nodiscard]] bool present(const RowBlock& rows, std::size_t row, std::size_t column) const;
  [[nodiscard]] std::optional<Cell> value(const RowBlock& rows, std::size_t row,
                                          std::size_t column) const;
  [[nodiscard]] std::string text_of(const ExplainedRow& row) const;
  [[nodiscard]] std::string json_of(const ExplainedRow& row) const;

  const Classifier& model_;
  const Evidence& evidence_;
  ExplanationStyle style_;
  std::vector<std::size_t> positions_;                  ///< of schema columns in their RowBlock
  std::vector<std::vector<std::size_t>> part_columns_;  ///< schema columns of each part
  std::string base_name_;                               ///< "prior", or "intercept"
  double scale_;  ///< from natural logarithms to those that are shown
};

}  // namespace logodds::app
