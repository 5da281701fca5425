#include "given_rows.hpp"

#include <nanobind/stl/string.h>

#include "logodds/data/documents.hpp"
#include "logodds/data/sparse.hpp"
#include "text_list.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

const double* weights_of(const RowLabels& given) {
  return given.weights ? given.weights->data() : nullptr;
}

class DocumentRows : public GivenRows {
 public:
  DocumentRows(const nb::list& documents, std::string column)
      : texts_(documents, /*allow_missing=*/true), column_(std::move(column)) {}

  [[nodiscard]] std::size_t count() const override { return texts_.views().size(); }
  [[nodiscard]] std::unique_ptr<BlockSource> open(const RowLabels& given,
                                                  bool /*missing*/) const override {
    given.check(count());
    return open_documents({.documents = texts_.views(),
                           .name = column_,
                           .labels = given.labels.data(),
                           .label_names = given.names,
                           .weights = weights_of(given)});
  }
  [[nodiscard]] std::unique_ptr<BlockSource> open(const Schema& schema,
                                                  bool /*missing*/) const override {
    return open_documents({.documents = texts_.views(), .name = column_}, schema);
  }

 private:
  TextList texts_;
  std::string column_;
};

using Indices = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// SciPy's compressed sparse rows: columns of numbers, or documents of pairs.
class SparseMatrix : public GivenRows {
 public:
  SparseMatrix(Labels starts, Indices indices, Weights values, std::size_t columns, bool pairs)
      : starts_(std::move(starts)),
        indices_(std::move(indices)),
        values_(std::move(values)),
        columns_(columns),
        pairs_(pairs) {
    const bool wide = indices_.dtype() == nb::dtype<std::int64_t>();
    if (!wide && indices_.dtype() != nb::dtype<std::int32_t>()) {
      throw nb::type_error("indices of 32 or 64 bits are expected");
    }
    check();
  }

  [[nodiscard]] std::size_t count() const override { return starts_.size() - 1; }
  [[nodiscard]] std::unique_ptr<BlockSource> open(const RowLabels& given,
                                                  bool missing) const override {
    given.check(count());
    SparseData data = content(missing);
    data.labels = given.labels.data();
    data.label_names = given.names;
    data.weights = weights_of(given);
    return pairs_ ? open_sparse_pairs(std::move(data)) : open_sparse(std::move(data));
  }
  [[nodiscard]] std::unique_ptr<BlockSource> open(const Schema& schema,
                                                  bool missing) const override {
    return pairs_ ? open_sparse_pairs(content(missing), schema)
                  : open_sparse(content(missing), schema);
  }

 private:
  void check() const {
    bool fits = starts_.size() > 0 && indices_.size() == values_.size() && starts_(0) == 0;
    for (std::size_t r = 1; fits && r < starts_.size(); ++r) {
      fits = starts_(r - 1) <= starts_(r);
    }
    if (!fits || static_cast<std::size_t>(starts_(count())) != values_.size()) {
      throw nb::value_error(
          "the sparse matrix is malformed: indptr does not fit its data; build it anew");
    }
  }
  [[nodiscard]] SparseData content(bool missing) const {
    return {.features = {.rows = count(),
                         .columns = columns_,
                         .values = values_.data(),
                         .indices = indices_.data(),
                         .wide_indices = indices_.dtype() == nb::dtype<std::int64_t>(),
                         .starts = starts_.data()},
            .allow_missing = missing};
  }

  Labels starts_;
  Indices indices_;
  Weights values_;
  std::size_t columns_;
  bool pairs_;
};

}  // namespace

void bind_given_rows(nb::module_& module) {
  using nb::arg;
  nb::class_<GivenRows>(module, "GivenRows", "Documents, or a sparse matrix.")
      .def("__len__", &GivenRows::count);
  nb::class_<DocumentRows, GivenRows>(module, "DocumentRows", "A list of str, None if missing.")
      .def(nb::init<const nb::list&, std::string>(), arg("documents"), arg("column"));
  nb::class_<SparseMatrix, GivenRows>(module, "SparseMatrix", "Compressed sparse rows.")
      .def(nb::init<Labels, Indices, Weights, std::size_t, bool>(), arg("starts"), arg("indices"),
           arg("values"), arg("columns"), arg("pairs"));
}

}  // namespace logodds::binding
