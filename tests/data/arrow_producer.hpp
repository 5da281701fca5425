// A producer of Arrow streams, written against the specification alone.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "data/arrow_abi.hpp"
#include "logodds/data/arrow_source.hpp"
#include "logodds/error.hpp"

namespace logodds::test {

inline int arrays_alive = 0;
inline int streams_alive = 0;

inline void release_array(ArrowArray* array) {
  array->release = nullptr;
  --arrays_alive;
}

/// Memory of one column of one batch.
struct ColumnData {
  const char* format;
  std::vector<std::uint8_t> validity;
  std::vector<std::uint8_t> values;
  std::string text;
  std::vector<const void*> buffers{};
  ArrowArray array{};
  ArrowSchema schema{};
  ColumnData* dictionary = nullptr;  ///< whose entries the values number

  void finish(const char* name, std::int64_t length, std::int64_t offset, std::size_t count) {
    buffers = {validity.empty() ? nullptr : validity.data(), values.data(), text.data()};
    buffers.resize(count);
    array = {length,  validity.empty() ? 0 : -1,
             offset,  static_cast<std::int64_t>(count),
             0,       buffers.data(),
             nullptr, nullptr,
             nullptr, nullptr};
    schema = {format, name, nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr};
    if (dictionary != nullptr) {
      array.dictionary = &dictionary->array;
      schema.dictionary = &dictionary->schema;
    }
  }
};

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline ColumnData numbers(std::vector<double> values, std::vector<std::uint8_t> validity = {}) {
  return {.format = "g", .validity = std::move(validity), .values = bytes_of(values), .text = {}};
}

/// Strings with offsets of type `Offset`: std::int32_t or std::int64_t.
template <class Offset = std::int32_t>
ColumnData words(const std::vector<std::string>& values, std::vector<std::uint8_t> validity = {}) {
  std::vector<Offset> offsets{0};
  std::string text;
  for (const auto& value : values) {
    text += value;
    offsets.push_back(static_cast<Offset>(text.size()));
  }
  return {.format = sizeof(Offset) == 4 ? "u" : "U",
          .validity = std::move(validity),
          .values = bytes_of(offsets),
          .text = std::move(text)};
}

/// Strings as 16-byte views: up to 12 bytes inline, longer ones in the first data buffer.
inline ColumnData word_views(const std::vector<std::string>& values) {
  std::vector<std::uint8_t> views(16 * values.size(), 0);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint8_t* const view = views.data() + 16 * i;
    const auto length = static_cast<std::int32_t>(values[i].size());
    const auto offset = static_cast<std::int32_t>(text.size());
    std::memcpy(view, &length, 4);
    std::memcpy(view + 4, values[i].data(), std::min<std::size_t>(values[i].size(), 12));
    if (length <= 12) { continue; }
    std::memset(view + 8, 0, 4);
    std::memcpy(view + 12, &offset, 4);
    text += values[i];
  }
  return {.format = "vu", .validity = {}, .values = std::move(views), .text = std::move(text)};
}

/// Numbers of the entries of `dictionary`, which must stay where it is.
inline ColumnData entries_of(ColumnData& dictionary, const std::vector<std::int32_t>& indices,
                             std::vector<std::uint8_t> validity = {}) {
  const auto length = static_cast<std::int64_t>(dictionary.values.size() / 4) - 1;
  dictionary.finish("", length, 0, 3);
  return {.format = "i",
          .validity = std::move(validity),
          .values = bytes_of(indices),
          .text = {},
          .dictionary = &dictionary};
}

/// One batch: named columns of equal length, seen from row `offset` on.
struct Batch {
  std::deque<ColumnData> columns;
  std::vector<ArrowArray*> arrays{};
  std::vector<ArrowSchema*> schemas{};
  ArrowArray array{};
  ArrowSchema schema{};
  const void* no_validity = nullptr;

  Batch(const std::vector<const char*>& names, std::deque<ColumnData> data, std::int64_t length,
        std::int64_t offset = 0)
      : columns(std::move(data)) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t buffers = columns[c].text.empty() ? 2 : 3;
      columns[c].finish(names[c], length, offset, buffers);
      arrays.push_back(&columns[c].array);
      schemas.push_back(&columns[c].schema);
    }
    const auto count = static_cast<std::int64_t>(columns.size());
    array = {length, 0, 0, 1, count, &no_validity, arrays.data(), nullptr, release_array, nullptr};
    schema = {"+s",    "",
              nullptr, 0,
              count,   schemas.data(),
              nullptr, [](ArrowSchema* self) { self->release = nullptr; },
              nullptr};
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
};

/// A stream over batches, which fails after the last one when it has a reason to.
struct Producer {
  std::deque<Batch>& batches;
  std::string failure{};
  std::size_t next = 0;

  ArrowArrayStream stream() {
    ++streams_alive;
    return {[](ArrowArrayStream* self, ArrowSchema* out) {
              *out = static_cast<Producer*>(self->private_data)->batches.front().schema;
              return 0;
            },
            [](ArrowArrayStream* self, ArrowArray* out) {
              return static_cast<Producer*>(self->private_data)->hand_out(*out);
            },
            [](ArrowArrayStream* self) {
              return static_cast<Producer*>(self->private_data)->failure.c_str();
            },
            [](ArrowArrayStream* self) {
              self->release = nullptr;
              --streams_alive;
            },
            this};
  }
  int hand_out(ArrowArray& out) {
    if (next == batches.size()) {
      out.release = nullptr;
      return failure.empty() ? 0 : 5;
    }
    out = batches[next++].array;
    ++arrays_alive;
    return 0;
  }
};

inline ArrowTable table_of(std::deque<Batch>& batches, std::string failure = {}) {
  Producer producer{.batches = batches, .failure = std::move(failure)};
  ArrowArrayStream stream = producer.stream();
  ArrowTable table(stream);
  const bool released = stream.release == nullptr;
  CHECK(released);
  return table;
}

inline RowBuffer only_block(BlockSource& source) {
  RowBuffer buffer;
  REQUIRE(source.take(buffer));
  source.parse(buffer);
  RowBuffer rest;
  CHECK_FALSE(source.take(rest));
  return buffer;
}

inline std::string refusal(BlockSource& source) {
  try {
    only_block(source);
  } catch (const Error& error) { return error.what(); }
  return {};
}

}  // namespace logodds::test
