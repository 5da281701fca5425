// Moments to parameters: mu_k, pi_k = N_k / N and the covariances of SPEC 3.2.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "logodds/error.hpp"
#include "models/gaussian/covariance.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

namespace {

/// The moments restricted to the columns of a design.
class Moments {
 public:
  Moments(const ClassMoments& all, const Design& design) : all_(all), weight_(all.weight()) {
    for (const auto& column : design.columns()) { picked_.push_back(all.position(column)); }
  }
  [[nodiscard]] std::size_t classes() const { return all_.classes(); }
  [[nodiscard]] std::size_t size() const { return picked_.size(); }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double weight(std::size_t k) const { return all_.weight(k); }
  [[nodiscard]] double mean(std::size_t k, std::size_t i) const { return all_.mean(k, picked_[i]); }
  [[nodiscard]] double scatter(std::size_t k, std::size_t i, std::size_t j) const {
    return all_.scatter(k, picked_[i], picked_[j]);
  }
  [[nodiscard]] double log_prior(std::size_t k) const { return std::log(weight(k) / weight()); }
  /// The largest |mean| of each column over the classes [first, last).
  [[nodiscard]] std::vector<double> magnitudes(std::size_t first, std::size_t last) const {
    std::vector<double> largest(size(), 0.0);
    for (std::size_t k = first; k < last; ++k) {
      for (std::size_t i = 0; i < size(); ++i) {
        largest[i] = std::max(largest[i], std::abs(mean(k, i)));
      }
    }
    return largest;
  }
  [[nodiscard]] std::vector<double> means() const {
    std::vector<double> values;
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t i = 0; i < size(); ++i) { values.push_back(mean(k, i)); }
    }
    return values;
  }

 private:
  const ClassMoments& all_;
  double weight_;
  std::vector<std::size_t> picked_;
};

struct Task {
  const Moments& moments;
  const Design& design;
  const Schema& schema;
  double ridge;
  bool unbiased;  ///< divide by N - 1 (N - K when pooled) instead of N
  std::vector<std::string>& notes;
};

/// What a sum of squares over `classes` classes of this weight in all is divided by.
double divisor(const Task& task, double weight, std::size_t classes, const std::string& whose) {
  const double value = task.unbiased ? weight - static_cast<double>(classes) : weight;
  if (value > 0.0) { return value; }
  throw Error(ErrorCode::numeric,
              whose + ": a weight of " + format_number(weight) +
                  " leaves nothing to divide by (n_samples = " + format_number(weight) +
                  "); give more rows, or take --divisor n");
}

std::string class_name(const Task& task, std::size_t k) {
  return "class '" + task.schema.labels[k] + "'";
}

constexpr const char* kShared = "the shared covariance";

/// What the covariance of the classes [first, last) is called. With a ridge no column is constant.
CovarianceOwner owner(const Task& task, std::size_t first, std::size_t last,
                      const std::string& whose) {
  double weight = 0.0;
  for (std::size_t k = first; k < last; ++k) { weight += task.moments.weight(k); }
  return {whose, weight, task.design.names(),
          task.ridge > 0.0 ? std::vector<double>(task.moments.size(), 0.0)
                           : task.moments.magnitudes(first, last)};
}

/// Sigma = sum_k scatter_k / N over the classes [first, last), plus ridge I.
Covariance pooled(const Task& task, std::size_t first, std::size_t last, const std::string& whose) {
  const std::size_t d = task.moments.size();
  Covariance sigma(d);
  double weight = 0.0;
  for (std::size_t k = first; k < last; ++k) {
    weight += task.moments.weight(k);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) { sigma.at(i, j) += task.moments.scatter(k, i, j); }
    }
  }
  const double by = divisor(task, weight, last - first, whose);
  for (auto& value : sigma.values) { value /= by; }
  for (std::size_t i = 0; i < d; ++i) { sigma.at(i, i) += task.ridge; }
  return sigma;
}

/// Factorises the covariance of the classes [first, last); says so when digits are lost.
CholeskyFactor factor_of(const Task& task, std::size_t first, std::size_t last,
                         const std::string& whose) {
  constexpr double kNearlyCollinear = 1e-9;
  auto factor = factorize(pooled(task, first, last, whose), owner(task, first, last, whose));
  if (factor.smallest_share < kNearlyCollinear) {
    task.notes.push_back(whose + ": the columns are nearly collinear (" +
                         format_number(factor.smallest_share) +
                         " of a column's variance is its own), so posteriors have fewer digits; a "
                         "small --ridge helps");
  }
  return factor;
}

/// With a class so far away that (distance / sigma)^2 swallows the digits of a linear score, the
/// scores are taken from each class's own mean, with the one factor.
GaussianDiscriminant::Scores shared_quadratic_scores(const Moments& moments,
                                                     const CholeskyFactor& factor) {
  OwnScores scores;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    scores.factors.insert(scores.factors.end(), factor.lower.begin(), factor.lower.end());
    scores.inverse_diagonal.insert(scores.inverse_diagonal.end(), factor.inverse_diagonal.begin(),
                                   factor.inverse_diagonal.end());
    scores.bias.push_back(moments.log_prior(k));
  }
  return scores;
}

