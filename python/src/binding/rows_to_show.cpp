#include "rows_to_show.hpp"

#include "logodds/data/forwarding_source.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

/// Rows read against a schema, with labels that stand in an array beside them.
class LabelledSource final : public ForwardingSource {
 public:
  LabelledSource(std::unique_ptr<BlockSource> rows, const std::int64_t* codes, std::string target)
      : ForwardingSource(*rows),
        rows_(std::move(rows)),
        codes_(codes),
        target_(std::move(target)) {}

  [[nodiscard]] std::string target() const override { return target_; }
  void parse(RowBuffer& buffer) const override {
    ForwardingSource::parse(buffer);
    buffer.labels.resize(buffer.rows);
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      buffer.labels[r] = static_cast<std::int32_t>(codes_[buffer.row_number(r)]);
    }
  }

 private:
  std::unique_ptr<BlockSource> rows_;
  const std::int64_t* codes_;
  std::string target_;
};

}  // namespace

RowsToShow::RowsToShow(const nb::object& rows, std::optional<Labels> labels)
    : labels_(std::move(labels)) {
  if (rows.is_none()) { return; }
  if (nb::isinstance<GivenRows>(rows)) {
    given_ = nb::cast<const GivenRows*>(rows);
  } else if (PyCapsule_CheckExact(rows.ptr()) != 0) {
    table_.emplace(arrow_table(rows));
  } else {
    array_ = nb::cast<Features>(rows);
  }
  if (labels_ && labels_->size() != count()) {
    throw nb::value_error("X and y have different numbers of rows");
  }
}

std::size_t RowsToShow::count() const {
  return array_ ? array_->shape(0) : table_ ? table_->rows() : given_->count();
}

std::unique_ptr<BlockSource> RowsToShow::open(const Schema& schema) const {
  auto rows = array_
                  ? open_matrix({.features = matrix_view(*array_), .allow_missing = true}, schema)
              : table_ ? open_arrow(*table_, schema, ArrowNulls::missing)
                       : given_->open(schema, true);
  if (!labels_) { return rows; }
  return std::make_unique<LabelledSource>(std::move(rows), labels_->data(),
                                          schema.target.empty() ? "y" : schema.target);
}

}  // namespace logodds::binding
