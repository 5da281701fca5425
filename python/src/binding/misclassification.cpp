// How often a model errs on rows of its own making.
#include "logodds/measure/misclassification.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "interrupt.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using measure::Misclassification;
using measure::PairError;

nb::dict pair_record(const PairError& pair) {
  nb::dict record;
  record["first"] = pair.first;
  record["second"] = pair.second;
  record["error"] = pair.error;
  record["standard_error"] = pair.standard_error;
  record["first_as_second"] = pair.first_as_second;
  record["second_as_first"] = pair.second_as_first;
  record["bhattacharyya"] = pair.bhattacharyya;
  record["chernoff"] = pair.chernoff;
  return record;
}

nb::dict record_of(const Misclassification& found) {
  nb::list pairs;
  for (const PairError& pair : found.pairs) { pairs.append(pair_record(pair)); }
  nb::dict record;
  record["error"] = found.error;
  record["method"] = found.method;
  record["exact"] = found.exact;
  record["bound"] = found.bound;
  record["standard_error"] = found.standard_error;
  record["draws"] = found.draws;
  record["by_class"] = found.by_class;
  record["pairs"] = pairs;
  record["boundaries"] = found.boundaries;
  record["threshold_error"] =
      found.threshold ? std::optional<double>(found.threshold->error) : std::nullopt;
  return record;
}

nb::dict misclassification(const Model& model, double standard_error, std::size_t draws,
                           std::optional<double> threshold, std::uint64_t seed, int threads) {
  const auto found = run_interruptibly(threads, [&](Context context) {
    context.seed = seed;
    return measure::misclassification(
        *model.classifier,
        {.standard_error = standard_error, .most_draws = draws, .threshold = threshold}, context);
  });
  return record_of(found);
}

}  // namespace

void bind_misclassification(nb::class_<Model>& model) {
  using nb::arg;
  model.def("misclassification", &misclassification, arg("standard_error"), arg("draws"),
            arg("threshold").none(), arg("seed"), arg("threads"));
}

}  // namespace logodds::binding
