// Documents to sparse rows of counts, for logodds.compat's vectorizers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <future>
#include <limits>
#include <map>
#include <tuple>

#include "arrays.hpp"
#include "logodds/parallel/blocks.hpp"
#include "model.hpp"
#include "result_memory.hpp"
#include "term_columns.hpp"
#include "text_list.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

template <class T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Mask = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// `indptr`, `indices`, `data`, and the number of words that were too long to be counted.
using Counted = std::tuple<nb::object, nb::object, nb::object, std::size_t>;

text::TermRules term_rules(const std::string& unit, std::size_t shortest, std::size_t longest,
                           bool keep_case, const std::vector<std::string>& stop_words) {
  static const std::map<std::string, text::Unit> units{{"word", text::Unit::words},
                                                       {"char", text::Unit::chars},
                                                       {"char_wb", text::Unit::chars_in_words}};
  return {.unit = units.at(unit),
          .shortest = shortest,
          .longest = longest,
          .keep_case = keep_case,
          .stop_words = {stop_words.begin(), stop_words.end()}};
}

/// Rows of all parts, one after the other.
struct Places {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> entries;

  explicit Places(const std::vector<SparseRows>& parts) : rows{0}, entries{0} {
    for (const auto& part : parts) {
      rows.push_back(rows.back() + part.ends.size());
      entries.push_back(entries.back() + part.columns.size());
    }
  }
};

/// Parts are let go as they are copied.
template <class Index, class Value>
std::tuple<nb::object, nb::object, nb::object> joined(std::vector<SparseRows>& parts,
                                                      const Places& places, int threads) {
  const std::size_t rows = places.rows.back();
  const std::size_t entries = places.entries.back();
  ResultMemory indptr((rows + 1) * sizeof(Index));
  ResultMemory indices(entries * sizeof(Index));
  ResultMemory data(entries * sizeof(Value));
  {
    const nb::gil_scoped_release no_gil;
    *indptr.as<Index>() = 0;
    parallel::run_lanes(threads, parts.size(), [&](std::size_t p) {
      const SparseRows part = std::move(parts[p]);
      const auto before = static_cast<Index>(places.entries[p]);
      std::ranges::transform(part.ends, indptr.as<Index>() + places.rows[p] + 1,
                             [&](auto end) { return before + static_cast<Index>(end); });
      std::ranges::transform(part.columns, indices.as<Index>() + places.entries[p],
                             [](auto column) { return static_cast<Index>(column); });
      std::ranges::transform(part.values, data.as<Value>() + places.entries[p],
                             [](auto value) { return static_cast<Value>(value); });
    });
  }
  return {nb::cast(array_over<Vector<Index>>(std::move(indptr), {rows + 1})),
          nb::cast(array_over<Vector<Index>>(std::move(indices), {entries})),
          nb::cast(array_over<Vector<Value>>(std::move(data), {entries}))};
}

/// 64-bit indices only where they are needed, as scikit-learn has them.
template <class Value>
Counted counted(std::vector<SparseRows> parts, std::size_t words_too_long, int threads) {
  const Places places(parts);
  const bool wide = places.entries.back() > std::numeric_limits<std::int32_t>::max();
  auto arrays = wide ? joined<std::int64_t, Value>(parts, places, threads)
                     : joined<std::int32_t, Value>(parts, places, threads);
  return std::tuple_cat(std::move(arrays), std::tuple(words_too_long));
}

/// Rows of documents whose terms have columns before they are counted.
template <class Value, class ColumnsOf>
Counted count_with(const nb::list& documents, const text::TermRules& rules, int threads,
                   const ColumnsOf& columns_of) {
  const TextList texts(documents);
  std::vector<SparseRows> parts;
  std::size_t words_too_long = 0;
  {
    const nb::gil_scoped_release no_gil;
    words_too_long = count_chunks(
        texts.views(), rules, threads,
        [&](CountedChunk& chunk) { chunk.rows = sparse_rows(chunk.found, columns_of(chunk)); },
        [&](CountedChunk& chunk) { parts.push_back(std::move(chunk.rows)); });
  }
  return counted<Value>(std::move(parts), words_too_long, threads);
}

Counted count_known(const nb::list& documents, const text::TermRules& rules, const TermIndex& terms,
                    int threads) {
  return count_with<std::int64_t>(documents, rules, threads,
                                  [&](const CountedChunk& chunk) { return terms.columns(chunk); });
}

Counted count_hashed(const nb::list& documents, const text::TermRules& rules,
                     std::uint32_t features, bool alternate_sign, int threads) {
  return count_with<double>(documents, rules, threads, [&](const CountedChunk& chunk) {
    return hashed_columns(chunk, features, alternate_sign);
  });
}

std::size_t add_documents(TermCounts& counts, const nb::list& documents,
                          const text::TermRules& rules, int threads) {
  const TextList texts(documents);
  const nb::gil_scoped_release no_gil;
  return count_chunks(
      texts.views(), rules, threads, [](CountedChunk&) {},
      [&](CountedChunk& chunk) { counts.add(chunk); });
}

