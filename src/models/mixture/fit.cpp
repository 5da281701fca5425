// Starts, EM, and the best of several.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "logodds/error.hpp"
#include "logodds/models/family.hpp"
#include "models/gaussian/expectation.hpp"
#include "models/mixture/rows.hpp"

namespace logodds {

using models::gaussian::GaussianFamily;
using models::gaussian::GaussianStatistics;
using models::mixture::ShareRule;

namespace {

/// The statistics of all rows by shares; lanes as in em::expect().
GaussianStatistics shared_out(const HeldRows& rows, const std::vector<std::size_t>& first_rows,
                              const GaussianStatistics& empty, const Schema& schema,
                              const ShareRule& rule, const Context& context) {
  const Shape shape = shape_of(schema);
  const std::size_t lanes = std::min(lanes_for(schema), rows.parts());
  std::vector<GaussianStatistics> sums(lanes, empty);
  parallel::run_lanes(context.threads, lanes, [&](std::size_t lane) {
    HeldRows::Pointers pointers;
    std::vector<double> shares;
    for (std::size_t part = lane; part < rows.parts(); part += lanes) {
      const RowBlock block = rows.view(part, pointers);
      shares.resize(block.rows * shape.classes);
      rule(first_rows[part], block, shares);
      for (std::size_t r = 0; block.weights != nullptr && r < block.rows; ++r) {
        for (std::size_t k = 0; k < shape.classes; ++k) {
          shares[r * shape.classes + k] *= block.weights[r];
        }
      }
      em::add_shares(sums[lane], block, shape, shares);
    }
  });
  for (std::size_t lane = 1; lane < lanes; ++lane) { sums[0].merge(sums[lane]); }
  return std::move(sums[0]);
}

void check_components(std::size_t components, std::size_t rows) {
  if (components == 0) {
    throw Error(ErrorCode::usage, "a mixture has at least one component; ask for 1 or more");
  }
  if (components > rows) {
    throw Error(ErrorCode::input, "there are " + std::to_string(rows) + " rows, too few for " +
                                      std::to_string(components) + " components; ask for fewer");
  }
}

/// What became of one start.
struct Outcome {
  GaussianStatistics statistics;
  em::Course course;
};

/// The starts of one mixture, and the best of them.
class Starts {
 public:
  Starts(MixtureRows::Parts& parts, const MixtureRule& rule, const Schema& schema,
         const Context& context)
      : parts_(parts),
        rule_(rule),
        schema_(schema),
        context_(context),
        empty_(GaussianFamily::start(parts.options)) {}

  void run() {
    const std::size_t starts = given() ? 1 : std::max<std::size_t>(1, rule_.restarts);
    for (std::size_t start = 0; start < starts; ++start) {
      try {
        take(run(start), start);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::numeric) { throw; }
        failure_ = error;
        log_likelihoods_.push_back(kCollapsed);
      }
    }
    if (!best_) { throw Error(*failure_); }
  }

  [[nodiscard]] Outcome& best() { return *best_; }

  void tell(FitReport& report) const {
    if (failure_) {
      report.notes.push_back(
          "starts in which a component collapsed are left out; the last one did because: " +
          std::string(failure_->what()));
    }
    const auto note = best_->course.note(parts_.all.weight());
    if (!note.empty()) { report.notes.push_back(note); }
    if (log_likelihoods_.size() > 1) { report.tables.push_back(table()); }
  }

 private:
  static constexpr double kCollapsed = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool given() const { return !rule_.shares.empty() || !rule_.centers.empty(); }

  [[nodiscard]] ShareRule shares_of(std::size_t start) const {
    using namespace models::mixture;
    const std::uint64_t seed = context_.seed + start;
    if (!rule_.shares.empty()) {
      return given_shares(rule_.components, parts_.report.rows, rule_.shares);
    }
    if (!given() && rule_.start == MixtureStart::random) {
      return random_shares(rule_.components, seed);
    }
    const StartSpace& space = parts_.space();
    return space.nearest(given() ? space.scaled(rule_.centers)
                                 : space.k_means_centers(rule_.components, seed, context_));
  }

  [[nodiscard]] Outcome run(std::size_t start) const {
    const HeldRows& rows = parts_.all.rows;
    Outcome outcome{
        shared_out(rows, parts_.first_rows, empty_, schema_, shares_of(start), context_), {}};
    em::check_weights(outcome.statistics.class_weights(), schema_.labels);
    outcome.statistics = em::run<GaussianFamily>(
        {empty_, rows, empty_, schema_, parts_.options, {rule_.max_iterations, rule_.tolerance}},
        std::move(outcome.statistics), context_, outcome.course);
    return outcome;
  }

  void take(Outcome outcome, std::size_t start) {
    log_likelihoods_.push_back(outcome.course.log_likelihood());
    if (best_ && !(log_likelihoods_.back() > best_->course.log_likelihood())) { return; }
    best_ = std::move(outcome);
    best_start_ = start;
  }

  [[nodiscard]] DescriptionTable table() const {
    DescriptionTable table{"starts", {"start", "log-likelihood", "kept"}, {}};
    for (std::size_t s = 0; s < log_likelihoods_.size(); ++s) {
      const bool collapsed = std::isnan(log_likelihoods_[s]);
      table.rows.push_back({static_cast<std::int64_t>(s + 1),
                            collapsed ? Cell(std::string("collapsed")) : Cell(log_likelihoods_[s]),
                            std::string(s == best_start_ ? "yes" : "")});
    }
    return table;
  }

  MixtureRows::Parts& parts_;
  const MixtureRule& rule_;
  const Schema& schema_;
  const Context& context_;
  GaussianStatistics empty_;
  std::optional<Outcome> best_;
  std::size_t best_start_ = 0;
  std::optional<Error> failure_;
  std::vector<double> log_likelihoods_;
};

}  // namespace

Fit MixtureRows::fit(const MixtureRule& rule, const Context& context) const {
  check_components(rule.components, rows());
  Schema schema = parts_->schema;
  for (std::size_t k = 1; k <= rule.components; ++k) { schema.labels.push_back(std::to_string(k)); }
  Starts starts(*parts_, rule, schema, context);
  starts.run();
  auto& [statistics, course] = starts.best();
  FitReport report = parts_->report;
  starts.tell(report);
  report.weight = statistics.weight();
  report.class_weights = statistics.class_weights();
  Options options = parts_->options;
  GaussianFamily::settle(statistics, options, schema, context, report);
  report.trace = course.table();
  report.converged = course.converged;
  auto model = std::make_unique<FittedClassifier<GaussianFamily>>(
      "gaussian", std::move(schema), std::move(options), std::move(statistics), context, report,
      course.log_likelihood());
  return {std::move(model), std::move(report)};
}

}  // namespace logodds
