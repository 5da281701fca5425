// Weights, means and scatters by class, without a model: what logodds.compat estimates from.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/stats/class_moments.hpp"
#include "logodds/stats/fourth_moments.hpp"
#include "training_rows.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// Class moments, and where they are wanted those of fourth order.
struct Moments {
  ClassMoments second{SecondMoments::full};
  std::optional<FourthMoments> fourth;

  void add(const RowBlock& block, const Shape& shape) {
    second.add(block, shape);
    if (fourth) { fourth->add(block, shape); }
  }
  void merge(const Moments& other) {
    second.merge(other.second);
    if (fourth) { fourth->merge(*other.fourth); }
  }
  void recode(const Recoding& recoding) {
    second.recode(recoding);
    if (fourth) { fourth->recode(recoding); }
  }
  [[nodiscard]] bool compatible(const Moments& other) const {
    return second.compatible(other.second);
  }
  [[nodiscard]] double weight() const { return second.weight(); }
  [[nodiscard]] std::size_t size_for(const Shape& shape) const {
    return second.size_for(shape) + (fourth ? fourth->size_for(shape) : 0);
  }
};

/// K x D x D out of entry(k, i, j).
template <class Entry>
Numbers cube(std::size_t classes, std::size_t size, Entry entry) {
  std::vector<double> values;
  values.reserve(classes * size * size);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) { values.push_back(entry(k, i, j)); }
    }
  }
  return owning_array<Numbers>(std::move(values), {classes, size, size});
}

nb::dict record_of(const Moments& moments, const Schema& schema) {
  const ClassMoments& second = moments.second;
  const std::size_t classes = second.classes();
  const std::size_t size = second.columns().size();
  std::vector<double> weights(classes);
  for (std::size_t k = 0; k < classes; ++k) { weights[k] = second.weight(k); }
  nb::dict record;
  record["labels"] = schema.labels;
  record["weights"] = owning_array<Numbers>(std::move(weights), {classes});
  record["means"] = owning_array<Numbers>(
      std::vector<double>(second.means().begin(), second.means().end()), {classes, size});
  record["scatters"] =
      cube(classes, size, [&](auto k, auto i, auto j) { return second.scatter(k, i, j); });
  if (moments.fourth) {
    record["fourths"] = cube(
        classes, size, [&](auto k, auto i, auto j) { return moments.fourth->fourth(k, i, j); });
  }
  return record;
}

nb::dict array_moments(const Features& features, const Labels& labels,
                       const std::vector<std::string>& label_names,
                       const std::optional<Weights>& weights, bool fourth, int threads) {
  const auto source = array_source(features, {}, {labels, label_names, weights}, false);
  Moments start;
  if (fourth) { start.fourth.emplace(); }
  const auto found = run_interruptibly(threads, [&](const Context& context) {
    return accumulate(*source, start, false, MissingRows::error, context);
  });
  return record_of(found.statistics, found.schema);
}

}  // namespace

void bind_moments(nb::module_& module) {
  using nb::arg;
  module.def(
      "array_moments", &array_moments, arg("features"), arg("labels"), arg("label_names"),
      arg("weights").none(), arg("fourth"), arg("threads"),
      nb::sig("def array_moments(features: numpy.typing.NDArray, labels: "
              "numpy.typing.NDArray[numpy.int64], label_names: "
              "collections.abc.Sequence[str], weights: "
              "numpy.typing.NDArray[numpy.float64] | None, fourth: bool, threads: int) -> "
              "dict[str, typing.Any]"),
      "labels, weights, means, scatters and, on demand, sums of y_i^2 y_j^2 about the mean.");
}

}  // namespace logodds::binding
