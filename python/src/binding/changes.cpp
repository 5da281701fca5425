// Models out of models: updated, merged, made to forget, estimated anew, or written by hand.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "given_rows.hpp"
#include "interrupt.hpp"
#include "model.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Names = std::vector<std::string>;
using Change = Fit (*)(const Classifier&, BlockSource&, const Context&, MissingRows,
                       const OptionChanges&);

template <class Work>
Fitted run(int threads, Work work) {
  Fit result = run_interruptibly(threads, work);
  return {Model{std::move(result.model)}, std::move(result.report)};
}

Given options_of(const Model& model) {
  const auto& values = model.classifier->options().values();
  return {values.begin(), values.end()};
}

template <Change change>
Fitted change_array(const Model& model, const Features& features, const Names& names,
                    const Labels& labels, const Names& label_names,
                    const std::optional<Weights>& weights, int threads) {
  const auto source = array_source(features, names, {labels, label_names, weights},
                                   takes_missing(model.classifier->family(), options_of(model)));
  return run(threads, [&](const Context& context) {
    return change(*model.classifier, *source, context, MissingRows::use, {});
  });
}

template <Change change>
Fitted change_arrow(const Model& model, const nb::object& stream, const Labels& labels,
                    const Names& label_names, const std::optional<Weights>& weights, int threads,
                    const Given& kinds) {
  ArrowRows rows(stream, {labels, label_names, weights, kinds},
                 takes_missing(model.classifier->family(), options_of(model)));
  return run(threads, [&](const Context& context) {
    return change(*model.classifier, rows.source(), context, MissingRows::use, {});
  });
}

template <Change change>
Fitted change_given(const Model& model, const GivenRows& rows, const Labels& labels,
                    const Names& label_names, const std::optional<Weights>& weights, int threads) {
  const auto source = rows.open({labels, label_names, weights},
                                takes_missing(model.classifier->family(), options_of(model)));
  return run(threads, [&](const Context& context) {
    return change(*model.classifier, *source, context, MissingRows::use, {});
  });
}

Fitted merged(const std::vector<Model>& models, int threads) {
  std::vector<const Classifier*> classifiers;
  for (const auto& model : models) { classifiers.push_back(model.classifier.get()); }
  return run(threads, [&](const Context& context) { return merge(classifiers, context); });
}

Fitted re_estimated(const Model& model, const Given& changed, int threads) {
  return run(threads, [&](const Context& context) {
    return with_options(*model.classifier, changed, context);
  });
}

Model defined(const Names& classes, const std::vector<double>& priors,
              const std::vector<std::vector<double>>& means,
              const std::vector<std::vector<std::vector<double>>>& covariances,
              const Names& columns) {
  const nb::gil_scoped_release no_gil;
  return {define_gaussian({.classes = classes,
                           .priors = priors,
                           .means = means,
                           .covariances = covariances,
                           .columns = columns})};
}

Given canonical_options(const std::string& family, const Given& given) {
  const FamilyRecord& record =
      is_clustering(family) ? find_clustering(family) : find_family(family);
  const Options options(record.options, given);
  return {options.values().begin(), options.values().end()};
}

std::vector<std::size_t> label_order(const Names& labels) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return label_less(labels[a], labels[b]); });
  return order;
}

}  // namespace

void bind_changes(nb::module_& module, nb::class_<Model>& model) {
  using nb::arg;
  const auto bind_change = [&](const char* in_array, const char* in_arrow, auto array, auto arrow) {
    model.def(in_array, array, arg("features"), arg("names"), arg("labels"), arg("label_names"),
              arg("weights").none(), arg("threads"));
    model.def(in_arrow, arrow, arg("stream"), arg("labels"), arg("label_names"),
              arg("weights").none(), arg("threads"), arg("kinds") = Given{});
  };
  bind_change("update_array", "update_arrow", &change_array<&update>, &change_arrow<&update>);
  bind_change("forget_array", "forget_arrow", &change_array<&forget>, &change_arrow<&forget>);
  const auto bind_given = [&](const char* name, auto function) {
    model.def(name, function, arg("rows"), arg("labels"), arg("label_names"), arg("weights").none(),
              arg("threads"));
  };
  bind_given("update_given", &change_given<&update>);
  bind_given("forget_given", &change_given<&forget>);
  model.def("with_options", &re_estimated, arg("changed"), arg("threads"),
            "The same statistics under other options.");
  module.def("merge", &merged, arg("models"), arg("threads"));
  module.def("define_gaussian", &defined, arg("classes"), arg("priors"), arg("means"),
             arg("covariances"), arg("columns"));
  module.def("canonical_options", &canonical_options, arg("family"), arg("given"),
             "Every option of the family in its shortest form.");
  module.def("label_order", &label_order, arg("labels"),
             "The places of the labels in the order of a model: numbers by value, then texts.");
}

}  // namespace logodds::binding
