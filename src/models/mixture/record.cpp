// Gaussian mixtures among the clusterings: options, and the learner behind `logodds cluster
// --soft`.
#include <algorithm>
#include <array>
#include <optional>

#include "logodds/data/design.hpp"
#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/models/mixture.hpp"
#include "logodds/registry/registry.hpp"
#include "models/clusters/cluster_rows.hpp"

namespace logodds::models::mixture {

FamilyRecord record();

namespace {

using clusters::ClusterRange;
using OptionValues = std::map<std::string, std::string>;

/// Options of the family gaussian that are about labels.
constexpr std::array<std::string_view, 3> kOfLabels{"unlabeled", "max-iterations", "tolerance"};

bool of_densities(const OptionSpec& option) {
  return std::ranges::find(kOfLabels, option.name) == kOfLabels.end();
}

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> all{
      {.name = "k",
       .type = OptionType::text,
       .default_value = "",
       .help = "components to find; of a range the one with the least BIC is taken",
       .form = "K|A-B",
       .canonical = clusters::canonical_range},
      {.name = "init",
       .type = OptionType::choice,
       .default_value = "k-means",
       .help = "components to start from: clusters of K-means, random shares of every row, or the "
               "nearest of the rows of a CSV file with the same columns",
       .choices = {"k-means", "random", "given"},
       .form = "k-means|random|FILE"},
      {.name = "restarts",
       .type = OptionType::integer,
       .default_value = "1",
       .help =
           "starts; the mixture with the largest likelihood is kept, the earliest of equal ones",
       .minimum = 1.0,
       .maximum = 1e6},
      {.name = "max-iterations",
       .type = OptionType::integer,
       .default_value = "1000",
       .help = "steps of each start at most",
       .minimum = 0.0,
       .maximum = 1e9},
      {.name = "tolerance",
       .type = OptionType::real,
       .default_value = "1e-06",
       .help = "end when a step changes the mean log-likelihood of a row by less",
       .minimum = 0.0}};
  for (OptionSpec option : find_family("gaussian").options) {
    if (!of_densities(option)) { continue; }
    if (option.name == "covariance") { option.default_value = "own"; }
    all.push_back(std::move(option));
  }
  return all;
}

/// Centers of Context::start_rows; see MixtureRule::centers.
std::vector<double> given_centers(const Schema& schema, const Context& context) {
  clusters::ClusterRows start;
  clusters::read_start(start, schema, context);
  if (start.start.empty()) {
    throw Error(ErrorCode::usage,
                "option --init: there are no rows to start from; give a file that has some");
  }
  return std::move(start.start);
}

class MixtureLearner final : public Learner {
 public:
  explicit MixtureLearner(Options options) : options_(std::move(options)) {}

  [[nodiscard]] Fit fit(BlockSource& source, MissingRows missing,
                        const Context& context) const override {
    const MixtureRows rows(source, densities(), context, missing);
    std::vector<double> centers;
    if (options_.choice("init") == "given") { centers = given_centers(rows.schema(), context); }
    const ClusterRange range = range_of(rows, centers);
    Fit fit =
        range.one() ? rows.fit(rule(range.first, centers), context) : best_of(rows, range, context);
    add_facts(fit);
    rows.compare_with_labels(fit, context);
    return fit;
  }

 private:
  [[nodiscard]] OptionValues densities() const {
    OptionValues values;
    for (const OptionSpec& option : find_family("gaussian").options) {
      if (of_densities(option)) { values.emplace(option.name, options_.text(option.name)); }
    }
    return values;
  }

  [[nodiscard]] MixtureRule rule(std::size_t components, std::span<const double> centers) const {
    return {
        .components = components,
        .start = options_.choice("init") == "random" ? MixtureStart::random : MixtureStart::k_means,
        .restarts = static_cast<std::size_t>(options_.integer("restarts")),
        .max_iterations = static_cast<std::size_t>(options_.integer("max-iterations")),
        .tolerance = options_.real("tolerance"),
        .centers = centers};
  }

