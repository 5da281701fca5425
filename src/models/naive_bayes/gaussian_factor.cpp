#include "models/naive_bayes/gaussian_factor.hpp"

#include <cmath>
#include <numbers>

#include "logodds/error.hpp"
#include "logodds/stats/variance.hpp"
#include "models/gaussian/covariance.hpp"
#include "models/gaussian/uses.hpp"
#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

namespace {

using gaussian::Covariance;

/// Moments of all classes together.
struct Pooled {
  double weight = 0.0;
  std::vector<double> mean;
  Covariance scatter;
};

Pooled pooled(const ClassMoments& moments) {
  const std::size_t d = moments.columns().size();
  Pooled all{moments.weight(), std::vector<double>(d, 0.0), Covariance(d)};
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      all.mean[i] += moments.weight(k) / all.weight * moments.mean(k, i);
    }
  }
  for (std::size_t k = 0; k < moments.classes(); ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        all.scatter.at(i, j) += moments.scatter(k, i, j) + moments.weight(k) *
                                                               (moments.mean(k, i) - all.mean[i]) *
                                                               (moments.mean(k, j) - all.mean[j]);
      }
    }
  }
  return all;
}

/// tr(Sigma^-1 S)
double trace_ratio(const gaussian::CholeskyFactor& factor, const ClassMoments& moments,
                   std::size_t k) {
  const std::size_t d = factor.size;
  double trace = 0.0;
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> column(d);
    for (std::size_t i = 0; i < d; ++i) {
      column[i] = moments.scatter(k, std::max(i, j), std::min(i, j));
    }
    trace += factor.solve(std::move(column))[j];
  }
  return trace;
}

/// Factorised as it is, or, where it is singular, with the floor added to every variance.
gaussian::CholeskyFactor factor_of(Covariance sigma, const Pooled& all, const std::string& label,
                                   gaussian::CovarianceOwner owner, double floor,
                                   const std::string& block, std::vector<std::string>& notes) {
  owner.magnitudes.assign(sigma.size, 0.0);
  try {
    return gaussian::factorize(sigma, owner);
  } catch (const Error&) {
    for (std::size_t i = 0; i < sigma.size; ++i) {
      sigma.at(i, i) += floor * all.scatter.at(i, i) / all.weight;
    }
  }
  const std::string place = "the covariance of class '" + label + "' in block " + block;
  try {
    auto factor = gaussian::factorize(sigma, owner);
    notes.push_back(place + " is singular: " + format_number(floor) +
                    " of each column's variance is added to it (--variance-floor)");
    return factor;
  } catch (const Error&) {
    throw Error(ErrorCode::numeric, place +
                                        " is singular; raise --variance-floor, or take columns out "
                                        "of --blocks");
  }
}

}  // namespace

GaussianFactor::GaussianFactor(const JointStatistic& joint, const std::vector<std::string>& labels,
                               double floor, std::vector<std::string>& notes)
    : Factor(joint.places()) {
  const ClassMoments& moments = *joint.moments();
  const std::size_t d = places().size();
  std::vector<std::string> columns;
  for (const auto& place : places()) { columns.push_back(place.name); }
  if (!(moments.weight() > 0.0)) {
    throw Error(ErrorCode::numeric, "no row has all the columns of block " + name() +
                                        "; leave the emptiest of them out of --blocks");
  }
  const Pooled all = pooled(moments);
  for (std::size_t i = 0; i < d; ++i) {
    if (has_no_variance(all.scatter.at(i, i) / all.weight, std::abs(all.mean[i]))) {
      throw Error(ErrorCode::numeric, "column '" + columns[i] +
                                          "' is constant, so it has no covariance with others; "
                                          "take it out of --blocks");
    }
  }
  densities_.size = d;
  densities_.log_priors.assign(labels.size(), 0.0);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const bool own = k < moments.classes() && moments.weight(k) > 0.0;
    const double weight = own ? moments.weight(k) : all.weight;
    Covariance sigma(d);
    for (std::size_t i = 0; i < d; ++i) {
      densities_.means.push_back(own ? moments.mean(k, i) : all.mean[i]);
      for (std::size_t j = 0; j <= i; ++j) {
        sigma.at(i, j) = (own ? moments.scatter(k, i, j) : all.scatter.at(i, j)) / weight;
      }
      sigma.at(i, i) = std::max(sigma.at(i, i), floor * all.scatter.at(i, i) / all.weight);
    }
    if (!own) {
      notes.push_back("no row of class '" + labels[k] + "' has all the columns of block " + name() +
                      ": it gets the moments of all classes together");
    }
    densities_.weights.push_back(own ? weight : 0.0);
    densities_.covariance_of.push_back(k);
    densities_.factors.push_back(factor_of(sigma, all, labels[k],
                                           {"class '" + labels[k] + "'", weight, columns, {}},
                                           floor, name(), notes));
    traces_.push_back(own ? trace_ratio(densities_.factors.back(), moments, k) : 0.0);
  }
}

