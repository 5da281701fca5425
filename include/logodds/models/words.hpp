// What a model of documents knows about words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace logodds {

/// A word that speaks for a class.
struct TopWord {
  std::string word;
  double count = 0.0;      ///< in the class
  double elsewhere = 0.0;  ///< in all others together
  double log_odds = 0.0;   ///< ln p(word | class) - ln p(word | all others together)
};

class Words {
 public:
  Words() = default;
  Words(const Words&) = default;
  Words(Words&&) = default;
  Words& operator=(const Words&) = default;
  Words& operator=(Words&&) = default;
  virtual ~Words() = default;

  /// The text columns, by name.
  [[nodiscard]] virtual std::vector<std::string> text_columns() const = 0;
  /// The terms that column `column` of these is scored by, in ascending order of their bytes.
  [[nodiscard]] virtual std::vector<std::string> vocabulary(std::size_t column) const = 0;
  /// For each class the `most` words with the highest log odds, the highest first
  /// (ties: the more frequent, then by bytes).
  [[nodiscard]] virtual std::vector<std::vector<TopWord>> top_words(std::size_t column,
                                                                    std::size_t most) const = 0;
};

}  // namespace logodds
