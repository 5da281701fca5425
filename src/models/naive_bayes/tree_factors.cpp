// A column given its parent in the tree: by a table, or by a line with Gaussian noise.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "models/naive_bayes/column_factor.hpp"
#include "models/naive_bayes/table_factor.hpp"
#include "models/naive_bayes/tree.hpp"

namespace logodds::models::naive_bayes {

namespace {

/// What both sorts share: a row that lacks the parent has the column's own law.
class TreeFactor : public Factor {
 public:
  TreeFactor(const Place& child, Place parent, std::unique_ptr<ColumnLaw> alone)
      : Factor({child}), parent_(std::move(parent)), alone_(std::move(alone)) {}

  [[nodiscard]] std::vector<Place> inputs() const override { return {child(), parent_}; }

  void add_log_densities(const ColumnBlock& block, double* scores) const override {
    std::vector<double> alone(alone_->classes() * block.stride, 0.0);
    naive_bayes::add_log_densities(*alone_, child(), block, alone.data());
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (add_given_parent(block, r, scores)) { continue; }
      for (std::size_t k = 0; k < alone_->classes(); ++k) {
        scores[k * block.stride + r] += alone[k * block.stride + r];
      }
    }
  }

 protected:
  [[nodiscard]] const Place& child() const { return places().front(); }
  [[nodiscard]] const Place& parent() const { return parent_; }
  [[nodiscard]] const ColumnLaw& alone() const { return *alone_; }
  /// False when the row lacks the parent, or holds a level of it that training has not met.
  virtual bool add_given_parent(const ColumnBlock& block, std::size_t r, double* scores) const = 0;

 private:
  Place parent_;
  std::unique_ptr<ColumnLaw> alone_;
};

class DiscreteTreeFactor final : public TreeFactor {
 public:
  DiscreteTreeFactor(const Place& child, const Place& parent, std::unique_ptr<ColumnLaw> alone,
                     const CellCounts& counts, bool child_first, std::size_t child_levels,
                     std::size_t parent_levels, std::size_t classes, double smoothing)
      : TreeFactor(child, parent, std::move(alone)),
        child_levels_(child_levels),
        parent_levels_(parent_levels),
        classes_(classes),
        smoothing_(smoothing),
        weights_(classes * parent_levels * child_levels, 0.0),
        totals_(classes * parent_levels, 0.0) {
    for (const auto& cell : counts.cells(classes)) {
      const auto l = static_cast<std::size_t>(cell.codes[child_first ? 0 : 1]);
      const auto m = static_cast<std::size_t>(cell.codes[child_first ? 1 : 0]);
      for (std::size_t k = 0; k < classes; ++k) {
        weights_[(k * parent_levels_ + m) * child_levels_ + l] += cell.weights[k];
        totals_[k * parent_levels_ + m] += cell.weights[k];
      }
    }
  }

  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override {
    const std::size_t m = parent().coded ? static_cast<std::size_t>(row.codes[parent().position])
                                         : static_cast<std::size_t>(row.numbers[parent().position]);
    const double total = totals_[k * parent_levels_ + m];
    const auto levels = static_cast<double>(child_levels_);
    if (!(total + smoothing_ > 0.0)) {
      row.set(child(), alone().draw(k, draws));
      return;
    }
    double at = draws.uniform() * (total + smoothing_ * levels);
    std::size_t level = 0;
    for (std::size_t l = 0; l < child_levels_; ++l) {
      const double share = weights_[(k * parent_levels_ + m) * child_levels_ + l] + smoothing_;
      if (share > 0.0) { level = l; }
      at -= share;
      if (at < 0.0) { break; }
    }
    row.set(child(), static_cast<double>(level));
  }

