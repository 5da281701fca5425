// Why a row is decided as it is: the log odds of one class against another as a sum over columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

/// What one word of a document adds to the log odds.
struct WordShare {
  std::size_t part = 0;       ///< of Evidence::parts(): the column that the document is in
  std::string word;           ///< as the model counts it, or what else the document tells, in ()
  double count = 0.0;         ///< how often it occurs; 0: it is no word
  double contribution = 0.0;  ///< of all its occurrences
};

/// Bytes of a document, and what they add to the log odds.
struct TextMark {
  std::size_t part = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  double contribution = 0.0;
};

class Evidence {
 public:
  Evidence() = default;
  Evidence(const Evidence&) = default;
  Evidence(Evidence&&) = default;
  Evidence& operator=(const Evidence&) = default;
  Evidence& operator=(Evidence&&) = default;
  virtual ~Evidence() = default;

  /// What the terms of the sum belong to: columns, or columns that are modelled together ("a+b").
  [[nodiscard]] virtual const std::vector<std::string>& parts() const = 0;
  /// For each row r, with a = first[r] and b = second[r], the terms of
  ///   ln p(C_a | x) - ln p(C_b | x) = base[r] + sum_i out[r * parts + i];
  /// `base` is what holds before any column is seen: ln pi_a - ln pi_b (of a model without priors,
  /// the difference of its intercepts). The term of a missing value is 0. -infinity and infinity
  /// stand where one class is impossible, 0 where both are.
  virtual void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                             std::span<const std::int32_t> second, std::span<double> out,
                             std::span<double> base) const = 0;
  /// The term of each part that is a document, word by word, in the order of the words' first
  /// occurrences: they add up to it. Empty for a model without text.
  [[nodiscard]] virtual std::vector<WordShare> words(const RowBlock& /*block*/, std::size_t /*row*/,
                                                     std::int32_t /*first*/,
                                                     std::int32_t /*second*/) const {
    return {};
  }
  /// The same by place, in ascending order without overlap; words outside of the vocabulary have
  /// none.
  [[nodiscard]] virtual std::vector<TextMark> marks(const RowBlock& /*block*/, std::size_t /*row*/,
                                                    std::int32_t /*first*/,
                                                    std::int32_t /*second*/) const {
    return {};
  }
};

}  // namespace logodds
