// Statistics to densities: missing values, projection, covariances, priors, in this order.
#include <algorithm>
#include <array>
#include <cmath>

#include "logodds/error.hpp"
#include "models/gaussian/estimate.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/missing.hpp"
#include "models/gaussian/shrinkage.hpp"
#include "models/priors.hpp"

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

/// Under principal components EM runs in all columns, where the covariance may be singular: with
/// the structure alone, and a hundred-millionth of the mean variance to keep it regular.
CovarianceRule em_rule(const CovarianceRule& rule) {
  constexpr double kNextToNothing = 1e-8;
  CovarianceRule plain = rule;
  if (rule.components == 0) { return plain; }
  plain.shape = Form::full;
  plain.ridge = plain.wishart = 0.0;
  plain.ridge_relative = kNextToNothing;
  plain.blend.reset();
  plain.shrinkage = Shrinkage::none;
  return plain;
}

/// The fourth moments are of complete rows; says so, and refuses when a class has next to none.
void check_shares(const GaussianStatistics& statistics, const CovarianceTask& task,
                  const EstimatorInput& input) {
  if (task.rule.shrinkage != Shrinkage::ledoit_wolf) { return; }
  constexpr double kFew = 2.0;
  double complete = 0.0;
  for (std::size_t k = 0; k < task.labels.size(); ++k) {
    complete += statistics.fourth()->weight(k);
    if (statistics.fourth()->weight(k) >= kFew) { continue; }
    throw Error(ErrorCode::numeric, "class '" + task.labels[k] +
                                        "': --shrinkage ledoit-wolf needs complete rows, and there "
                                        "are fewer than 2; take --shrinkage oas");
  }
  input.report.notes.push_back("ledoit-wolf: the shares are those of the complete rows, " +
                               format_number(complete) + " of " +
                               format_number(statistics.weight()) + "; --shrinkage oas uses all");
}

/// The options that decide where EM ends: all but the priors, and those about labels.
std::string em_options(const Options& options) {
  constexpr std::array<std::string_view, 4> kOthers{"priors", "unlabeled", "max-iterations",
                                                    "tolerance"};
  std::string text;
  for (const auto& [name, value] : options.values()) {
    if (std::ranges::find(kOthers, name) == kOthers.end()) { text += name + "=" + value + ";"; }
  }
  return text;
}

DesignMoments completed_by_em(const DesignMoments& complete, const std::vector<PatternPart>& parts,
                              const GaussianStatistics& statistics, const Design& design,
                              const CovarianceTask& task, const EstimatorInput& input) {
  const CovarianceRule rule = em_rule(task.rule);
  const CovarianceTask em_task{rule, task.groups, task.labels, task.columns};
  const auto shrinker = [&](const DesignMoments& moments) {
    return shrunk_targets(rule, moments, statistics, design);
  };
  EmTrace trace;
  auto moments = em_moments(complete, parts, em_task, shrinker, input.context, trace);
  input.report.trace = trace_table(trace);
  if (!trace.converged) {
    input.report.notes.push_back(
        "EM has not converged after " + std::to_string(trace.log_likelihoods.size()) +
        " steps: the moments still move by " + format_number(trace.last_change) +
        " of a standard deviation a step; its last ones are used");
  }
  return moments;
}

/// Complete rows alone, or completed by the way that option `missing` names.
DesignMoments completed(const GaussianStatistics& statistics, const Design& design,
                        const CovarianceTask& task, const EstimatorInput& input) {
  DesignMoments complete(statistics.moments().complete(), design);
  if (statistics.moments().incomplete().empty()) { return complete; }
  const auto* const kept = statistics.completed(em_options(input.options));
  if (kept != nullptr && kept->size == design.size() && kept->full == complete.full) {
    return *kept;
  }
  const auto parts = pattern_parts(statistics.moments(), design);
  check_observed(complete, parts, task);
  check_shares(statistics, task, input);
  if (input.options.choice("missing") == "available") { return available_moments(complete, parts); }
  return completed_by_em(complete, parts, statistics, design, task, input);
}

}  // namespace

Densities densities_from(const DesignMoments& moments, const CovarianceTask& task,
                         const ShrunkTargets& shrunk, const std::string& priors,
                         std::vector<std::string>& notes) {
  const Covariances found = covariances(moments, task, shrunk);
  Densities densities;
  densities.size = moments.size;
  densities.log_priors = log_priors(priors, task.labels, moments.weights);
  densities.prior_parameters = prior_parameters(priors, task.labels.size());
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

void GaussianFamily::settle(GaussianStatistics& statistics, Options& options, const Schema& schema,
                            const Context& context, FitReport& report) {
  settle_blend(statistics, options, schema, context, report);
  if (statistics.moments().incomplete().empty() || options.choice("missing") == "available") {
    return;
  }
  const CovarianceRule rule(options);
  const Design design(schema, rule.one_hot());
  const auto groups = class_groups(rule, schema.labels);
  auto moments = completed(statistics, design, {rule, groups, schema.labels, design.names()},
                           {schema, options, context, report});
  statistics.keep_completed(std::move(moments), em_options(options));
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