void GaussianFactor::add_log_densities(const ColumnBlock& block, double* scores) const {
  const std::size_t d = places().size();
  const std::size_t classes = densities_.classes();
  std::vector<double> rows(block.rows * d);
  for (std::size_t c = 0; c < d; ++c) {
    const auto column = block.number_column(places()[c].position);
    for (std::size_t r = 0; r < block.rows; ++r) { rows[r * d + c] = column[r]; }
  }
  std::vector<double> logs(block.rows * classes);
  gaussian::log_joint(densities_, {rows.data(), block.rows, d, d}, logs);
  for (std::size_t r = 0; r < block.rows; ++r) {
    for (std::size_t k = 0; k < classes; ++k) {
      scores[k * block.stride + r] += logs[r * classes + k];
    }
  }
}

/// x = mu + L z.
void GaussianFactor::draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const {
  const std::size_t d = places().size();
  std::vector<double> z(d);
  for (double& value : z) { value = draws.normal(); }
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j <= i; ++j) { sum += densities_.factor(k).at(i, j) * z[j]; }
    row.set(places()[i], densities_.mean(k)[i] + sum);
  }
}

double GaussianFactor::parameter_count() const {
  const auto d = static_cast<double>(places().size());
  return static_cast<double>(densities_.classes()) * (d + d * (d + 1.0) / 2.0);
}

/// sum_k -1/2 [N_k (D ln 2 pi + ln |Sigma_k|) + tr(Sigma_k^-1 S_k)]
std::optional<double> GaussianFactor::log_likelihood(const NaiveStatistics& statistics) const {
  if (statistics.has_partial_rows(*this)) { return {}; }
  const auto d = static_cast<double>(places().size());
  double sum = 0.0;
  for (std::size_t k = 0; k < densities_.classes(); ++k) {
    const double constant =
        d * std::log(2.0 * std::numbers::pi) + densities_.factor(k).log_determinant;
    sum -= 0.5 * (densities_.weights[k] * constant + traces_[k]);
  }
  return sum;
}

/// eta = (Sigma^-1 mu, -1/2 Sigma^-1), T = (x_i, x_i x_j); off the diagonal both halves together.
std::optional<NaturalForm> GaussianFactor::natural() const {
  const std::size_t d = places().size();
  NaturalForm form;
  for (const auto& place : places()) { form.statistics.push_back(place.name); }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto& a = places()[i].name;
      form.statistics.push_back(i == j ? a + "^2" : places()[j].name + "*" + a);
    }
  }
  for (std::size_t k = 0; k < densities_.classes(); ++k) {
    const auto& factor = densities_.factor(k);
    const std::vector<double> mean(densities_.mean(k), densities_.mean(k) + d);
    const auto linear = factor.solve(mean);
    form.parameters.insert(form.parameters.end(), linear.begin(), linear.end());
    double quadratic = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      std::vector<double> unit(d, 0.0);
      unit[i] = 1.0;
      const auto precision = factor.solve(std::move(unit));
      for (std::size_t j = 0; j <= i; ++j) {
        form.parameters.push_back(i == j ? -0.5 * precision[j] : -precision[j]);
      }
      quadratic += mean[i] * linear[i];
    }
    form.log_partitions.push_back(0.5 *
                                  (quadratic + factor.log_determinant +
                                   static_cast<double>(d) * std::log(2.0 * std::numbers::pi)));
  }
  return form;
}

std::vector<std::pair<std::string, std::vector<double>>> GaussianFactor::parameters() const {
  const std::size_t d = places().size();
  std::vector<std::pair<std::string, std::vector<double>>> shown;
  for (std::size_t i = 0; i < d; ++i) {
    shown.emplace_back("mean " + places()[i].name, std::vector<double>());
    for (std::size_t k = 0; k < densities_.classes(); ++k) {
      shown.back().second.push_back(densities_.mean(k)[i]);
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      shown.emplace_back("covariance " + places()[j].name + "," + places()[i].name,
                         std::vector<double>());
      for (std::size_t k = 0; k < densities_.classes(); ++k) {
        double sum = 0.0;
        for (std::size_t m = 0; m <= j; ++m) {
          sum += densities_.factor(k).at(i, m) * densities_.factor(k).at(j, m);
        }
        shown.back().second.push_back(sum);
      }
    }
  }
  return shown;
}

}  // namespace logodds::models::naive_bayes
