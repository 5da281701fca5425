// Explained rows as people read them: terms with their columns and values, the largest first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds {

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
  std::optional<std::string> decision;   ///< none: skipped or rejected
  bool rejected = false;                 ///< it could have been decided, and was not
  std::optional<std::string> against{};  ///< none: there is no decision, and so no more to say
  double posterior = 0.0;
  double log_odds = 0.0;
  double base = 0.0;
  std::vector<Term> terms{};  ///< the largest first
  std::size_t others = 0;     ///< terms that are not shown
  double rest = 0.0;          ///< their sum
};

/// "bill_length_mm=39.1", "a=1, b=yes", "text: word x 3"
[[nodiscard]] std::string term_text(const ExplainedRow::Term& term);

/// Makes them of blocks; shared by all threads, so it only reads. The model must have Evidence and
/// outlive this.
class ExplainedRows {
 public:
  /// `top`: terms to show of each row, 0: all. `log_base`: that of the blocks (ExplainRequest).
  ExplainedRows(const Classifier& model, std::size_t top, double log_base);

  [[nodiscard]] ExplainedRow row(const ExplainedBlock& block, std::size_t row) const;
  /// What the sum starts with: "prior", or "intercept" of a model without priors.
  [[nodiscard]] const std::string& base_name() const { return base_name_; }

 private:
  struct Share {
    std::size_t part = 0;
    double contribution = 0.0;
    std::optional<std::string> word{};  ///< of a text column
    double count = 0.0;
  };
  void add_words(const ExplainedBlock& block, std::size_t row, std::vector<Share>& all) const;
  [[nodiscard]] bool is_text(std::size_t part) const;
  /// Of the parts that have a value, and of the words of documents, the largest first.
  [[nodiscard]] std::vector<Share> shares(const ExplainedBlock& block, std::size_t row) const;
  [[nodiscard]] ExplainedRow::Term term(const RowBlock& rows, std::size_t row,
                                        const Share& share) const;
  [[nodiscard]] bool present(const RowBlock& rows, std::size_t row, std::size_t column) const;
  [[nodiscard]] std::optional<Cell> value(const RowBlock& rows, std::size_t row,
                                          std::size_t column) const;

  const Classifier& model_;
  const Evidence& evidence_;
  std::size_t top_;
  std::vector<std::size_t> positions_;                  ///< of schema columns in their RowBlock
  std::vector<std::vector<std::size_t>> part_columns_;  ///< schema columns of each part
  std::string base_name_;
  double scale_;  ///< from natural logarithms to those that are shown
};

}  // namespace logodds
