// Scores that are linear in the features: what softmax, indicator and perceptron models score by.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/models/description.hpp"
#include "models/linear/features.hpp"

namespace logodds::models::linear {

/// a_k = theta_k . (f(x) - center) + bias_k, in the user's units.
class LinearScores {
 public:
  /// center D, coefficients D x K row-major, bias K.
  LinearScores(std::vector<std::string> labels, Features features, std::vector<double> center,
               std::vector<double> coefficients, std::vector<double> bias);

  /// rows x K, of dense and of sparse blocks.
  void log_scores(const RowBlock& block, std::span<double> out) const;

  /// Evidence: the term of a feature is (theta_a - theta_b)_i (f_i - center_i), those of a part
  /// added up, and the base is bias_a - bias_b, the log odds of a row at the center: around 0 the
  /// terms of a column such as `year` would be huge, and cancel.
  [[nodiscard]] const std::vector<std::string>& parts() const { return features_.parts(); }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const;

  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  [[nodiscard]] const Features& features() const { return features_; }
  [[nodiscard]] const std::vector<double>& center() const { return center_; }
  [[nodiscard]] const std::vector<double>& coefficients() const { return coefficients_; }
  [[nodiscard]] const std::vector<double>& bias() const { return bias_; }
  /// theta_k0 = bias_k - theta_k . center
  [[nodiscard]] std::vector<double> intercepts() const;
  /// "coefficients", K x D, and "intercepts", K.
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  /// A row a feature, the intercept first; a column a class.
  [[nodiscard]] DescriptionTable table() const;

  /// Tensors center, coefficients, bias, and those of the features.
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static LinearScores load(const modelfile::Reader& reader, const Schema& schema,
                                         OneHot one_hot, const std::string& basis);

 private:
  struct Sparse;  ///< what sparse rows are scored by
  [[nodiscard]] const Sparse& sparse() const;
  void sparse_scores(const RowBlock& block, std::span<double> out) const;

  std::vector<std::string> labels_;
  Features features_;
  std::vector<double> center_;
  std::vector<double> coefficients_;
  std::vector<double> bias_;
  std::shared_ptr<Sparse> sparse_;  ///< filled when the first sparse rows come
};

/// Fails the reading of a model whose numbers are not all finite.
void check_finite(const modelfile::Reader& reader, std::span<const double> values,
                  const char* what);

}  // namespace logodds::models::linear
