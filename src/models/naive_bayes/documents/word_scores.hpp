// Scores of documents as sums over their words, in the form in which they are computed fastest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/large_array.hpp"

namespace logodds::models::naive_bayes {

/// Rows of which most values are 0: by term, the classes that differ from the rest.
class SparseRows {
 public:
  void put(std::int32_t label, double value) {
    labels_.push_back(label);
    values_.push_back(value);
  }
  void end_row() { starts_.push_back(labels_.size()); }
  /// So many rows and values, to be filled in any order with set_row_end() and set().
  void resize(std::size_t rows, std::size_t values) {
    starts_.resize(rows + 1);
    labels_.resize(values);
    values_.resize(values);
  }
  void set_row_end(std::size_t row, std::size_t place) { starts_[row + 1] = place; }
  void set(std::size_t place, std::int32_t label, double value) {
    labels_[place] = label;
    values_[place] = value;
  }
  [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
  [[nodiscard]] std::span<const std::int32_t> labels(std::size_t row) const {
    return std::span(labels_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }
  [[nodiscard]] std::span<const double> values(std::size_t row) const {
    return std::span(values_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }
  /// Brings what add() needs from memory: first where the row begins, then, when that is there, the
  /// row itself.
  void prefetch_start(std::size_t row) const { __builtin_prefetch(&starts_[row]); }
  void prefetch(std::size_t row) const {
    __builtin_prefetch(labels_.data() + starts_[row]);
    __builtin_prefetch(values_.data() + starts_[row]);
  }
  /// sums[label] += factor * value
  void add(std::size_t row, double factor, double* sums) const {
    for (std::size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      sums[labels_[i]] += factor * values_[i];
    }
  }
  /// 0 where the row has none.
  [[nodiscard]] double value(std::size_t row, std::int32_t label) const {
    for (std::size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      if (labels_[i] == label) { return values_[i]; }
    }
    return 0.0;
  }
  [[nodiscard]] bool has(std::size_t row, std::int32_t label) const {
    for (std::size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      if (labels_[i] == label) { return true; }
    }
    return false;
  }

 private:
  memory::LargeVector<std::size_t> starts_{0};
  memory::LargeVector<std::int32_t> labels_;
  memory::LargeVector<double> values_;
};

/// ln p(D | C_k), up to what all classes have in common:
///   base_k + sum_t m_t x_t (slope_k + delta_tk),
/// delta_tk being 0 in the classes whose documents do not have the term. Behind the rows of the
/// terms stands one for all terms of the vocabulary that training has not met.
struct WordScores {
  std::vector<double> base;         ///< by class; empty: 0
  std::vector<double> slope;        ///< by class
  std::vector<double> multipliers;  ///< m_t; empty: 1
  SparseRows deltas;                ///< by term
  /// Without smoothing a class is impossible whose documents do not have some term of D, and one
  /// (of Bernoulli laws) all of whose documents have some term that D has not. Such terms have an
  /// infinite delta and are left out of base and deltas.
  bool excludes = false;
  std::vector<double> required;  ///< by class: terms that all its documents have; empty: none

  // Of a Markov law: of the pairs of words, ln of p(w | v) over its share by p(w) alone.
  SparseRows histories;  ///< by the first word: ln(beta / (c_k(v.) + beta))
  SparseRows bigrams;    ///< ln((c_k(vw) + beta p_k(w)) / (beta p_k(w)))

  [[nodiscard]] double multiplier(std::size_t term) const {
    return multipliers.empty() ? 1.0 : multipliers[term];
  }
};

}  // namespace logodds::models::naive_bayes
