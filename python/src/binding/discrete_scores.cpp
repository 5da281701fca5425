// Scores of categories and posteriors of scores, for logodds.compat's discrete classes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>
#include <string>

#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"
#include "model.hpp"
#include "result_memory.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// ln p(category | class) of every column, categories x classes, and where a row's scores begin.
class CategoryScores {
 public:
  CategoryScores(const std::vector<Table>& tables, const Weights& start) : start_(start) {
    for (const auto& table : tables) {
      tables_.push_back({.data = table.data(), .categories = table.shape(0)});
    }
  }
  [[nodiscard]] std::size_t classes() const { return start_.size(); }

  void fill(const RowBlock& block, double* out) const {
    for (std::size_t r = 0; r < block.rows; ++r, out += classes()) {
      std::copy_n(start_.data(), classes(), out);
      const double* const row = block.numeric + r * block.numeric_stride;
      for (std::size_t c = 0; c < tables_.size(); ++c) {
        const double* const share = tables_[c].data + category(row[c], c) * classes();
        for (std::size_t k = 0; k < classes(); ++k) { out[k] += share[k]; }
      }
    }
  }

 private:
  struct Logs {
    const double* data;
    std::size_t categories;
  };
  [[nodiscard]] std::size_t category(double value, std::size_t column) const {
    if (value <= -1.0) {
      throw nb::value_error("Negative values in data passed to CategoricalNB (input X)");
    }
    if (value >= static_cast<double>(tables_[column].categories)) {
      const std::string message = "category " + format_number(value) + " of column " +
                                  std::to_string(column) + " did not occur in training, where " +
                                  std::to_string(tables_[column].categories) +
                                  " categories are known; raise min_categories";
      throw nb::index_error(message.c_str());
    }
    return static_cast<std::size_t>(std::max(value, 0.0));
  }

  std::vector<Logs> tables_;
  const Weights& start_;
};

Posteriors category_scores(const Features& features, const std::vector<Table>& tables,
                           const Weights& start, int threads) {
  const CategoryScores scores(tables, start);
  const std::size_t rows = features.shape(0);
  const auto source = open_matrix({.features = matrix_view(features)});
  ResultMemory memory(rows * scores.classes() * sizeof(double));
  {
    const nb::gil_scoped_release no_gil;
    const std::size_t blocks = std::max<std::size_t>(1, (rows + kBlockRows - 1) / kBlockRows);
    parallel::run_blocks<RowBuffer>(
        parallel::useful_threads(threads, blocks), blocks,
        [&](RowBuffer& buffer) { return source->take(buffer); },
        [&](RowBuffer& buffer) {
          source->parse(buffer);
          scores.fill(buffer.view(), memory.as<double>() + buffer.first_row * scores.classes());
        },
        [](RowBuffer&, std::size_t) {});
  }
  return array_over<Posteriors>(std::move(memory), {rows, scores.classes()});
}

void scores_to_posteriors(const Scores& scores, int threads) {
  const nb::gil_scoped_release no_gil;
  const std::size_t rows = scores.shape(0);
  const std::size_t classes = scores.shape(1);
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  parallel::run_lanes(threads, blocks, [&](std::size_t block) {
    const std::size_t first = block * kBlockRows;
    const std::size_t count = std::min(kBlockRows, rows - first);
    posterior::from_log_scores({scores.data() + first * classes, count * classes}, classes);
  });
}

}  // namespace

void bind_discrete_scores(nb::module_& module) {
  using nb::arg;
  module.def("category_scores", &category_scores, arg("features"), arg("tables"), arg("start"),
             arg("threads"),
             nb::sig("def category_scores(features: numpy.typing.NDArray, tables: "
                     "collections.abc.Sequence[numpy.typing.NDArray[numpy.float64]], start: "
                     "numpy.typing.NDArray[numpy.float64], threads: int) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "start_k + sum over the columns of table[category, k], one row a row.");
  module.def("scores_to_posteriors", &scores_to_posteriors, arg("scores").noconvert(),
             arg("threads"), "In place; a row of -infinity only becomes uniform.");
}

}  // namespace logodds::binding
