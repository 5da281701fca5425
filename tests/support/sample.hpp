// Rows of numbers with classes, for tests that compare models with formulas.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "logodds/logodds.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds::test {

struct Sample {
  std::size_t columns = 0;
  std::size_t classes = 0;
  std::vector<double> values;        ///< row-major; NaN is missing
  std::vector<std::int64_t> labels;  ///< class k is called "c" + k
  std::vector<double> weights;       ///< empty: all 1

  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] double at(std::size_t r, std::size_t i) const { return values[r * columns + i]; }
  [[nodiscard]] double weight(std::size_t r) const { return weights.empty() ? 1.0 : weights[r]; }
  [[nodiscard]] std::size_t label(std::size_t r) const {
    return static_cast<std::size_t>(labels[r]);
  }
  /// Rows [begin, end).
  [[nodiscard]] Sample part(std::size_t begin, std::size_t end) const;
  void append(const Sample& other, std::size_t r);  ///< a row of another
  /// As the front door takes it: columns x1, x2, ..., labels c0, c1, ...
  [[nodiscard]] MatrixData data() const;
  /// As statistics take it; `codes` is working memory.
  [[nodiscard]] RowBlock block(std::vector<std::int32_t>& codes) const;
  [[nodiscard]] Shape shape() const {
    return {.classes = classes, .numeric = columns, .levels = {}};
  }
};

/// Correlated columns; classes that overlap, of different sizes, each with a covariance of its own.
[[nodiscard]] Sample made_sample(std::size_t rows, std::size_t columns, std::size_t classes,
                                 std::uint64_t seed);
/// The same rows with weights 0.5, 1, ..., 2.5.
[[nodiscard]] Sample weighted(Sample sample, std::uint64_t seed);
/// Some values, a share of all, gone; a row keeps one at least.
[[nodiscard]] Sample with_gaps(Sample sample, double share, std::uint64_t seed);

using OptionMap = std::map<std::string, std::string>;

[[nodiscard]] Fit fit(const Sample& sample, const OptionMap& options = {},
                      const Context& context = {});
/// Row-major rows x classes.
[[nodiscard]] std::vector<double> posteriors_of(const Classifier& model, const Sample& sample);
/// A parameter by its name: "means", "covariances", ...
[[nodiscard]] std::vector<double> array_of(const Classifier& model, const std::string& name);
/// What training says when it refuses; empty when it does not.
[[nodiscard]] std::string refusal(const Sample& sample, const OptionMap& options);
/// Largest difference in units of 1 + |expected|.
[[nodiscard]] double largest_error(const std::vector<double>& actual,
                                   const std::vector<double>& expected);
[[nodiscard]] bool contains(const std::string& text, const std::string& part);

}  // namespace logodds::test
