#include "models/gaussian/joint_runs.hpp"

#include <algorithm>
#include <variant>

#include "models/gaussian/rule.hpp"

namespace logodds::models::gaussian {

namespace {

bool same_columns(const GaussianDiscriminant& a, const GaussianDiscriminant& b) {
  return !a.projection() && !b.projection() && a.design().names() == b.design().names();
}

const LinearScores* linear(const GaussianDiscriminant& model) {
  return std::get_if<LinearScores>(&model.scores());
}

bool linear_alike(const GaussianDiscriminant& a, const GaussianDiscriminant& b) {
  const LinearScores* const one = linear(a);
  const LinearScores* const other = linear(b);
  return one != nullptr && other != nullptr && same_columns(a, b) && one->center == other->center &&
         one->bias.size() == other->bias.size();
}

bool quadratic_alike(const GaussianDiscriminant& a, const GaussianDiscriminant& b) {
  const Densities& one = a.densities();
  const Densities& other = b.densities();
  return same_columns(a, b) && !other.shared() && !other.factors.front().diagonal() &&
         one.covariance_of == other.covariance_of && one.means == other.means;
}

/// The first model from `begin` on that is not like it.
template <class Alike>
std::size_t end_of(Models models, std::size_t begin, const Alike& alike) {
  std::size_t end = begin;
  while (end < models.size() && alike(*models[begin], *models[end])) { ++end; }
  return end;
}

}  // namespace

std::size_t GaussianFamily::held_at_once(const Options& options, const Schema& schema) {
  constexpr std::size_t kMostModels = 32;
  constexpr std::size_t kMostBytes = std::size_t{1} << 26U;
  const CovarianceRule rule(options);
  const bool linear = rule.pooling == Pooling::shared && !rule.blend;
  if ((!linear && rule.shape != Form::full) || rule.components > 0 || rule.blend_auto ||
      schema.coded_count() > 0) {
    return 1;
  }
  const std::size_t d = schema.columns.size();
  // Statistics, factors, and the factors once more in the form of scores.
  const std::size_t bytes = 3 * sizeof(double) * schema.labels.size() * d * d;
  return std::clamp(kMostBytes / std::max(bytes, std::size_t{1}), std::size_t{1}, kMostModels);
}

std::vector<JointRun> GaussianFamily::joint_runs(Models models) {
  std::vector<JointRun> runs;
  for (std::size_t begin = 0; begin < models.size();) {
    std::size_t end = end_of(models, begin, linear_alike);
    if (end > begin + 1) {
      const Models together = models.subspan(begin, end - begin);
      runs.push_back({begin, together.size(), linear_maps_of(together)});
    } else {
      end = end_of(models, begin, quadratic_alike);
      find_common_axes(models.subspan(begin, end - begin), begin, runs);
    }
    begin = std::max(end, begin + 1);
  }
  return runs;
}

}  // namespace logodds::models::gaussian
