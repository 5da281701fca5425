// Rows drawn from a model.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "logodds/parallel/blocks.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

struct Draws {
  std::vector<std::int32_t> labels;
  std::vector<double> numeric;                   ///< rows x columns of numbers
  std::vector<std::vector<std::int32_t>> codes;  ///< one a coded column
};

/// One block of the sequence on its way into `all`.
void draw_block(const Generative& model, std::uint64_t seed, std::size_t first, std::size_t rows,
                Draws& all) {
  RowBuffer block;
  model.sample(seed, first, rows, block);
  const auto at = static_cast<std::ptrdiff_t>(first);
  std::copy(block.labels.begin(), block.labels.end(), all.labels.begin() + at);
  std::copy(block.numeric.begin(), block.numeric.end(),
            all.numeric.begin() + at * static_cast<std::ptrdiff_t>(block.numeric_columns));
  for (std::size_t c = 0; c < block.codes.size(); ++c) {
    std::copy(block.codes[c].begin(), block.codes[c].end(), all.codes[c].begin() + at);
  }
}

Draws draw(const Classifier& model, std::uint64_t seed, std::size_t rows, int threads) {
  const nb::gil_scoped_release no_gil;
  if (model.generative() == nullptr) {
    throw Error(ErrorCode::usage,
                "a model of family " + model.family() + " has no densities to draw from");
  }
  const Schema& schema = model.schema();
  Draws all{std::vector<std::int32_t>(rows), std::vector<double>(rows * schema.numeric_count()),
            std::vector<std::vector<std::int32_t>>(schema.coded_count(),
                                                   std::vector<std::int32_t>(rows))};
  std::size_t next = 0;
  parallel::run_blocks<std::size_t>(
      parallel::useful_threads(threads, (rows + kBlockRows - 1) / kBlockRows), 1,
      [&](std::size_t& first) {
        first = next;
        next += kBlockRows;
        return first < rows;
      },
      [&](std::size_t& first) {
        draw_block(*model.generative(), seed, first, std::min(kBlockRows, rows - first), all);
      },
      [](std::size_t&, std::size_t) {});
  return all;
}

std::tuple<Codes, Numbers, std::vector<Codes>> sample(const Model& model, std::uint64_t seed,
                                                      std::size_t rows, int threads) {
  Draws all = draw(*model.classifier, seed, rows, threads);
  std::vector<Codes> codes;
  for (auto& column : all.codes) {
    codes.push_back(owning_array<Codes>(std::move(column), {rows}));
  }
  return {owning_array<Codes>(std::move(all.labels), {rows}),
          owning_array<Numbers>(std::move(all.numeric),
                                {rows, model.classifier->schema().numeric_count()}),
          std::move(codes)};
}

}  // namespace

void bind_sample(nb::class_<Model>& model) {
  using nb::arg;
  model.def("sample", &sample, arg("seed"), arg("rows"), arg("threads"),
            "Codes of labels, columns of numbers, codes of levels.");
}

}  // namespace logodds::binding