/// Terms that have columns, in the order in which they first appeared.
nb::dict vocabulary(const TermCounts& counts) {
  std::vector<const text::TermTable::Slot*> slots(counts.table().size());
  for (const auto& slot : counts.table().slots()) {
    if (slot.number_plus_1 != 0) { slots[slot.number()] = &slot; }
  }
  nb::dict terms;
  for (const auto* const slot : slots) {
    const std::uint32_t column = counts.columns()[slot->number()].column;
    if (column == kNoColumn) { continue; }
    const std::string_view bytes = counts.table().bytes(*slot);
    const nb::str term(bytes.data(), bytes.size());
    terms[term] = nb::int_(column);
  }
  return terms;
}

/// The vocabulary, which is made with the GIL, and the rows, which are made meanwhile.
std::pair<nb::dict, Counted> finish(const TermCounts& counts, int threads) {
  auto rows = std::async(std::launch::async, [&] { return counts.rows(threads); });
  nb::dict terms = vocabulary(counts);
  {
    const nb::gil_scoped_release no_gil;
    rows.wait();
  }
  return {std::move(terms), counted<std::int64_t>(rows.get(), 0, threads)};
}

/// Keys that are no str, or hold half of a surrogate pair, are in no document that is counted here.
TermIndex term_index(const nb::dict& vocabulary) {
  TermIndex terms;
  terms.reserve(vocabulary.size());
  for (const auto& [term, place] : vocabulary) {
    const auto column = nb::cast<std::int64_t>(nb::int_(place));
    if (column < 0 || column >= static_cast<std::int64_t>(vocabulary.size())) {
      throw nb::value_error("vocabulary_ has an index that is none of its columns");
    }
    if (!PyUnicode_Check(term.ptr())) { continue; }
    try {
      terms.add(text_view(term), static_cast<std::uint32_t>(column));
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_UnicodeEncodeError)) { throw; }
    }
  }
  return terms;
}

void keep_columns(TermCounts& counts, const Mask& kept) {
  if (kept.size() != counts.width()) { throw nb::value_error("one entry a column is expected"); }
  counts.keep_columns({kept.data(), kept.size()});
}

/// Of terms that are str or bytes.
Vector<std::int32_t> term_hashes(const nb::list& terms) {
  std::vector<std::int32_t> hashes;
  hashes.reserve(terms.size());
  for (const nb::handle term : terms) {
    const bool raw = nb::isinstance<nb::bytes>(term);
    hashes.push_back(text::murmur_hash(raw ? std::string_view(nb::borrow<nb::bytes>(term).c_str(),
                                                              nb::borrow<nb::bytes>(term).size())
                                           : text_view(term)));
  }
  const std::size_t count = hashes.size();
  return owning_array<Vector<std::int32_t>>(std::move(hashes), {count});
}

Vector<std::int64_t> totals(const TermCounts& counts, bool binary) {
  return owning_array<Vector<std::int64_t>>(counts.totals(binary), {counts.width()});
}

}  // namespace

void bind_documents(nb::module_& module) {
  using nb::arg;
  nb::class_<text::TermRules>(module, "TermRules", "What documents are cut into.")
      .def(
          "__init__",
          [](text::TermRules* self, const std::string& unit, std::size_t shortest,
             std::size_t longest, bool keep_case, const std::vector<std::string>& stop_words) {
            new (self) text::TermRules(term_rules(unit, shortest, longest, keep_case, stop_words));
          },
          arg("unit"), arg("shortest"), arg("longest"), arg("keep_case"), arg("stop_words"));
  nb::class_<TermIndex>(module, "TermIndex", "A vocabulary with the columns of its terms.")
      .def(
          "__init__",
          [](TermIndex* self, const nb::dict& vocabulary) {
            new (self) TermIndex(term_index(vocabulary));
          },
          arg("vocabulary"));
  nb::class_<TermCounts>(module, "TermCounts", "Counts of the terms of documents.")
      .def(nb::init<>())
      .def("add", &add_documents, arg("documents"), arg("rules"), arg("threads"),
           "Counts documents; returns the number of words that were too long to be counted.")
      .def_prop_ro("documents", &TermCounts::documents)
      .def_prop_ro("terms", [](const TermCounts& self) { return self.table().size(); })
      .def_prop_ro("width", &TermCounts::width)
      .def("set_columns", &TermCounts::set_columns, arg("low"), arg("high"))
      .def("keep_columns", &keep_columns, arg("kept"))
      .def("totals", &totals, arg("binary"))
      .def("finish", &finish, arg("threads"),
           nb::sig("def finish(self, threads: int) -> tuple[dict[str, int], tuple[typing.Any, "
                   "typing.Any, typing.Any, int]]"),
           "The vocabulary, and the rows.")
      .def("index", &TermCounts::index);
  module.def("count_known", &count_known, arg("documents"), arg("rules"), arg("terms"),
             arg("threads"));
  module.def("count_hashed", &count_hashed, arg("documents"), arg("rules"), arg("features"),
             arg("alternate_sign"), arg("threads"));
  module.def("term_hashes", &term_hashes, arg("terms"));
  module.def("first_non_text", &first_non_text, arg("items"));
}

}  // namespace logodds::binding
