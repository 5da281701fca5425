#include "logodds/models/em.hpp"

#include <algorithm>

namespace logodds::em {

std::vector<OptionSpec> options() {
  return {{.name = "unlabeled",
           .type = OptionType::choice,
           .default_value = "error",
           .help = "training rows whose label is empty: refuse them, or let EM use them",
           .choices = {"error", "em"}},
          {.name = "max-iterations",
           .type = OptionType::integer,
           .default_value = "1000",
           .help = "steps of --unlabeled em at most",
           .minimum = 0.0},
          {.name = "tolerance",
           .type = OptionType::real,
           .default_value = "1e-06",
           .help = "--unlabeled em ends when a step changes the mean log-likelihood of a row by "
                   "less",
           .minimum = 0.0}};
}

bool wanted(const Options& options) {
  return options.has("unlabeled") && options.choice("unlabeled") == "em";
}

Rule rule_of(const Options& options) {
  return {.most_iterations = static_cast<std::size_t>(options.integer("max-iterations")),
          .tolerance = options.real("tolerance")};
}

bool Course::add(double log_likelihood, double weight, const Rule& rule) {
  log_likelihoods.push_back(log_likelihood);
  const std::size_t steps = iterations();
  if (steps > 0) {
    const double change = std::abs(log_likelihood - log_likelihoods[steps - 1]);
    converged = change < rule.tolerance * weight;
  }
  return converged || steps >= rule.most_iterations;
}

DescriptionTable Course::table() const {
  DescriptionTable table{"EM: log-likelihood of the rows, those without a label in any class",
                         {"iteration", "log-likelihood", "gain"},
                         {}};
  for (std::size_t i = 0; i < log_likelihoods.size(); ++i) {
    const double before = log_likelihoods[i == 0 ? 0 : i - 1];
    table.rows.push_back(
        {static_cast<std::int64_t>(i), log_likelihoods[i], log_likelihoods[i] - before});
  }
  return table;
}

std::string Course::note(double weight) const {
  if (converged) { return {}; }
  const std::size_t steps = iterations();
  std::string text = "EM has not converged after " + std::to_string(steps) + " steps";
  if (steps > 0) {
    const double change = std::abs(log_likelihoods[steps] - log_likelihoods[steps - 1]) / weight;
    text += ": the last one changed the mean log-likelihood of a row by " + format_number(change);
  }
  return text + "; raise --max-iterations, or --tolerance";
}

void check_scores(std::span<const double> scores) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool good = std::ranges::all_of(scores, [](double score) { return score < kInfinity; });
  if (good) { return; }
  throw Error(ErrorCode::input,
              "a row without a label is so far from the others that its scores overflow; check the "
              "units of the columns");
}

void throw_without_place(const RowProblem& problem) {
  throw Error(ErrorCode::input, "a row without a label, column '" + problem.column +
                                    "': " + format_number(problem.value) + " " + problem.sentence);
}

void throw_in_step(const Error& error, std::size_t step, bool from_labels) {
  const std::string where = step > 0      ? "step " + std::to_string(step) + " of EM: "
                            : from_labels ? "EM starts from the rows that have a label: "
                                          : "the start of EM: ";
  throw Error(error.code(), where + error.what());
}

void check_weights(std::span<const double> weights, const std::vector<std::string>& labels) {
  const auto none = std::ranges::find_if_not(weights, [](double w) { return w > 0.0; });
  if (none == weights.end()) { return; }
  throw Error(ErrorCode::numeric,
              "EM: class '" + labels[static_cast<std::size_t>(none - weights.begin())] +
                  "' is left without rows; take fewer classes, or another start");
}

void refuse_no_labels(const BlockSource& source) {
  throw Error(ErrorCode::input,
              source.name() +
                  ": no row has a label, so there are no classes to learn; find groups "
                  "of rows with 'logodds cluster --soft' (in Python GaussianMixture)");
}

}  // namespace logodds::em