  [[nodiscard]] double parameter_count() const override {
    return static_cast<double>(classes_ * parent_levels_) *
           (static_cast<double>(child_levels_) - 1.0);
  }

  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t l = 0; l < child_levels_; ++l) {
        double with_parent = 0.0;
        for (std::size_t m = 0; m < parent_levels_; ++m) {
          const double n = weights_[(k * parent_levels_ + m) * child_levels_ + l];
          if (n > 0.0) { sum += n * log_share(k, m, static_cast<std::int32_t>(l)); }
          with_parent += n;
        }
        const double without = statistics.level_weight(child(), k, l) - with_parent;
        if (without > 0.0) { sum += without * alone().log_density(k, static_cast<double>(l)); }
      }
    }
    return sum;
  }

  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::string law() const override { return "categorical given " + parent().name; }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {};
  }

 private:
  /// ln (n_lm + alpha) / (n_m + alpha L)
  [[nodiscard]] double log_share(std::size_t k, std::size_t m, std::int32_t level) const {
    const double n =
        level < 0
            ? 0.0
            : weights_[(k * parent_levels_ + m) * child_levels_ + static_cast<std::size_t>(level)];
    return std::log((n + smoothing_) / (totals_[k * parent_levels_ + m] +
                                        smoothing_ * static_cast<double>(child_levels_)));
  }

  bool add_given_parent(const ColumnBlock& block, std::size_t r, double* scores) const override {
    const std::int32_t level = code_at(block, child(), r);
    const std::int32_t given = code_at(block, parent(), r);
    if (level == kMissingCode) { return true; }
    if (given < 0 || (level < 0 && smoothing_ == 0.0)) { return false; }
    const auto m = static_cast<std::size_t>(given);
    for (std::size_t k = 0; k < classes_; ++k) {
      const bool told = totals_[k * parent_levels_ + m] + smoothing_ > 0.0;
      scores[k * block.stride + r] += told ? log_share(k, m, level) : alone().log_density(k, level);
    }
    return true;
  }

  std::size_t child_levels_;
  std::size_t parent_levels_;
  std::size_t classes_;
  double smoothing_;
  std::vector<double> weights_;  ///< n_klm, classes x levels of the parent x levels of the child
  std::vector<double> totals_;   ///< n_km
};

/// x = mean_x + slope (parent - mean_parent) + noise, in each class.
class GaussianTreeFactor final : public TreeFactor {
 public:
  struct Line {
    double child_mean = 0.0;
    double parent_mean = 0.0;
    double slope = 0.0;
    double variance = 1.0;
  };
  GaussianTreeFactor(const Place& child, const Place& parent, std::unique_ptr<ColumnLaw> alone,
                     std::vector<std::optional<Line>> lines, std::vector<double> weights,
                     std::vector<double> residuals)
      : TreeFactor(child, parent, std::move(alone)),
        lines_(std::move(lines)),
        weights_(std::move(weights)),
        residuals_(std::move(residuals)) {}

  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override {
    if (!lines_[k]) {
      row.set(child(), alone().draw(k, draws));
      return;
    }
    const Line& line = *lines_[k];
    const double shift = line.slope * (row.numbers[parent().position] - line.parent_mean);
    row.set(child(), line.child_mean + shift + std::sqrt(line.variance) * draws.normal());
  }

