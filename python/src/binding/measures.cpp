// Measures of posteriors that are arrays, and of scores.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <span>
#include <string>

#include "arrays.hpp"
#include "logodds/measure/ranking.hpp"
#include "logodds/measure/report.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using measure::Estimate;
using measure::Measures;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Truths = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple estimate_tuple(const Estimate& estimate) {
  return nb::make_tuple(estimate.value, estimate.lower, estimate.upper,
                        std::string(measure::method_name(estimate.method)));
}

nb::list curve_list(const measure::Calibration& curve, double level) {
  nb::list bins;
  for (std::size_t b = 0; b < curve.bins().size(); ++b) {
    const measure::CalibrationBin& bin = curve.bins()[b];
    bins.append(nb::make_tuple(curve.lower_edge(b), curve.lower_edge(b + 1), bin.rows, bin.weight,
                               bin.mean_probability(),
                               estimate_tuple(measure::bin_share(bin, level))));
  }
  return bins;
}

template <class Whole>
nb::dict estimates_dict(const Whole& whole, std::span<const measure::NamedMeasure<Whole>> all) {
  nb::dict found;
  for (const auto& named : all) {
    found[std::string(named.key).c_str()] = estimate_tuple(whole.*named.estimate);
  }
  return found;
}

nb::dict report_dict(const Measures& measures, const measure::Report& report) {
  const std::size_t classes = measures.classes();
  nb::list by_class;
  for (std::size_t k = 0; k < classes; ++k) {
    nb::dict one = estimates_dict(report.classes[k], measure::class_measures());
    one["weight"] = report.classes[k].weight;
    one["decided"] = report.classes[k].decided;
    one["calibration"] = curve_list(measures.calibration(k), report.level);
    by_class.append(one);
  }
  nb::dict found;
  found["rows"] = measures.rows();
  found["weight"] = measures.weight();
  found["rows_ruled_out"] = measures.rows_ruled_out();
  found["overall"] = estimates_dict(report, measure::overall_measures());
  found["by_class"] = by_class;
  found["confusion"] = owning_array<Numbers>(measures.confusion(), {classes, classes});
  found["calibration"] = curve_list(measures.decision_calibration(), report.level);
  return found;
}

/// Rows of weight 0 change nothing. The caller has checked every value.
nb::dict measure_rows(const Truths& truths, const Matrix& posteriors,
                      const std::optional<Values>& weights, std::size_t bins, double floor,
                      double level, std::size_t bootstrap, std::uint64_t seed, int threads) {
  const std::size_t classes = posteriors.shape(1);
  std::optional<Measures> measures;
  measure::Report report;
  {
    const nb::gil_scoped_release no_gil;
    measures.emplace(
        classes, measure::MeasureOptions{.bins = bins,
                                         .keep_rows = true,
                                         .most_kept_bytes = std::numeric_limits<std::size_t>::max(),
                                         .floor = floor});
    for (std::size_t r = 0; r < truths.size(); ++r) {
      const double weight = weights ? weights->data()[r] : 1.0;
      if (weight == 0.0) { continue; }
      measures->add(static_cast<std::size_t>(truths.data()[r]),
                    {posteriors.data() + r * classes, classes}, weight);
    }
    report = measure::report(*measures, {.level = level, .bootstrap = bootstrap},
                             {.threads = threads, .seed = seed});
  }
  return report_dict(*measures, report);
}

measure::Scores scores_of(const Values& values, const Flags& positive,
                          const std::optional<Values>& weights) {
  return {{values.data(), values.size()},
          {positive.data(), positive.size()},
          weights ? std::span<const double>(weights->data(), weights->size())
                  : std::span<const double>()};
}

template <class Measure>
nb::tuple measure_scores(Measure measure, const Values& values, const Flags& positive,
                         const std::optional<Values>& weights, double level, int threads) {
  Estimate found;
  {
    const nb::gil_scoped_release no_gil;
    found = measure(scores_of(values, positive, weights), level, Context{.threads = threads});
  }
  return estimate_tuple(found);
}

nb::tuple roc_curve(const Values& values, const Flags& positive,
                    const std::optional<Values>& weights, int threads) {
  measure::RocCurve curve;
  {
    const nb::gil_scoped_release no_gil;
    curve = measure::roc_curve(scores_of(values, positive, weights), {.threads = threads});
  }
  const std::vector<std::size_t> shape{curve.thresholds.size()};
  return nb::make_tuple(owning_array<Numbers>(std::move(curve.false_positive_rates), shape),
                        owning_array<Numbers>(std::move(curve.true_positive_rates), shape),
                        owning_array<Numbers>(std::move(curve.precisions), shape),
                        owning_array<Numbers>(std::move(curve.thresholds), shape));
}

}  // namespace

void bind_measures(nb::module_& module) {
  using nb::arg;
  module.def("measure_rows", &measure_rows, arg("truths"), arg("posteriors"), arg("weights").none(),
             arg("bins"), arg("floor"), arg("level"), arg("bootstrap"), arg("seed"),
             arg("threads"));
  module.def(
      "roc_auc",
      [](const Values& values, const Flags& positive, const std::optional<Values>& weights,
         double level, int threads) {
        return measure_scores(measure::roc_auc, values, positive, weights, level, threads);
      },
      arg("values"), arg("positive"), arg("weights").none(), arg("level"), arg("threads"));
  module.def(
      "average_precision",
      [](const Values& values, const Flags& positive, const std::optional<Values>& weights,
         double level, int threads) {
        return measure_scores(measure::average_precision, values, positive, weights, level,
                              threads);
      },
      arg("values"), arg("positive"), arg("weights").none(), arg("level"), arg("threads"));
  module.def("roc_curve", &roc_curve, arg("values"), arg("positive"), arg("weights").none(),
             arg("threads"));
}

}  // namespace logodds::binding
