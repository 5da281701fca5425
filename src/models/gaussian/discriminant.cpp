#include <numeric>

#include "kernels/kernels.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

namespace {

/// Where scores go and what they are scores of.
struct ScoreTask {
  const DesignRows& rows;
  const std::vector<double>& means;
  std::size_t classes;
  double* out;
};

void fill(const SharedScores& scores, const ScoreTask& task) {
  kernels::affine_scores(task.rows.data, task.rows.rows, task.rows.columns, task.rows.stride,
                         scores.center.data(), scores.coefficients.data(), scores.bias.data(),
                         task.classes, task.out);
}

void fill(const DiagonalScores& scores, const ScoreTask& task) {
  kernels::diagonal_scores(task.rows.data, task.rows.rows, task.rows.columns, task.rows.stride,
                           task.means.data(), scores.precisions.data(), scores.bias.data(),
                           task.classes, task.out);
}

void fill(const OwnScores& scores, const ScoreTask& task) {
  const std::size_t d = task.rows.columns;
  for (std::size_t k = 0; k < task.classes; ++k) {
    kernels::mahalanobis(task.rows.data, task.rows.rows, d, task.rows.stride,
                         task.means.data() + k * d, scores.factors.data() + k * d * d,
                         scores.inverse_diagonal.data() + k * d, task.out + k, task.classes);
  }
  for (std::size_t r = 0; r < task.rows.rows; ++r) {
    double* row = task.out + r * task.classes;
    for (std::size_t k = 0; k < task.classes; ++k) { row[k] = scores.bias[k] - 0.5 * row[k]; }
  }
}

}  // namespace

void GaussianDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = design_.encode(block, scratch);
  const ScoreTask task{rows, means_, labels_.size(), out.data()};
  std::visit([&](const auto& scores) { fill(scores, task); }, scores_);
}

Description GaussianDiscriminant::describe() const {
  Description description;
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  description.facts.emplace_back("weight", total);
  DescriptionTable classes{"classes", {"class", "weight", "prior"}, {}};
  DescriptionTable means{"means", {"column"}, {}};
  for (std::size_t k = 0; k < labels_.size(); ++k) {
    classes.rows.push_back({labels_[k], weights_[k], weights_[k] / total});
    means.columns.push_back(labels_[k]);
  }
  for (std::size_t i = 0; i < design_.size(); ++i) {
    std::vector<Cell> row{design_.names()[i]};
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      row.emplace_back(means_[k * design_.size() + i]);
    }
    means.rows.push_back(std::move(row));
  }
  description.tables = {std::move(classes), std::move(means)};
  return description;
}

}  // namespace logodds::models::gaussian
