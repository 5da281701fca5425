// A model written by hand: the moments of one row's weight that have these very densities.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/models/family.hpp"
#include "logodds/models/gaussian.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds {

namespace {

using Rows = std::vector<std::vector<double>>;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

void check_names(const std::vector<std::string>& names, const std::string& what) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) { refuse("a name in " + what + " is empty; give every one a name"); }
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse(what + " names '" + names[i] + "' twice; give different names");
    }
  }
}

void check_priors(const GaussianDefinition& given) {
  constexpr double kTolerance = 1e-6;
  if (given.priors.size() != given.classes.size()) {
    refuse("there are " + std::to_string(given.priors.size()) + " priors for " +
           std::to_string(given.classes.size()) + " classes; give one for each");
  }
  for (std::size_t k = 0; k < given.priors.size(); ++k) {
    if (!(given.priors[k] > 0.0)) {
      refuse("the prior of class '" + given.classes[k] + "' is " + format_number(given.priors[k]) +
             "; give a positive one");
    }
  }
  const double sum = std::accumulate(given.priors.begin(), given.priors.end(), 0.0);
  if (!(std::abs(sum - 1.0) <= kTolerance)) {
    refuse("the priors sum to " + format_number(sum) + "; they must sum to 1");
  }
}

void check_finite(const std::vector<double>& values, const std::string& what) {
  for (const double value : values) {
    if (!std::isfinite(value)) { refuse(what + " holds a value that is not finite"); }
  }
}

void check_symmetric(const Rows& sigma, std::size_t d, const std::string& what) {
  constexpr double kTolerance = 1e-9;
  if (sigma.size() != d) {
    refuse(what + " has " + std::to_string(sigma.size()) + " rows; there are " + std::to_string(d) +
           " columns, so give " + std::to_string(d));
  }
  for (const auto& row : sigma) {
    if (row.size() != d) {
      refuse(what + " has a row of " + std::to_string(row.size()) + " numbers; give " +
             std::to_string(d));
    }
    check_finite(row, what);
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double size = std::sqrt(std::abs(sigma[i][i] * sigma[j][j]));
      if (std::abs(sigma[i][j] - sigma[j][i]) > kTolerance * size) {
        refuse(what + " is not symmetric: entry (" + std::to_string(i + 1) + ", " +
               std::to_string(j + 1) + ") is " + format_number(sigma[i][j]) + ", entry (" +
               std::to_string(j + 1) + ", " + std::to_string(i + 1) + ") is " +
               format_number(sigma[j][i]));
      }
    }
  }
}

void check_definite(const Rows& sigma, std::size_t d, const std::string& what) {
  using models::gaussian::index;
  using models::gaussian::Matrix;
  Matrix correlation(index(d), index(d));
  bool good = true;
  for (std::size_t i = 0; i < d; ++i) {
    good = good && sigma[i][i] > 0.0;
    for (std::size_t j = 0; j < d; ++j) {
      correlation(index(i), index(j)) =
          sigma[i][j] / std::sqrt(sigma[i][i]) / std::sqrt(sigma[j][j]);
    }
  }
  if (good && Eigen::LLT<Matrix>(correlation).info() == Eigen::Success) { return; }
  refuse(what + " is not positive definite; check its entries");
}

void check(const GaussianDefinition& given, std::size_t d) {
  if (given.classes.empty()) { refuse("there is no class; name at least one"); }
  check_names(given.classes, "classes");
  check_names(given.columns, "columns");
  check_priors(given);
  if (given.means.size() != given.classes.size()) {
    refuse("there are " + std::to_string(given.means.size()) + " means for " +
           std::to_string(given.classes.size()) + " classes; give one for each");
  }
  if (d == 0) { refuse("the means are empty; give one number a column"); }
  if (!given.columns.empty() && given.columns.size() != d) {
    refuse("there are " + std::to_string(given.columns.size()) +
           " names of columns, but the means have " + std::to_string(d) + " numbers");
  }
  for (std::size_t k = 0; k < given.classes.size(); ++k) {
    const std::string whose = "the mean of class '" + given.classes[k] + "'";
    if (given.means[k].size() != d) {
      refuse(whose + " has " + std::to_string(given.means[k].size()) + " numbers, the first has " +
             std::to_string(d) + "; give as many for each");
    }
    check_finite(given.means[k], whose);
  }
  if (given.covariances.size() != 1 && given.covariances.size() != given.classes.size()) {
    refuse("there are " + std::to_string(given.covariances.size()) + " covariances for " +
           std::to_string(given.classes.size()) + " classes; give one for each, or one for all");
  }
  for (std::size_t g = 0; g < given.covariances.size(); ++g) {
    const std::string what = given.covariances.size() == 1
                                 ? "the covariance"
                                 : "the covariance of class '" + given.classes[g] + "'";
    check_symmetric(given.covariances[g], d, what);
    check_definite(given.covariances[g], d, what);
  }
}

bool all_equal(const std::vector<Rows>& covariances) {
  return std::all_of(covariances.begin(), covariances.end(),
                     [&](const Rows& sigma) { return sigma == covariances.front(); });
}

/// Classes in label order.
std::vector<std::size_t> label_order(const std::vector<std::string>& classes) {
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return label_less(classes[a], classes[b]); });
  return order;
}

}  // namespace

std::unique_ptr<Classifier> define_gaussian(const GaussianDefinition& given) {
  using models::gaussian::GaussianFamily;
  using models::gaussian::GaussianStatistics;
  const std::size_t d = given.means.empty() ? 0 : given.means.front().size();
  check(given, d);
  Schema schema;
  schema.target = given.target;
  for (std::size_t i = 0; i < d; ++i) {
    schema.columns.push_back(
        {.name = given.columns.empty() ? "x" + std::to_string(i + 1) : given.columns[i],
         .kind = ColumnKind::real,
         .levels = {}});
  }
  std::vector<double> weights;
  std::vector<double> means;
  std::vector<double> scatters;
  for (const std::size_t k : label_order(given.classes)) {
    const Rows& sigma = given.covariances[given.covariances.size() == 1 ? 0 : k];
    schema.labels.push_back(given.classes[k]);
    weights.push_back(given.priors[k]);
    means.insert(means.end(), given.means[k].begin(), given.means[k].end());
    for (const auto& row : sigma) {
      for (const double value : row) { scatters.push_back(given.priors[k] * value); }
    }
  }
  const FamilyRecord& record = find_family("gaussian");
  Options options(record.options,
                  {{"covariance", all_equal(given.covariances) ? "shared" : "own"}});
  GaussianStatistics statistics(
      PatternMoments(ClassMoments::given(shape_of(schema), SecondMoments::full, std::move(weights),
                                         std::move(means), std::move(scatters))),
      std::nullopt);
  for (const auto& column : schema.columns) {
    if (column.name == schema.target) {
      refuse("the target and a column are both called '" + column.name + "'; rename one of them");
    }
  }
  FitReport report;
  return std::make_unique<FittedClassifier<GaussianFamily>>(
      record.name, std::move(schema), std::move(options), std::move(statistics), Context{}, report);
}

}  // namespace logodds