/// w_k = Sigma^-1 (mu_k - m), b_k = -1/2 (mu_k - m) . w_k + ln pi_k.
GaussianDiscriminant::Scores shared_scores(const Task& task) {
  const Moments& moments = task.moments;
  const std::size_t d = moments.size();
  const std::size_t classes = moments.classes();
  constexpr double kFar = 1e6;  // squared distance that costs 6 of 16 digits
  const auto factor = factor_of(task, 0, classes, kShared);
  double farthest = 0.0;
  SharedScores scores{.center = std::vector<double>(d, 0.0),
                      .coefficients = std::vector<double>(d * classes),
                      .bias = std::vector<double>(classes)};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      scores.center[i] += moments.mean(k, i) * (moments.weight(k) / moments.weight());
    }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<double> offset(d);
    for (std::size_t i = 0; i < d; ++i) { offset[i] = moments.mean(k, i) - scores.center[i]; }
    const auto normal = factor.solve(offset);
    double square = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      scores.coefficients[i * classes + k] = normal[i];
      square += offset[i] * normal[i];
    }
    scores.bias[k] = -0.5 * square + moments.log_prior(k);
    farthest = std::max(farthest, square);
  }
  if (farthest > kFar) { return shared_quadratic_scores(moments, factor); }
  return scores;
}

GaussianDiscriminant::Scores own_scores(const Task& task) {
  const Moments& moments = task.moments;
  OwnScores scores;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    const auto factor = factor_of(task, k, k + 1, class_name(task, k));
    scores.factors.insert(scores.factors.end(), factor.lower.begin(), factor.lower.end());
    scores.inverse_diagonal.insert(scores.inverse_diagonal.end(), factor.inverse_diagonal.begin(),
                                   factor.inverse_diagonal.end());
    scores.bias.push_back(-0.5 * factor.log_determinant + moments.log_prior(k));
  }
  return scores;
}

GaussianDiscriminant::Scores diagonal_scores(const Task& task) {
  const Moments& moments = task.moments;
  DiagonalScores scores;
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    std::vector<double> variances;
    const double by = divisor(task, moments.weight(k), 1, class_name(task, k));
    for (std::size_t i = 0; i < moments.size(); ++i) {
      variances.push_back(moments.scatter(k, i, i) / by + task.ridge);
    }
    check_variances(variances, owner(task, k, k + 1, class_name(task, k)));
    double log_determinant = 0.0;
    for (const double variance : variances) {
      scores.precisions.push_back(1.0 / variance);
      log_determinant += std::log(variance);
    }
    scores.bias.push_back(-0.5 * log_determinant + moments.log_prior(k));
  }
  return scores;
}

/// One line a structure: how its scores are made, which moments and which coding it needs. Under a
/// full covariance the indicators of a column must not be collinear, hence the reference coding,
/// which leaves the posteriors as they are. A ridge makes them independent, and would depend on
/// which level is left out, so with a ridge no level is.
struct Structure {
  SecondMoments moments;
  OneHot one_hot;
  GaussianDiscriminant::Scores (*scores)(const Task&);
};

const Structure& structure(const Options& options) {
  static const std::map<std::string, Structure, std::less<>> structures{
      {"shared", {SecondMoments::full, OneHot::reference, shared_scores}},
      {"own", {SecondMoments::full, OneHot::reference, own_scores}},
      {"diagonal", {SecondMoments::diagonal, OneHot::full, diagonal_scores}},
  };
  return structures.at(options.choice("covariance"));
}

}  // namespace

ClassMoments GaussianFamily::start(const Options& options) {
  return ClassMoments(structure(options).moments);
}

GaussianDiscriminant GaussianFamily::estimate(const ClassMoments& all, EstimatorInput input) {
  const Structure& chosen = structure(input.options);
  const double ridge = input.options.real("ridge");
  Design design(input.schema, ridge > 0.0 ? OneHot::full : chosen.one_hot);
  if (const auto note = design.one_hot_note(); !note.empty()) { input.notes.push_back(note); }
  const Moments moments(all, design);
  auto scores = chosen.scores({moments, design, input.schema, ridge,
                               input.options.choice("divisor") == "n-1", input.notes});
  std::vector<double> weights;
  for (std::size_t k = 0; k < moments.classes(); ++k) { weights.push_back(moments.weight(k)); }
  return {input.schema, std::move(design), std::move(weights), moments.means(), std::move(scores)};
}

ClassMoments GaussianFamily::load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                             const Options& options) {
  return ClassMoments::load(reader, schema, structure(options).moments);
}

}  // namespace logodds::models::gaussian
