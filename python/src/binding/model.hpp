// The objects that Python holds, and the parts of the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds::binding {

/// A fitted model. Immutable, so that any number of threads may use it at once.
struct Model {
  std::shared_ptr<const Classifier> classifier;
};

/// A model that describes rows. Immutable, as Model is.
struct Descriptive {
  std::shared_ptr<const DescriptiveModel> model;
};

using Features = nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::device::cpu>;
using Labels = nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig,
                                 nanobind::device::cpu>;
using Weights =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Posteriors = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>>;

/// The array in place, with its strides. Throws TypeError unless it is float32 or float64.
[[nodiscard]] MatrixView matrix_view(const Features& features);
/// A NumPy array of rows x columns that owns `values`.
[[nodiscard]] Posteriors posteriors_array(std::unique_ptr<std::vector<double>> values,
                                          std::size_t columns);
/// "": what the family does with them. Throws Error(usage) unless that, "skip" or "error".
[[nodiscard]] MissingRows parse_missing(const std::string& name);
/// Whether rows that lack a value are scored; they are refused by a model that cannot, and by one
/// that was trained with missing='error'.
[[nodiscard]] bool uses_missing(const Model& model);
/// "facts" and "tables".
[[nodiscard]] nanobind::dict description_record(const Description& description);
/// Title, columns and rows.
[[nodiscard]] nanobind::dict table_record(const DescriptionTable& table);
/// Name, type, default, help, and what else there is to say of an option.
[[nodiscard]] nanobind::dict option_record(const OptionSpec& option);

void bind_registry(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_cluster(nanobind::module_& module);
void bind_spread(nanobind::module_& module);
void bind_predict(nanobind::class_<Model>& model);
void bind_rows(nanobind::class_<Model>& model);
void bind_explain(nanobind::class_<Model>& model);
void bind_neighbors(nanobind::class_<Model>& model);
void bind_content(nanobind::class_<Model>& model);
void bind_sample(nanobind::class_<Model>& model);
void bind_misclassification(nanobind::class_<Model>& model);
void bind_adjust(nanobind::class_<Model>& model);
void bind_changes(nanobind::module_& module, nanobind::class_<Model>& model);
void bind_moments(nanobind::module_& module);
void bind_class_sums(nanobind::module_& module);
void bind_column_stream(nanobind::module_& module);
void bind_discrete_scores(nanobind::module_& module);
void bind_descriptive(nanobind::module_& module);
void bind_given_rows(nanobind::module_& module);
void bind_documents(nanobind::module_& module);
void bind_measures(nanobind::module_& module);
void bind_mixture(nanobind::module_& module);
void bind_choose(nanobind::module_& module);
void bind_plot(nanobind::module_& module);
void bind_report(nanobind::module_& module);

}  // namespace logodds::binding
