// K-means of rows in memory: checks, starts, and the best of them.
#include "logodds/models/k_means.hpp"

#include <cmath>
#include <string>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"
#include "models/clusters/columns.hpp"
#include "models/k_means/descent.hpp"
#include "models/k_means/start.hpp"
#include "parallel/team.hpp"

namespace logodds {

using models::k_means::DescentPlan;
using models::k_means::Problem;

namespace {

constexpr double kSameError = 1e-12;

void check(const Problem& problem, const KMeansOptions& options) {
  if (problem.clusters == 0) {
    throw Error(ErrorCode::usage, "option --k: 0 clusters are none; give at least 1");
  }
  if (problem.clusters > problem.rows.rows) {
    throw Error(ErrorCode::input,
                "there are " + std::to_string(problem.rows.rows) + " rows, which are too few for " +
                    std::to_string(problem.clusters) + " clusters; give a smaller --k");
  }
  const std::size_t numbers = problem.clusters * problem.rows.columns;
  if (options.start == KMeansStart::given && options.centers.size() != numbers) {
    throw Error(ErrorCode::usage,
                "the start has " +
                    std::to_string(options.centers.size() /
                                   std::max<std::size_t>(1, problem.rows.columns)) +
                    " centers, but --k asks for " + std::to_string(problem.clusters) +
                    "; give one center a cluster");
  }
}

void check_different(const Problem& problem) {
  const std::size_t different = models::k_means::count_different(problem, problem.clusters);
  if (different == problem.clusters) { return; }
  throw Error(ErrorCode::input, "the rows are only " + std::to_string(different) +
                                    (different == 1 ? " different point" : " different points") +
                                    ", too few for " + std::to_string(problem.clusters) +
                                    " clusters; take --k " + std::to_string(different) +
                                    (different == 1 ? "" : " or less"));
}

double least_move(const Problem& problem, double tolerance) {
  if (tolerance == 0.0) { return 0.0; }
  const auto columns = models::clusters::column_scales(problem.rows, problem.weights);
  double sum = 0.0;
  for (const double variance : columns.variances) { sum += variance; }
  return tolerance * sum / static_cast<double>(columns.variances.size());
}

bool by_triangle(const Problem& problem, KMeansMethod method) {
  constexpr std::size_t kMany = 20000;  // rows times clusters; fewer are soon compared
  if (method != KMeansMethod::automatic) { return method == KMeansMethod::triangle; }
  return problem.rows.rows * problem.clusters >= kMany;
}

/// Tells of a step in which start, for a progress bar.
std::function<void(std::size_t, double)> teller(const Context& context,
                                                const KMeansOptions& options, std::size_t start) {
  if (!context.progress) {
    return [](std::size_t, double) {};
  }
  return [&context, &options, start](std::size_t step, double error) {
    const double of_start =
        std::min(1.0, static_cast<double>(step) /
                          static_cast<double>(std::max<std::size_t>(1, options.max_steps)));
    context.progress({.what = "clustering",
                      .fraction = (static_cast<double>(start) + of_start) /
                                  static_cast<double>(options.restarts),
                      .objective = std::isnan(error) ? 0.0 : error,
                      .iteration = step});
  };
}

}  // namespace

KMeansResult k_means(const DesignRows& rows, const double* weights, const KMeansOptions& options,
                     const Context& context) {
  const Problem problem(rows, weights, options.clusters);
  check(problem, options);
  check_different(problem);
  const DescentPlan plan{.max_steps = options.max_steps,
                         .least_move = least_move(problem, options.tolerance),
                         .trace = options.trace,
                         .triangle = by_triangle(problem, options.method)};
  const bool given = options.start == KMeansStart::given;
  KMeansResult best;
  std::vector<double> errors;
  parallel::Team::run(
      parallel::useful_threads(context.threads, problem.pieces.count()), [&](parallel::Team& team) {
        for (std::size_t start = 0; start < options.restarts; ++start) {
          std::vector<double> centers =
              given ? std::vector<double>(options.centers.begin(), options.centers.end())
                    : models::k_means::start_centers(problem, options.start, context.seed, start,
                                                     team);
          KMeansResult found = models::k_means::descend(problem, plan, std::move(centers), team,
                                                        teller(context, options, start));
          if (!std::isfinite(found.error)) {
            throw Error(ErrorCode::numeric,
                        "squared distances overflow; multiply the columns by a constant that "
                        "brings them near 1");
          }
          errors.push_back(found.error);
          found.start = start;
          // The same optimum under other numbers may differ in the last digits.
          if (start == 0 || found.error < best.error * (1.0 - kSameError)) {
            best = std::move(found);
          }
        }
      });
  best.start_errors = std::move(errors);
  return best;
}

}  // namespace logodds
