// Class moments of rows that may lack values: sufficient for every Gaussian model under EM.
//
// Complete rows are summed as ever. An incomplete row goes to the moments of its class and of its
// pattern, that is of the columns which it has. Given those, the rows themselves are not needed:
// the expectations of EM depend on them through weight, mean and scatter alone (Little & Rubin,
// 2002, section 11.2).
#pragma once

#include <map>
#include <string>

#include "logodds/stats/class_moments.hpp"

namespace logodds {

class PatternMoments {
 public:
  explicit PatternMoments(SecondMoments second) : complete_(second) {}
  explicit PatternMoments(ClassMoments complete) : complete_(std::move(complete)) {}

  /// A missing number is NaN, a missing level kMissingCode. Throws Error(numeric) when there are
  /// too many patterns to keep.
  void add(const RowBlock& block, const Shape& shape);
  void merge(const PatternMoments& other);
  void unmerge(const PatternMoments& other, const Schema& schema);
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const PatternMoments& other) const;
  [[nodiscard]] double weight() const;
  [[nodiscard]] std::size_t size_for(const Shape& shape) const { return complete_.size_for(shape); }
  [[nodiscard]] std::size_t rows_incomplete() const { return rows_incomplete_; }

  [[nodiscard]] std::size_t classes() const { return complete_.classes(); }
  [[nodiscard]] double weight(std::size_t k) const;
  [[nodiscard]] const ClassMoments& complete() const { return complete_; }

  struct Key {
    std::size_t label = 0;
    std::string observed;  ///< '1' or '0' for each column: numbers, then coded columns
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  /// Moments of one class over the observed columns.
  [[nodiscard]] const std::map<Key, ClassMoments>& incomplete() const { return incomplete_; }

  /// The schema without the classes and levels that no row is left of.
  [[nodiscard]] Schema remaining(const Schema& schema) const;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static PatternMoments load(const modelfile::Reader& reader, const Schema& schema,
                                           SecondMoments second);

 private:
  void add_incomplete(const RowBlock& block, const Shape& shape,
                      std::span<const std::uint8_t> flags);
  void add_pattern(const Key& key, const RowBlock& block, const Shape& shape,
                   std::span<const std::size_t> members);
  [[nodiscard]] std::vector<double> level_weights(std::size_t coded, std::size_t coded_columns,
                                                  std::size_t levels) const;

  ClassMoments complete_;
  std::map<Key, ClassMoments> incomplete_;
  std::size_t rows_incomplete_ = 0;  ///< added here; a model read from a file does not know
};

}  // namespace logodds
