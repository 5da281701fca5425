#include <algorithm>

#include "logodds/error.hpp"
#include "models/k_means/k_means.hpp"

namespace logodds::models::k_means {

namespace {

using clusters::ClusterRange;
using clusters::ClusterRows;

ClusterRange range_of(const Options& options) { return clusters::parse_range(options.text("k")); }

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

KMeansStart start_of(const Options& options) {
  const std::string& name = options.choice("init");
  if (name == "given") { return KMeansStart::given; }
  return name == "random" ? KMeansStart::random : KMeansStart::plus_plus;
}

/// Given centers decide how many clusters there are, and leave nothing to start again.
void check_given(const ClusterRows& rows, const Options& options, std::size_t start_rows) {
  if (rows.start.empty()) {
    refuse("option --init: there are no rows to start from; give a file that has some");
  }
  const ClusterRange range = range_of(options);
  if (range.first != 0 && (!range.one() || range.first != start_rows)) {
    refuse("option --k: " + options.text("k") + " was asked for, but --init gives " +
           std::to_string(start_rows) + " centers; leave --k out");
  }
  if (options.integer("restarts") > 1) {
    refuse("option --restarts: from given centers every start ends alike; leave it out");
  }
}

/// Rows in the units in which distances are taken, and what leads there.
struct Space {
  std::vector<double> scratch;
  clusters::Standardization units;
  DesignRows rows;
  RowBlock block;
};

/// `space` holds what its rows refer to, so it is made in its place.
void fill_space(Space& space, const ClusterRows& rows, const Design& design, EstimatorInput input) {
  space.block = rows.view();
  space.rows = design.encode(space.block, space.scratch);
  const clusters::ColumnScales scales = clusters::column_scales(space.rows, space.block.weights);
  const std::string note = clusters::scale_note(scales, design.names());
  if (input.options.flag("standardize")) {
    space.units = clusters::standardization(scales);
    space.rows = space.units.apply(space.rows, space.scratch);
  } else if (!note.empty()) {
    input.report.notes.push_back(note);
  }
}

KMeansMethod method_of(const Options& options) {
  const std::string& name = options.choice("method");
  if (name == "auto") { return KMeansMethod::automatic; }
  return name == "lloyd" ? KMeansMethod::lloyd : KMeansMethod::triangle;
}

KMeansOptions wish(EstimatorInput input, std::size_t clusters, std::span<const double> start) {
  const Options& options = input.options;
  return {.clusters = clusters,
          .start = start_of(options),
          .centers = start,
          .restarts = static_cast<std::size_t>(options.integer("restarts")),
          .max_steps = static_cast<std::size_t>(options.integer("max-iterations")),
          .tolerance = options.real("tolerance"),
          .method = method_of(options),
          .trace = input.context.trace};
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return count == 1 ? "1 " + one : std::to_string(count) + " " + many;
}

void add_notes(const KMeansResult& result, FitReport& report) {
  std::size_t reseeded = 0;
  for (const KMeansStep& step : result.steps) { reseeded += step.reseeded; }
  if (reseeded > 0) {
    report.notes.push_back(counted(reseeded, "time a cluster", "times a cluster") +
                           " had no row left and was given the one farthest from its center");
  }
  if (result.end == KMeansEnd::max_steps) {
    report.notes.push_back("the last of " + counted(result.steps.size() - 1, "step", "steps") +
                           " still changed the cluster of " +
                           counted(result.steps.back().changed, "row", "rows") +
                           "; give more --max-iterations to go on");
  }
  const auto empty = static_cast<std::size_t>(std::ranges::count(result.weights, 0.0));
  if (empty > 0) {
    report.notes.push_back(counted(empty, "cluster has", "clusters have") + " no row at the end");
  }
}

DescriptionTable trace_of(const KMeansResult& result) {
  DescriptionTable table{"E after every step", {"step", "E", "changed", "reseeded"}, {}};
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const KMeansStep& step = result.steps[s];
    table.rows.push_back({static_cast<std::int64_t>(s), step.error,
                          static_cast<std::int64_t>(step.changed),
                          static_cast<std::int64_t>(step.reseeded)});
  }
  return table;
}

void report_starts(const KMeansResult& result, FitReport& report) {
  if (result.start_errors.size() < 2) { return; }
  DescriptionTable table{"starts", {"start", "E", "kept"}, {}};
  for (std::size_t s = 0; s < result.start_errors.size(); ++s) {
    table.rows.push_back({static_cast<std::int64_t>(s + 1), result.start_errors[s],
                          std::string(s == result.start ? "yes" : "")});
  }
  report.tables.push_back(std::move(table));
}

/// E of every K of the range, each from starts of its own; the last of them.
KMeansResult try_range(const Space& space, ClusterRange range, EstimatorInput input) {
  DescriptionTable table{"E against K", {"K", "E", "gap"}, {}};
  KMeansResult result;
  double before = 0.0;
  for (std::size_t k = range.first; k <= range.last; ++k) {
    result = logodds::k_means(space.rows, space.block.weights, wish(input, k, {}), input.context);
    const Cell gap = k == range.first ? Cell(std::string()) : Cell(before - result.error);
    table.rows.push_back({static_cast<std::int64_t>(k), result.error, gap});
    before = result.error;
  }
  input.report.tables.push_back(std::move(table));
  return result;
}

}  // namespace

void KMeansFamily::settle(ClusterRows& rows, Options& options, Schema& schema,
                          const Context& context, FitReport& /*report*/) {
  const Design design(schema, OneHot::full);
  if (start_of(options) == KMeansStart::given) {
    clusters::read_start(rows, schema, context);
    const std::size_t start_rows = rows.start.size() / design.size();
    check_given(rows, options, start_rows);
    options.replace("k", std::to_string(start_rows));
  }
  const ClusterRange range = range_of(options);
  if (range.first == 0) { refuse("option --k is missing: say how many clusters there are to be"); }
  clusters::name_clusters(rows, schema, range.last);
}

KMeansDiscriminant KMeansFamily::estimate(const ClusterRows& rows, EstimatorInput input) {
  const Design design(input.schema, OneHot::full);
  if (const auto note = design.one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  Space space;
  fill_space(space, rows, design, input);
  std::vector<double> start = rows.start;
  const DesignRows given{start.data(), start.size() / design.size(), design.size(), design.size()};
  static_cast<void>(space.units.apply(given, start));
  const ClusterRange range = range_of(input.options);
  const bool one = range.one();
  KMeansResult result = one ? logodds::k_means(space.rows, space.block.weights,
                                               wish(input, range.first, start), input.context)
                            : try_range(space, range, input);
  FitReport& report = input.report;
  report.class_weights = result.weights;
  if (one) {
    report.facts = {{"E", result.error},
                    {"steps", static_cast<std::int64_t>(result.steps.size() - 1)},
                    {"ended", std::string(end_text(result.end))}};
    if (input.context.trace) { report.trace = trace_of(result); }
    report_starts(result, report);
    clusters::compare_with_labels(rows, result.labels, range.last, report);
    add_notes(result, report);
    report.clusters = std::move(result.labels);
  }
  return {input.schema, std::move(space.units), std::move(result.centers),
          FitFacts{.weights = std::move(result.weights),
                   .errors = std::move(result.errors),
                   .steps = static_cast<std::int32_t>(result.steps.size() - 1),
                   .end = result.end}};
}

}  // namespace logodds::models::k_means
