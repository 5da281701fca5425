#include "models/gaussian/leave_one_out.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"
#include "models/gaussian/covariances.hpp"
#include "models/priors.hpp"

namespace logodds::models::gaussian {

namespace {

/// Whether a row changes its class's scatter by a matrix of rank one, and nothing else but weights.
bool has_closed_form(const CovarianceRule& rule, const GaussianStatistics& statistics,
                     const Schema& schema, const RowBlock& rows) {
  return rule.shape == Form::full && rule.components == 0 && rule.wishart == 0.0 &&
         rule.ridge_relative == 0.0 && !rule.blend && !rule.blend_auto &&
         rule.shrinkage == Shrinkage::none && schema.coded_count() == 0 &&
         statistics.moments().incomplete().empty() &&
         (rows.weights == nullptr || rule.ridge == 0.0);
}

/// out = L^-1 (x - center).
void whiten(const CholeskyFactor& factor, const double* x, const double* center, double* out) {
  for (std::size_t i = 0; i < factor.size; ++i) {
    double sum = x[i] - center[i];
    const double* const row = factor.lower.data() + i * factor.size;
    for (std::size_t j = 0; j < i; ++j) { sum -= row[j] * out[j]; }
    out[i] = sum * factor.inverse_diagonal[i];
  }
}

double dot(const double* a, const double* b, std::size_t size) {
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) { sum += a[i] * b[i]; }
  return sum;
}

class LeaveOneOut {
 public:
  LeaveOneOut(const DesignMoments& moments, const CovarianceTask& task, const std::string& priors,
              const RowBlock& rows)
      : moments_(moments),
        task_(task),
        priors_(priors),
        rows_(rows),
        covariances_(covariances(moments, task, {})) {
    const std::size_t classes = moments.classes();
    group_weights_.assign(covariances_.count(), 0.0);
    members_.assign(covariances_.count(), 0.0);
    for (std::size_t k = 0; k < classes; ++k) {
      group_weights_[covariances_.of_class[k]] += moments.weights[k];
      members_[covariances_.of_class[k]] += 1.0;
    }
    std::vector<std::string> notes;
    factors_ = factors(covariances_, moments, task, notes);
    less_factors_ = task.rule.ridge == 0.0 ? factors_ : less_a_row(notes);
    if (rows.weights == nullptr) { unit_priors_ = priors_of_classes(); }
  }

  /// Scores of one row in `scores`; false when it is for others to say.
  bool score(std::size_t r, double* scores, std::vector<double>& scratch) const {
    const auto c = static_cast<std::size_t>(rows_.labels[r]);
    const double w = rows_.weight(r);
    const double left = moments_.weights[c] - w;
    const std::size_t g = covariances_.of_class[c];
    if (!(left > 1e-9 * moments_.weights[c])) { return false; }
    const double* const x = rows_.numeric + r * rows_.numeric_stride;
    const std::size_t d = moments_.size;
    scratch.resize(2 * d);
    double* const u = scratch.data();
    double* const v = u + d;
    // Sigma of the group with its divisor less the row, which is the factor's up to a scale.
    const double divisor = divisor_of(g, group_weights_[g] - w);
    if (!(divisor > 0.0)) { return false; }
    const double scale = task_.rule.ridge == 0.0 ? divisor_of(g, group_weights_[g]) / divisor : 1.0;
    const CholeskyFactor& less = less_factors_[g];
    whiten(less, x, moments_.mean(c), u);
    const double b = w * moments_.weights[c] / left / divisor / scale;
    const double q = 1.0 - b * dot(u, u, d);
    constexpr double kHangs = 1e-3;  // below it digits are lost, and perhaps the covariance is
    if (!(q > kHangs)) { return false; }
    fill_priors(c, w, scores);
    for (std::size_t k = 0; k < moments_.classes(); ++k) {
      const bool changed = covariances_.of_class[k] == g;
      const CholeskyFactor& factor = changed ? less : factors_[covariances_.of_class[k]];
      double square = 0.0;
      if (k == c) {
        const double longer = moments_.weights[c] / left;  // x - mean' = d W_c / (W_c - w)
        const double uu = dot(u, u, d);
        square = longer * longer * (uu + b * uu * uu / q);
      } else {
        whiten(factor, x, moments_.mean(k), v);
        square = dot(v, v, d);
        if (changed) {
          const double uv = dot(u, v, d);
          square += b * uv * uv / q;
        }
      }
      double log_determinant = factor.log_determinant;
      if (changed) {
        square /= scale;
        log_determinant += std::log(q) + static_cast<double>(d) * std::log(scale);
      }
      scores[k] -= 0.5 * (square + log_determinant);
    }
    return true;
  }

