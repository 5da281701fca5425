// Scores of rows by kernels with the supports: summed, or voted on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/linear/features.hpp"
#include "models/perceptron/kernel_learning.hpp"

namespace logodds::models::perceptron {

class KernelScores {
 public:
  /// Scores sum_s coefficients[s, k] k(s, z), coefficients supports x classes.
  KernelScores(linear::Features features, InnerUnits units, Kernel kernel, Supports supports,
               std::vector<double> coefficients, std::size_t classes);
  /// Scores ln of the share of votes: the weights after each change vote, as often as rows came
  /// until the next; classes that tie share a vote.
  KernelScores(linear::Features features, InnerUnits units, Kernel kernel, Supports supports,
               std::vector<Change> changes, std::size_t classes);

  /// NaN in the row where a score overflows.
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] bool takes_sparse() const { return units_.sparse && features_.takes_sparse(); }
  [[nodiscard]] std::size_t supports() const { return supports_.size(); }
  [[nodiscard]] std::size_t voters() const { return changes_.size(); }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static KernelScores load(const modelfile::Reader& reader, const Schema& schema,
                                         const std::string& basis, Kernel kernel, bool voted);

 private:
  /// From the products of a row with the supports, which become kernel values.
  void score_row(std::span<double> products, double squared, std::span<double> out) const;
  void sum(std::span<const double> values, std::span<double> out) const;
  void vote(std::span<const double> values, std::span<double> out) const;
  void score_sparse(const RowBlock& block, std::span<double> out) const;

  linear::Features features_;
  InnerUnits units_;
  Kernel kernel_;
  Supports supports_;
  std::vector<double> coefficients_;
  std::vector<Change> changes_;
  std::size_t classes_;
  bool voted_;
};

}  // namespace logodds::models::perceptron
