// Statistics to densities: missing values, projection, covariances, priors, in this order.
#include <cmath>

#include "models/gaussian/estimate.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/missing.hpp"
#include "models/gaussian/shrinkage.hpp"

namespace logodds::models::gaussian {

namespace {

Keeps keeps_of(const CovarianceRule& rule) {
  return {.moments = rule.moments(),
          .fourth = rule.shrinkage == Shrinkage::ledoit_wolf,
          .rows = rule.blend_auto};
}

DescriptionTable trace_table(const EmTrace& trace) {
  DescriptionTable table{"EM: log-likelihood of the observed values, given the classes",
                         {"iteration", "log-likelihood", "gain"},
                         {}};
  for (std::size_t i = 0; i < trace.log_likelihoods.size(); ++i) {
    const double before = trace.log_likelihoods[i == 0 ? 0 : i - 1];
    table.rows.push_back({static_cast<std::int64_t>(i), trace.log_likelihoods[i],
                          trace.log_likelihoods[i] - before});
  }
  return table;
}

/// Complete rows alone, or completed by the way that option `missing` names.
DesignMoments completed(const GaussianStatistics& statistics, const Design& design,
                        const CovarianceTask& task, const EstimatorInput& input) {
  const DesignMoments complete(statistics.moments().complete(), design);
  if (statistics.moments().incomplete().empty()) { return complete; }
  const auto parts = pattern_parts(statistics.moments(), design);
  check_observed(complete, parts, task);
  if (input.options.choice("missing") == "available") { return available_moments(complete, parts); }
  EmTrace trace;
  const auto shrinker = [&](const DesignMoments& moments) {
    return shrunk_targets(task.rule, moments, statistics, design);
  };
  auto moments = em_moments(complete, parts, task, shrinker, input.context, trace);
  input.report.trace = trace_table(trace);
  if (!trace.converged) {
    input.report.notes.push_back("EM has not converged after " +
                                 std::to_string(trace.log_likelihoods.size()) +
                                 " steps; its last ones are used");
  }
  return moments;
}

}  // namespace

Densities densities_from(const DesignMoments& moments, const CovarianceTask& task,
                         const ShrunkTargets& shrunk, const std::string& priors,
                         std::vector<std::string>& notes) {
  const Covariances found = covariances(moments, task, shrunk);
  Densities densities;
  densities.size = moments.size;
  densities.log_priors = log_priors(priors, task.labels, moments.weights);
  densities.weights = moments.weights;
  densities.means = moments.means;
  densities.covariance_of = found.of_class;
  densities.factors = factors(found, moments, task, notes);
  densities.covariance_parameters = covariance_parameters(task.rule, found.count(), moments.size);
  return densities;
}

std::vector<std::string> component_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t m = 1; m <= count; ++m) { names.push_back("component " + std::to_string(m)); }
  return names;
}

GaussianStatistics GaussianFamily::start(const Options& options) {
  return GaussianStatistics(keeps_of(CovarianceRule(options)));
}

GaussianDiscriminant GaussianFamily::estimate(const GaussianStatistics& statistics,
                                              EstimatorInput input) {
  const CovarianceRule rule(input.options);
  Design design(input.schema, rule.one_hot());
  if (const auto note = design.one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  const auto groups = class_groups(rule, input.schema.labels);
  const CovarianceTask task{rule, groups, input.schema.labels, design.names()};
  DesignMoments moments = completed(statistics, design, task, input);
  std::optional<Projection> projection;
  const auto names = component_names(rule.components);
  if (rule.components > 0) {
    projection = principal_components(moments, rule.components);
    moments = projected(moments, *projection);
  }
  const CovarianceTask final_task{rule, groups, input.schema.labels,
                                  projection ? names : design.names()};
  const auto shrunk = shrunk_targets(rule, moments, statistics, design);
  auto densities =
      densities_from(moments, final_task, shrunk, input.options.text("priors"), input.report.notes);
  return {input.schema, std::move(design), std::move(projection), std::move(densities)};
}

std::optional<Likelihood> GaussianFamily::likelihood(const GaussianStatistics& statistics,
                                                     const GaussianDiscriminant& discriminant) {
  const Densities& densities = discriminant.densities();
  if (statistics.weight() <= 1.0) { return {}; }  // a model written by hand has no rows to speak of
  DesignMoments complete(statistics.moments().complete(), discriminant.design());
  const auto parts = pattern_parts(statistics.moments(), discriminant.design());
  if (discriminant.projection()) {
    if (!parts.empty()) { return {}; }  // incomplete rows have no density on the components
    complete = projected(complete, *discriminant.projection());
  }
  Likelihood result{.log_likelihood = observed_log_likelihood(complete, parts, densities),
                    .parameters = densities.parameter_count(),
                    .weight = statistics.weight()};
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    result.log_likelihood += statistics.moments().weight(k) * densities.log_priors[k];
  }
  return result;
}

GaussianStatistics GaussianFamily::load_statistics(const modelfile::Reader& reader,
                                                   const Schema& schema, const Options& options) {
  return GaussianStatistics::load(reader, schema, keeps_of(CovarianceRule(options)));
}

}  // namespace logodds::models::gaussian
