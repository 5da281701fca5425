// Gaussian mixtures of arrays and Arrow streams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrow.hpp"
#include "interrupt.hpp"
#include "logodds/models/mixture.hpp"
#include "model.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// How a mixture is to be fitted, besides the options of its densities.
struct MixtureRun {
  MixtureRule rule;
  std::uint64_t seed = 0;
  int threads = 1;
};

MixtureRun mixture_run(const std::string& start, std::size_t components, std::size_t restarts,
                       std::size_t max_iterations, double tolerance,
                       const std::optional<Matrix>& shares, const std::optional<Matrix>& centers,
                       int threads, std::uint64_t seed) {
  MixtureRun run{.rule = {.components = components,
                          .start = start == "random" ? MixtureStart::random : MixtureStart::k_means,
                          .restarts = restarts,
                          .max_iterations = max_iterations,
                          .tolerance = tolerance},
                 .seed = seed,
                 .threads = threads};
  if (shares) { run.rule.shares = {shares->data(), shares->size()}; }
  if (centers) { run.rule.centers = {centers->data(), centers->size()}; }
  return run;
}

Fitted fit(BlockSource& source, const Given& options, const MixtureRun& run) {
  Fit result = run_interruptibly(run.threads, [&](Context context) {
    context.seed = run.seed;
    return MixtureRows(source, options, context).fit(run.rule, context);
  });
  return {Model{std::move(result.model)}, std::move(result.report)};
}

Fitted mixture_array(const Given& options, const Features& features,
                     const std::vector<std::string>& names, const std::optional<Weights>& weights,
                     const MixtureRun& run) {
  if (weights && weights->size() != features.shape(0)) {
    throw nb::value_error("features and weights have different numbers of rows");
  }
  const auto source = open_matrix({.features = matrix_view(features),
                                   .names = names,
                                   .weights = weights ? weights->data() : nullptr,
                                   .allow_missing = takes_missing("gaussian", options)});
  return fit(*source, options, run);
}

Fitted mixture_arrow(const Given& options, const nb::object& stream,
                     const std::optional<Weights>& weights, const MixtureRun& run) {
  const ArrowTable table = arrow_table(stream);
  ArrowLabels labels{};
  if (weights) { labels.weights = {weights->data(), weights->size()}; }
  const auto source = open_arrow(
      table, labels, takes_missing("gaussian", options) ? ArrowNulls::missing : ArrowNulls::error);
  return fit(*source, options, run);
}

}  // namespace

void bind_mixture(nb::module_& module) {
  using nb::arg;
  nb::class_<MixtureRun>(module, "MixtureRun", "How a mixture is fitted.")
      .def(
          "__init__",
          [](MixtureRun* self, const std::string& start, std::size_t components,
             std::size_t restarts, std::size_t max_iterations, double tolerance,
             const std::optional<Matrix>& shares, const std::optional<Matrix>& centers, int threads,
             std::uint64_t seed) {
            new (self) MixtureRun(mixture_run(start, components, restarts, max_iterations,
                                              tolerance, shares, centers, threads, seed));
          },
          arg("start"), arg("components"), arg("restarts"), arg("max_iterations"), arg("tolerance"),
          arg("shares").none(), arg("centers").none(), arg("threads"), arg("seed"),
          nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>());
  module.def("mixture_array", &mixture_array, arg("options"), arg("features"), arg("names"),
             arg("weights").none(), arg("run"));
  module.def("mixture_arrow", &mixture_arrow, arg("options"), arg("stream"), arg("weights").none(),
             arg("run"));
}

}  // namespace logodds::binding
