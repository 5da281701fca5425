// Numbers of every row besides its posteriors: scores, densities, p-values, distances, coordinates.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>

#include "arrays.hpp"
#include "arrow.hpp"
#include "given_rows.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/centers.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Out = std::span<double>;

/// `width` numbers a row, and what computes them.
struct Quantity {
  std::size_t width = 0;
  std::function<void(const RowBlock&, Out)> fill;
  bool scores = false;  ///< may overflow where values are far out
};

const Generative& generative(const Classifier& model) {
  if (model.generative() == nullptr) {
    throw Error(ErrorCode::usage, "a model of family " + model.family() + " has no densities");
  }
  return *model.generative();
}

const Geometry& geometry(const Classifier& model) {
  if (model.geometry() == nullptr) {
    throw Error(ErrorCode::usage, "a model of family " + model.family() + " has no geometry");
  }
  return *model.geometry();
}

Quantity log_scores(const Classifier& model, std::size_t) {
  return {model.labels().size(),
          [&](const RowBlock& block, Out out) { model.log_scores(block, out); }, true};
}

Quantity log_joint(const Classifier& model, std::size_t) {
  const Generative& densities = generative(model);
  return {model.labels().size(),
          [&](const RowBlock& block, Out out) { densities.log_joint(block, out); }, true};
}

Quantity p_values(const Classifier& model, std::size_t) {
  const Generative& densities = generative(model);
  return {1, [&](const RowBlock& block, Out out) { densities.outlier_p_values(block, out); }};
}

Quantity distances(const Classifier& model, std::size_t) {
  const Geometry& shapes = geometry(model);
  std::size_t linear = 0;
  for (const auto& boundary : shapes.boundaries()) { linear += boundary.linear() ? 1U : 0U; }
  return {linear, [&](const RowBlock& block, Out out) { shapes.signed_distances(block, out); }};
}

Quantity projection(const Classifier& model, std::size_t axes) {
  const Geometry& shapes = geometry(model);
  return {axes, [&, axes](const RowBlock& block, Out out) { shapes.project(block, axes, out); }};
}

Quantity center_distances(const Classifier& model, std::size_t) {
  const Centers* const centers = model.centers();
  if (centers == nullptr) {
    throw Error(ErrorCode::usage, "a model of family " + model.family() + " has no centers");
  }
  return {model.labels().size(),
          [centers](const RowBlock& block, Out out) { centers->center_distances(block, out); }};
}

Quantity quantity(const std::string& name, const Classifier& model, std::size_t axes) {
  static const std::map<std::string, Quantity (*)(const Classifier&, std::size_t)> all{
      {"log_scores", &log_scores}, {"log_joint", &log_joint},
      {"p_values", &p_values},     {"distances", &distances},
      {"projection", &projection}, {"center_distances", &center_distances},
  };
  return all.at(name)(model, axes);
}

/// The scores, and those without constants where a row is impossible in every class: that is no
/// overflow.
std::vector<double> comparable(const Classifier& model, RowBuffer& rows, Out scores) {
  const std::size_t classes = model.labels().size();
  std::vector<double> plain(scores.size());
  model.log_scores(rows.view(), plain);
  for (std::size_t at = 0; at < scores.size(); at += classes) {
    const Out row = scores.subspan(at, classes);
    if (std::ranges::all_of(row, [](double score) { return std::isinf(score) && score < 0; })) {
      continue;
    }
    std::ranges::copy(row, plain.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return plain;
}

void check_scores(const Classifier& model, Out scores, RowBuffer& rows, const BlockSource& source) {
  const std::size_t classes = model.labels().size();
  if (posterior::first_overflow(scores, classes) == rows.rows) { return; }
  const std::size_t row = posterior::first_overflow(comparable(model, rows, scores), classes);
  if (row == rows.rows) { return; }
  throw Error(ErrorCode::input,
              source.place(rows.row_number(row)) +
                  ": the values are so far from the training rows that the scores overflow; check "
                  "the units of the columns");
}

void fill_block(const Classifier& model, const Quantity& wanted, const BlockSource& source,
                RowBuffer& buffer, Out place) {
  if (!model.takes_unseen_levels()) { buffer.take_unseen_as_missing(); }
  if (place.empty()) { return; }
  try {
    wanted.fill(buffer.view(), place);
  } catch (const RowProblem& problem) { throw_at_place(source, buffer, problem); }
  if (wanted.scores) { check_scores(model, place, buffer, source); }
}

std::vector<double> fill(const Classifier& model, const Quantity& wanted, BlockSource& source,
                         std::size_t rows, int threads) {
  const nb::gil_scoped_release no_gil;
  if (wanted.scores && model.takes_sparse()) { source.keep_sparse(); }
  std::vector<double> out(rows * wanted.width);
  const std::size_t blocks = std::max<std::size_t>(1, (rows + kBlockRows - 1) / kBlockRows);
  parallel::run_blocks<RowBuffer>(
      parallel::useful_threads(threads, blocks), blocks,
      [&](RowBuffer& buffer) { return source.take(buffer); },
      [&](RowBuffer& buffer) {
        source.parse(buffer);
        fill_block(model, wanted, source, buffer,
                   Out(out).subspan(buffer.first_row * wanted.width, buffer.rows * wanted.width));
      },
      [](RowBuffer&, std::size_t) {});
  return out;
}

Rows rows_array(const Model& model, const std::string& name, const Features& features,
                std::size_t axes, int threads, bool missing) {
  const auto source = open_matrix(
      {.features = matrix_view(features), .allow_missing = missing && uses_missing(model)},
      model.classifier->schema());
  const Quantity wanted = quantity(name, *model.classifier, axes);
  const std::size_t rows = features.shape(0);
  return owning_array<Rows>(fill(*model.classifier, wanted, *source, rows, threads),
                            {rows, wanted.width});
}

std::pair<Rows, std::vector<std::string>> rows_arrow(const Model& model, const std::string& name,
                                                     const nb::object& stream, std::size_t axes,
                                                     int threads) {
  const ArrowTable table = arrow_table(stream);
  const auto source = open_arrow(table, model.classifier->schema(),
                                 uses_missing(model) ? ArrowNulls::missing : ArrowNulls::error);
  const Quantity wanted = quantity(name, *model.classifier, axes);
  auto values = fill(*model.classifier, wanted, *source, table.rows(), threads);
  return {owning_array<Rows>(std::move(values), {table.rows(), wanted.width}), source->notes()};
}

Rows rows_given(const Model& model, const std::string& name, const GivenRows& rows,
                std::size_t axes, int threads, bool missing) {
  const auto source = rows.open(model.classifier->schema(), missing && uses_missing(model));
  const Quantity wanted = quantity(name, *model.classifier, axes);
  return owning_array<Rows>(fill(*model.classifier, wanted, *source, rows.count(), threads),
                            {rows.count(), wanted.width});
}

}  // namespace

void bind_rows(nb::class_<Model>& model) {
  using nb::arg;
  model
      .def("rows_array", &rows_array, arg("name"), arg("features"), arg("axes"), arg("threads"),
           arg("missing"),
           "log_scores, log_joint, p_values, distances, projection or center_distances of every "
           "row.")
      .def("rows_arrow", &rows_arrow, arg("name"), arg("stream"), arg("axes"), arg("threads"))
      .def("rows_given", &rows_given, arg("name"), arg("rows"), arg("axes"), arg("threads"),
           arg("missing"));
}

}  // namespace logodds::binding
