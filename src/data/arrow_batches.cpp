#include "data/arrow_batches.hpp"

#include <algorithm>
#include <string_view>

#include "logodds/error.hpp"

namespace logodds {
namespace {

/// Releases what a producer handed over, as the interface asks: unless it is marked as released.
template <class T>
struct Releaser {
  T value{};
  Releaser() = default;
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;
  ~Releaser() {
    if (value.release != nullptr) { value.release(&value); }
  }
};

void check(ArrowArrayStream& stream, int status) {
  if (status == 0) { return; }
  const char* reason = stream.get_last_error(&stream);
  throw Error(ErrorCode::input, "the Arrow stream failed: " +
                                    std::string(reason == nullptr ? "no reason given" : reason) +
                                    "; check where it comes from");
}

std::vector<arrow::Field> read_fields(ArrowArrayStream& stream) {
  Releaser<ArrowSchema> schema;
  check(stream, stream.get_schema(&stream, &schema.value));
  if (std::string_view(schema.value.format) != "+s") {
    throw Error(ErrorCode::input,
                "the Arrow stream holds a single column, not a table; pass a data frame");
  }
  std::vector<arrow::Field> fields;
  for (std::int64_t i = 0; i < schema.value.n_children; ++i) {
    fields.push_back(arrow::read_field(*schema.value.children[i]));
  }
  return fields;
}

void read_arrays(ArrowArrayStream& stream, ArrowTable::Batches& batches) {
  for (;;) {
    Releaser<ArrowArray> array;
    check(stream, stream.get_next(&stream, &array.value));
    if (array.value.release == nullptr) { return; }
    batches.arrays.push_back(array.value);
    array.value.release = nullptr;  // moved: the table releases it
    batches.first_row.push_back(batches.rows);
    batches.rows += static_cast<std::size_t>(batches.arrays.back().length);
  }
}

}  // namespace

ArrowTable::Batches::~Batches() {
  for (auto& array : arrays) { array.release(&array); }
}

arrow::ColumnView ArrowTable::Batches::column(std::size_t batch, std::size_t field,
                                              std::size_t row) const {
  const ArrowArray& table = arrays[batch];
  const ArrowArray& child = *table.children[field];
  return {fields[field], child, static_cast<std::size_t>(table.offset + child.offset) + row};
}

ArrowTable::ArrowTable(ArrowArrayStream& stream) : batches_(std::make_unique<Batches>()) {
  Releaser<ArrowArrayStream> owned;
  owned.value = stream;
  stream.release = nullptr;  // moved, also when something below throws
  batches_->fields = read_fields(owned.value);
  read_arrays(owned.value, *batches_);
}

ArrowTable::ArrowTable(ArrowTable&&) noexcept = default;
ArrowTable& ArrowTable::operator=(ArrowTable&&) noexcept = default;
ArrowTable::~ArrowTable() = default;

std::size_t ArrowTable::rows() const { return batches_->rows; }

std::vector<std::string> ArrowTable::names() const {
  std::vector<std::string> names;
  for (const auto& field : batches_->fields) { names.push_back(field.name); }
  return names;
}

std::vector<ArrowSegment> segments(const ArrowTable::Batches& batches, std::size_t first,
                                   std::size_t rows) {
  std::vector<ArrowSegment> result;
  const auto& starts = batches.first_row;
  auto batch = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), first) -
                                        starts.begin() - 1);
  for (std::size_t done = 0; done < rows; ++batch) {
    const std::size_t row = first + done - starts[batch];
    const auto length = static_cast<std::size_t>(batches.arrays[batch].length);
    const std::size_t count = std::min(rows - done, length - row);
    if (count > 0) {
      result.push_back({.batch = batch, .row = row, .position = done, .rows = count});
    }
    done += count;
  }
  return result;
}

}  // namespace logodds
