// Columns of numbers and of levels as an Arrow stream: how arrays that are not all numbers reach
// the core, by the same door as data frames.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cmath>
#include <memory>
#include <string>

#include "model.hpp"

// The Arrow C data and C stream interfaces, a frozen ABI, declared as its specification asks.
// NOLINTBEGIN(readability-identifier-naming): the names are the specification's
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}
// NOLINTEND(readability-identifier-naming)

namespace nb = nanobind;

namespace logodds::binding {
namespace {

constexpr std::int64_t kNullable = 2;  // flag of the specification

/// Memory of one column. The structs of the interface point into it, so it never moves.
struct StreamColumn {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  std::vector<std::uint8_t> valid;  ///< one bit a row
  std::int64_t nulls = 0;
  std::string text;                     ///< the levels, one after the other
  std::vector<std::int64_t> offsets{};  ///< empty: a column of numbers

  const void* buffers[2] = {nullptr, nullptr};
  const void* level_buffers[3] = {nullptr, nullptr, nullptr};
  ArrowSchema schema{};
  ArrowSchema level_schema{};
  ArrowArray array{};
  ArrowArray level_array{};

  [[nodiscard]] bool coded() const { return !offsets.empty(); }
};

/// All columns; the stream, its schema and its only batch each hold a share of it.
struct StreamTable {
  std::vector<std::unique_ptr<StreamColumn>> columns;
  std::vector<ArrowSchema*> schemas;
  std::vector<ArrowArray*> arrays;
  const void* no_buffer = nullptr;
  std::int64_t rows = 0;
  bool taken = false;
};

using Share = std::shared_ptr<StreamTable>;

/// The memory goes with the last share.
template <class Part>
void let_go(Part* part) {
  delete static_cast<Share*>(part->private_data);
  part->release = nullptr;
}

/// A child is released with its parent.
template <class Part>
void leave(Part* part) {
  part->release = nullptr;
}

void describe(StreamColumn& column) {
  column.schema = {.format = column.coded() ? "i" : "g",
                   .name = column.name.c_str(),
                   .metadata = nullptr,
                   .flags = kNullable,
                   .n_children = 0,
                   .children = nullptr,
                   .dictionary = nullptr,
                   .release = &leave<ArrowSchema>,
                   .private_data = nullptr};
  if (!column.coded()) { return; }
  column.level_schema = column.schema;
  column.level_schema.format = "U";
  column.schema.dictionary = &column.level_schema;
}

void fill_arrays(StreamColumn& column, std::int64_t rows) {
  column.buffers[0] = column.nulls == 0 ? nullptr : column.valid.data();
  column.buffers[1] = column.coded() ? static_cast<const void*>(column.codes.data())
                                     : static_cast<const void*>(column.numbers.data());
  column.array = {.length = rows,
                  .null_count = column.nulls,
                  .offset = 0,
                  .n_buffers = 2,
                  .n_children = 0,
                  .buffers = column.buffers,
                  .children = nullptr,
                  .dictionary = nullptr,
                  .release = &leave<ArrowArray>,
                  .private_data = nullptr};
  if (!column.coded()) { return; }
  column.level_buffers[1] = column.offsets.data();
  column.level_buffers[2] = column.text.data();
  column.level_array = column.array;
  column.level_array.length = static_cast<std::int64_t>(column.offsets.size()) - 1;
  column.level_array.null_count = 0;
  column.level_array.n_buffers = 3;
  column.level_array.buffers = column.level_buffers;
  column.array.dictionary = &column.level_array;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const Share& table = *static_cast<Share*>(stream->private_data);
  *out = {.format = "+s",
          .name = "",
          .metadata = nullptr,
          .flags = 0,
          .n_children = static_cast<std::int64_t>(table->columns.size()),
          .children = table->schemas.data(),
          .dictionary = nullptr,
          .release = &let_go<ArrowSchema>,
          .private_data = new Share(table)};
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  const Share& table = *static_cast<Share*>(stream->private_data);
  *out = {};
  if (table->taken) { return 0; }
  table->taken = true;
  *out = {.length = table->rows,
          .null_count = 0,
          .offset = 0,
          .n_buffers = 1,
          .n_children = static_cast<std::int64_t>(table->columns.size()),
          .buffers = &table->no_buffer,
          .children = table->arrays.data(),
          .dictionary = nullptr,
          .release = &let_go<ArrowArray>,
          .private_data = new Share(table)};
  return 0;
}

const char* no_error(ArrowArrayStream*) { return nullptr; }

/// Codes that are NaN are null.
void take_codes(StreamColumn& column, const Weights& values,
                const std::vector<std::string>& levels) {
  column.valid.assign(values.size() / 8 + 1, 0);
  column.codes.resize(values.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (std::isnan(values(r))) {
      ++column.nulls;
      continue;
    }
    column.codes[r] = static_cast<std::int32_t>(values(r));
    column.valid[r / 8] = static_cast<std::uint8_t>(column.valid[r / 8] | (1U << (r % 8)));
  }
  column.offsets.push_back(0);
  for (const auto& level : levels) {
    column.text += level;
    column.offsets.push_back(static_cast<std::int64_t>(column.text.size()));
  }
}

std::unique_ptr<StreamColumn> make_column(const std::string& name, const Weights& values,
                                          const std::vector<std::string>& levels) {
  auto column = std::make_unique<StreamColumn>();
  column->name = name;
  if (levels.empty()) {
    column->numbers.assign(values.data(), values.data() + values.size());
  } else {
    take_codes(*column, values, levels);
  }
  describe(*column);
  fill_arrays(*column, static_cast<std::int64_t>(values.size()));
  return column;
}

void drop_stream(void* pointer) noexcept {
  auto* const stream = static_cast<ArrowArrayStream*>(pointer);
  if (stream->release != nullptr) { stream->release(stream); }
  delete stream;
}

void destroy_capsule(PyObject* capsule) {
  drop_stream(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
}

/// `levels[c]` empty: column c holds numbers, NaN being missing; else places in that list.
nb::object column_stream(const std::vector<std::string>& names, const std::vector<Weights>& values,
                         const std::vector<std::vector<std::string>>& levels) {
  auto table = std::make_shared<StreamTable>();
  for (std::size_t c = 0; c < names.size(); ++c) {
    table->columns.push_back(make_column(names[c], values[c], levels[c]));
    table->schemas.push_back(&table->columns.back()->schema);
    table->arrays.push_back(&table->columns.back()->array);
    table->rows = static_cast<std::int64_t>(values[c].size());
  }
  auto* const stream = new ArrowArrayStream{.get_schema = &get_schema,
                                            .get_next = &get_next,
                                            .get_last_error = &no_error,
                                            .release = &let_go<ArrowArrayStream>,
                                            .private_data = new Share(std::move(table))};
  PyObject* const capsule = PyCapsule_New(stream, "arrow_array_stream", &destroy_capsule);
  if (capsule == nullptr) {
    drop_stream(stream);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

std::vector<std::string> number_texts(const Weights& numbers) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < numbers.size(); ++i) { texts.push_back(format_number(numbers(i))); }
  return texts;
}

}  // namespace

void bind_column_stream(nb::module_& module) {
  using nb::arg;
  module.def("column_stream", &column_stream, arg("names"), arg("values"), arg("levels"),
             nb::sig("def column_stream(names: collections.abc.Sequence[str], values: "
                     "collections.abc.Sequence[numpy.typing.NDArray[numpy.float64]], levels: "
                     "collections.abc.Sequence[collections.abc.Sequence[str]]) -> object"),
             "An Arrow stream of columns of numbers, or of places in a list of levels.");
  module.def("number_texts", &number_texts, arg("numbers"), "What numbers are called as levels.");
}

}  // namespace logodds::binding