 private:
  [[nodiscard]] double divisor_of(std::size_t group, double weight) const {
    return weight - (task_.rule.unbiased ? members_[group] : 0.0);
  }

  /// With a ridge, S / (divisor - 1) + ridge I is no multiple of S / divisor + ridge I.
  [[nodiscard]] std::vector<CholeskyFactor> less_a_row(std::vector<std::string>& notes) const {
    Covariances less = covariances_;
    for (std::size_t g = 0; g < less.count(); ++g) {
      const double scale =
          divisor_of(g, group_weights_[g]) / divisor_of(g, group_weights_[g] - 1.0);
      Covariance& sigma = less.sigmas[g];
      for (std::size_t i = 0; i < sigma.size; ++i) { sigma.at(i, i) -= task_.rule.ridge; }
      for (double& value : sigma.values) { value *= scale; }
      for (std::size_t i = 0; i < sigma.size; ++i) { sigma.at(i, i) += task_.rule.ridge; }
    }
    return factors(less, moments_, task_, notes);
  }

  [[nodiscard]] std::vector<double> priors_without(std::size_t c, double w) const {
    std::vector<double> weights = moments_.weights;
    weights[c] -= w;
    return log_priors(priors_, task_.labels, weights);
  }

  /// For rows of weight 1: K x K, the row of class c being left out in row c.
  [[nodiscard]] std::vector<double> priors_of_classes() const {
    std::vector<double> all;
    for (std::size_t c = 0; c < moments_.classes(); ++c) {
      const bool alone = !(moments_.weights[c] > 1.0);
      const auto row =
          alone ? std::vector<double>(moments_.classes(), 0.0) : priors_without(c, 1.0);
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  }

  void fill_priors(std::size_t c, double w, double* scores) const {
    const std::size_t classes = moments_.classes();
    if (!unit_priors_.empty()) {
      std::copy_n(unit_priors_.data() + c * classes, classes, scores);
      return;
    }
    std::ranges::copy(priors_without(c, w), scores);
  }

  const DesignMoments& moments_;
  const CovarianceTask& task_;
  const std::string& priors_;
  const RowBlock& rows_;
  Covariances covariances_;
  std::vector<double> group_weights_;  ///< of each different covariance
  std::vector<double> members_;        ///< classes of each
  std::vector<CholeskyFactor> factors_;
  std::vector<CholeskyFactor> less_factors_;  ///< of covariances that a row will be taken from
  std::vector<double> unit_priors_;
};

}  // namespace

std::vector<std::uint8_t> leave_one_out(const GaussianStatistics& statistics, const Schema& schema,
                                        const Options& options, const RowBlock& rows,
                                        std::span<double> posteriors, const Context& context) {
  const CovarianceRule rule(options);
  if (!has_closed_form(rule, statistics, schema, rows)) { return {}; }
  const Design design(schema, rule.one_hot());
  const DesignMoments moments(statistics.moments().complete(), design);
  const auto groups = class_groups(rule, schema.labels);
  const CovarianceTask task{rule, groups, schema.labels, design.names()};
  const LeaveOneOut model(moments, task, options.text("priors"), rows);
  const std::size_t classes = moments.classes();
  std::vector<std::uint8_t> done(rows.rows, 0);
  const std::size_t blocks = (rows.rows + kBlockRows - 1) / kBlockRows;
  parallel::run_lanes(context.threads, blocks, [&](std::size_t block) {
    std::vector<double> scratch;
    const std::size_t end = std::min(rows.rows, (block + 1) * kBlockRows);
    for (std::size_t r = block * kBlockRows; r < end; ++r) {
      const auto scores = posteriors.subspan(r * classes, classes);
      if (!model.score(r, scores.data(), scratch)) { continue; }
      if (posterior::first_overflow(scores, classes) == 0) { continue; }
      posterior::from_log_scores(scores, classes);
      done[r] = 1;
    }
  });
  return done;
}

}  // namespace logodds::models::gaussian
