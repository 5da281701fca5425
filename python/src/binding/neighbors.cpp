// The nearest training rows of arrays, Arrow streams and sparse matrices.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <tuple>

#include "arrays.hpp"
#include "arrow.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "logodds/nearest.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Distances = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Places = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;
/// Distances, places of the rows in what fit() was given (from 0), notes.
using Found = std::tuple<Distances, Places, std::vector<std::string>>;

Found neighbors_of(const Model& model, BlockSource& source, std::size_t rows, std::size_t count,
                   int threads) {
  // Left unset, so that the threads that fill a part meet the new pages, and not the caller.
  auto distances = std::make_unique_for_overwrite<double[]>(rows * count);
  auto places = std::make_unique_for_overwrite<std::int64_t[]>(rows * count);
  const std::span<std::int64_t> numbers(places.get(), rows * count);
  run_interruptibly(threads, [&](const Context& context) {
    find_nearest(*model.classifier, source, count, context,
                 {.numbers = numbers, .distances = {distances.get(), rows * count}});
    for (std::int64_t& number : numbers) { --number; }
  });
  return {owning_array<Distances>(std::move(distances), {rows, count}),
          owning_array<Places>(std::move(places), {rows, count}), source.notes()};
}

Found neighbors_array(const Model& model, const Features& features, std::size_t count,
                      int threads) {
  const auto source = open_matrix({.features = matrix_view(features)}, model.classifier->schema());
  return neighbors_of(model, *source, features.shape(0), count, threads);
}

Found neighbors_arrow(const Model& model, const nb::object& stream, std::size_t count,
                      int threads) {
  const ArrowTable table = arrow_table(stream);
  const auto source = open_arrow(table, model.classifier->schema(), ArrowNulls::error);
  return neighbors_of(model, *source, table.rows(), count, threads);
}

Found neighbors_given(const Model& model, const GivenRows& rows, std::size_t count, int threads) {
  const auto source = rows.open(model.classifier->schema(), false);
  return neighbors_of(model, *source, rows.count(), count, threads);
}

}  // namespace

void bind_neighbors(nb::class_<Model>& model) {
  using nb::arg;
  model
      .def("neighbors_array", &neighbors_array, arg("features"), arg("count"), arg("threads"),
           "Distances and places of the nearest training rows.")
      .def("neighbors_arrow", &neighbors_arrow, arg("stream"), arg("count"), arg("threads"))
      .def("neighbors_given", &neighbors_given, arg("rows"), arg("count"), arg("threads"));
}

}  // namespace logodds::binding