  [[nodiscard]] double parameter_count() const override {
    return 3.0 * static_cast<double>(lines_.size());
  }

  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override {
    constexpr double kRounding = 1e-9;
    double sum = 0.0;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const double all = statistics.number_weight(child(), k);
      if (!lines_[k] || std::abs(all - weights_[k]) > kRounding * all) { return {}; }
      sum -= 0.5 * (weights_[k] * std::log(2.0 * std::numbers::pi * lines_[k]->variance) +
                    residuals_[k] / lines_[k]->variance);
    }
    return sum;
  }

  [[nodiscard]] bool excludes() const override { return false; }
  [[nodiscard]] std::string law() const override { return "gaussian given " + parent().name; }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    std::vector<std::pair<std::string, std::vector<double>>> shown{
        {"mean", {}}, {"slope on " + parent().name, {}}, {"sd around the line", {}}};
    for (const auto& line : lines_) {
      shown[0].second.push_back(line ? line->child_mean : 0.0);
      shown[1].second.push_back(line ? line->slope : 0.0);
      shown[2].second.push_back(line ? std::sqrt(line->variance) : 0.0);
    }
    return shown;
  }

 private:
  bool add_given_parent(const ColumnBlock& block, std::size_t r, double* scores) const override {
    const double x = block.number_column(child().position)[r];
    const double given = block.number_column(parent().position)[r];
    if (std::isnan(x)) { return true; }
    if (std::isnan(given)) { return false; }
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      if (!lines_[k]) {
        scores[k * block.stride + r] += alone().log_density(k, x);
        continue;
      }
      const Line& line = *lines_[k];
      const double off = (x - line.child_mean) - line.slope * (given - line.parent_mean);
      scores[k * block.stride + r] -=
          0.5 * (std::log(2.0 * std::numbers::pi * line.variance) + off * off / line.variance);
    }
    return true;
  }

  std::vector<std::optional<Line>> lines_;
  std::vector<double> weights_;
  std::vector<double> residuals_;  ///< sums of squares around the lines
};

std::unique_ptr<Factor> gaussian_tree_factor(const JointStatistic& joint, const Place& child,
                                             const Place& parent, bool child_first,
                                             const ColumnSummary& rows, const ColumnRule& rule,
                                             std::unique_ptr<ColumnLaw> alone) {
  const ClassMoments& moments = *joint.moments();
  const std::size_t c = child_first ? 0 : 1;
  const std::size_t p = 1 - c;
  const double total = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  double mean = 0.0;
  double scatter = 0.0;
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    mean += rows.weights[k] / total * rows.means[k];
  }
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    scatter += rows.scatters[k] + rows.weights[k] * (rows.means[k] - mean) * (rows.means[k] - mean);
  }
  const double floor = rule.variance_floor * scatter / total;
  std::vector<std::optional<GaussianTreeFactor::Line>> lines(rows.classes());
  std::vector<double> weights(rows.classes(), 0.0);
  std::vector<double> residuals(rows.classes(), 0.0);
  for (std::size_t k = 0; k < std::min(rows.classes(), moments.classes()); ++k) {
    const double weight = moments.weight(k);
    const double spread = moments.scatter(k, p, p);
    if (!(weight > 0.0) || !(spread > 0.0)) { continue; }
    const double product = moments.scatter(k, 1, 0);
    weights[k] = weight;
    residuals[k] = std::max(0.0, moments.scatter(k, c, c) - product * (product / spread));
    lines[k] = {moments.mean(k, c), moments.mean(k, p), product / spread,
                std::max(residuals[k] / weight, floor)};
    if (!(lines[k]->variance > 0.0)) { lines[k].reset(); }
  }
  return std::make_unique<GaussianTreeFactor>(child, parent, std::move(alone), std::move(lines),
                                              std::move(weights), std::move(residuals));
}

}  // namespace

std::unique_ptr<Factor> tree_factor(const NaiveStatistics& statistics, const Schema& schema,
                                    const TreeEdge& edge, TreeKind kind, const ColumnRule& rule,
                                    std::unique_ptr<ColumnLaw> alone) {
  const auto places = places_of(schema);
  const bool child_first = edge.child < edge.parent;
  const JointStatistic& joint =
      *statistics.joint({std::min(edge.child, edge.parent), std::max(edge.child, edge.parent)});
  const Place& child = places[edge.child];
  const Place& parent = places[edge.parent];
  if (kind == TreeKind::gaussian) {
    return gaussian_tree_factor(joint, child, parent, child_first,
                                statistics.summary(schema, edge.child), rule, std::move(alone));
  }
  return std::make_unique<DiscreteTreeFactor>(
      child, parent, std::move(alone), *joint.cells(), child_first,
      levels_of(schema.columns[edge.child]).size(), levels_of(schema.columns[edge.parent]).size(),
      schema.labels.size(), rule.smoothing);
}

}  // namespace logodds::models::naive_bayes