  /// Given centers decide how many components there are, and leave nothing to start again.
  [[nodiscard]] ClusterRange range_of(const MixtureRows& rows,
                                      const std::vector<double>& centers) const {
    const ClusterRange asked = clusters::parse_range(options_.text("k"));
    if (centers.empty()) {
      if (asked.first == 0) {
        throw Error(ErrorCode::usage,
                    "option --k is missing: say how many components there are to be");
      }
      return asked;
    }
    const std::size_t count = centers.size() / Design(rows.schema(), OneHot::full).size();
    if (asked.first != 0 && (!asked.one() || asked.first != count)) {
      throw Error(ErrorCode::usage, "option --k: " + options_.text("k") +
                                        " was asked for, but --init gives " +
                                        std::to_string(count) + " centers; leave --k out");
    }
    if (options_.integer("restarts") > 1) {
      throw Error(ErrorCode::usage,
                  "option --restarts: from given centers every start ends alike; leave it out");
    }
    return {count, count};
  }

  /// The one with the least BIC, and a table of all.
  [[nodiscard]] Fit best_of(const MixtureRows& rows, ClusterRange range,
                            const Context& context) const {
    DescriptionTable table{
        "components", {"K", "log-likelihood", "parameters", "AIC", "BIC", "best"}, {}};
    std::optional<Fit> best;
    std::optional<Error> failure;
    std::size_t best_row = 0;
    for (std::size_t k = range.first; k <= range.last; ++k) {
      table.rows.push_back({static_cast<std::int64_t>(k), std::string("collapsed"), std::string(),
                            std::string(), std::string(), std::string()});
      try {
        Fit fit = rows.fit(rule(k, {}), context);
        const Likelihood found = fit.model->training_likelihood().value();
        table.rows.back() = {static_cast<std::int64_t>(k),
                             found.log_likelihood,
                             found.parameters,
                             found.aic(),
                             found.bic(),
                             std::string()};
        if (best && !(found.bic() < best->model->training_likelihood()->bic())) { continue; }
        best = std::move(fit);
        best_row = table.rows.size() - 1;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::numeric) { throw; }
        failure = Error(error.code(), std::to_string(k) + " components: " + error.what());
      }
    }
    if (!best) { throw Error(*failure); }
    if (failure) { best->report.notes.emplace_back(failure->what()); }
    table.rows[best_row].back() = std::string("yes");
    best->report.tables.insert(best->report.tables.begin(), std::move(table));
    return std::move(*best);
  }

  static void add_facts(Fit& fit) {
    const Likelihood found = fit.model->training_likelihood().value();
    FitReport& report = fit.report;
    report.facts = {{"components", static_cast<std::int64_t>(fit.model->labels().size())},
                    {"log-likelihood", found.log_likelihood},
                    {"parameters", found.parameters},
                    {"AIC", found.aic()},
                    {"BIC", found.bic()},
                    {"steps", static_cast<std::int64_t>(report.trace->rows.size() - 1)},
                    {"converged", std::string(report.converged ? "yes" : "no")}};
  }

  Options options_;
};

}  // namespace

FamilyRecord record() {
  return {
      .name = "mixture",
      .summary = "a Gaussian mixture by EM: every row belongs to every component by its posterior",
      .example = "--soft --k 1-6 --restarts 5",
      .options = options(),
      .capabilities = {.missing = true, .generative = true, .geometry = true, .one_answer = false},
      .make_learner = [](const Options& options) -> std::unique_ptr<Learner> {
        return std::make_unique<MixtureLearner>(options);
      },
      .load = [](const modelfile::Reader& reader, const Schema&,
                 const Options&) -> std::unique_ptr<Classifier> {
        reader.fail("a mixture is saved as a model of the family gaussian");
      },
  };
}

}  // namespace logodds::models::mixture
