// Clusterings of arrays and Arrow streams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "interrupt.hpp"
#include "model.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// How a clustering runs, besides its options.
struct Run {
  int threads;
  std::uint64_t seed;
  const std::optional<Features>& start;  ///< rows to start from
  bool trace;
};

Fitted run_cluster(BlockSource& source, const std::string& clustering, const Given& options,
                   const Run& run, MissingRows missing) {
  const std::optional<MatrixView> start =
      run.start ? std::optional(matrix_view(*run.start)) : std::nullopt;
  Fit result = run_interruptibly(run.threads, [&](Context context) {
    context.seed = run.seed;
    context.trace = run.trace;
    if (start) {
      context.start_rows = [&](const Schema& schema) {
        return open_matrix({.features = *start}, schema);
      };
    }
    return cluster(source, clustering, options, context, missing);
  });
  return {Model{std::move(result.model)}, std::move(result.report)};
}

Fitted cluster_array(const std::string& clustering, const Given& options, const Features& features,
                     const std::vector<std::string>& names, const std::optional<Weights>& weights,
                     int threads, std::uint64_t seed, const std::optional<Features>& start,
                     bool trace) {
  const auto source = open_matrix({.features = matrix_view(features),
                                   .names = names,
                                   .weights = weights ? weights->data() : nullptr});
  return run_cluster(*source, clustering, options, {threads, seed, start, trace}, MissingRows::use);
}

Fitted cluster_arrow(const std::string& clustering, const Given& options, const nb::object& stream,
                     const std::optional<Weights>& weights, int threads, std::uint64_t seed,
                     const std::optional<Features>& start, bool trace) {
  const ArrowTable table = arrow_table(stream);
  ArrowLabels labels;
  if (weights) { labels.weights = {weights->data(), weights->size()}; }
  const auto source = open_arrow(table, labels, ArrowNulls::error);
  return run_cluster(*source, clustering, options, {threads, seed, start, trace}, MissingRows::use);
}

}  // namespace

void bind_cluster(nb::module_& module) {
  using nb::arg;
  const auto start = arg("start").none() = nb::none();
  module.def("cluster_array", &cluster_array, arg("clustering"), arg("options"), arg("features"),
             arg("names"), arg("weights").none(), arg("threads"), arg("seed"), start,
             arg("trace") = true);
  module.def("cluster_arrow", &cluster_arrow, arg("clustering"), arg("options"), arg("stream"),
             arg("weights").none(), arg("threads"), arg("seed"), start, arg("trace") = true);
}

}  // namespace logodds::binding
