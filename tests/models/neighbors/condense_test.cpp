#include "models/neighbors/condense.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

std::vector<std::size_t> decisions_of(const Classifier& model, const Table& table) {
  const auto p = posteriors_of(model, table);
  const std::size_t classes = model.labels().size();
  std::vector<std::size_t> decisions;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto row = p.begin() + static_cast<std::ptrdiff_t>(r * classes);
    decisions.push_back(static_cast<std::size_t>(
        std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row));
  }
  return decisions;
}

std::size_t rows_of(const Classifier& model) { return model.neighborhood()->neighbor_rows(); }

/// Its nearest neighbors in the model, of every row of the table.
std::set<std::int64_t> numbers_in(const Classifier& model, const Table& table) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {}, model.schema(), false);
  std::set<std::int64_t> numbers;
  score(model, *source,
        [&](const ScoredBlock& block) {
          numbers.insert(block.neighbors.begin(), block.neighbors.end());
        },
        {}, {.neighbors = 1});
  return numbers;
}

}  // namespace

TEST_CASE("condense: every training row is decided as before, by fewer rows") {
  const Table table = made_table(700, 3, 21);
  for (const OptionMap& options :
       std::vector<OptionMap>{{{"k", "1"}},
                              {{"k", "5"}},
                              {{"k", "4"}, {"vote", "distance"}},
                              {{"k", "3"}, {"metric", "manhattan"}},
                              {{"k", "3"}, {"metric", "cosine"}},
                              {{"k", "3"}, {"metric", "mahalanobis"}},
                              {{"k", "7"}, {"standardize", "true"}},
                              {{"k", "1-20"}, {"standardize", "true"}}}) {
    CAPTURE(options.at("k"));
    const auto all = train_table(table, "neighbors", options).model;
    OptionMap condensing = options;
    condensing["condense"] = "true";
    const Fit fit = train_table(table, "neighbors", condensing);
    CHECK(fit.model->options().text("k") == all->options().text("k"));
    CHECK(decisions_of(*fit.model, table) == decisions_of(*all, table));
    CHECK(rows_of(*fit.model) < rows_of(*all));
    const std::string note = "condensed: " + std::to_string(rows_of(*fit.model)) + " of 700 rows";
    CHECK(std::ranges::any_of(fit.report.notes,
                              [&](const std::string& text) { return text.starts_with(note); }));
    const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*fit.model), "memory");
    CHECK(posteriors_of(*loaded, table) == posteriors_of(*fit.model, table));
  }
}

TEST_CASE("condense: two heaps far apart leave a row of each") {
  Table table{{"class", "x"}, {}};
  for (int i = 0; i < 50; ++i) {
    table.rows.push_back({"a", std::to_string(i)});
    table.rows.push_back({"b", std::to_string(1000 + i)});
  }
  const auto model = train_table(table, "neighbors", {{"k", "1"}, {"condense", "true"}}).model;
  CHECK(rows_of(*model) == 2);
  // The rows nearest to the means 24.5 and 1024.5, as the table numbers them from 1.
  CHECK(numbers_in(*model, table) == std::set<std::int64_t>{49, 50});
}

TEST_CASE("condense: rows that say nothing new, and rows that contradict each other") {
  Table table{{"class", "x"}, {}};
  for (int i = 0; i < 20; ++i) { table.rows.push_back({"a", "1"}); }
  const auto same = train_table(table, "neighbors", {{"k", "3"}, {"condense", "true"}}).model;
  CHECK(rows_of(*same) == 20);  // equal rows go together
  for (int i = 0; i < 21; ++i) { table.rows.push_back({"b", "1"}); }
  for (int i = 0; i < 5; ++i) { table.rows.push_back({"a", std::to_string(9 + i)}); }
  const auto model = train_table(table, "neighbors", {{"k", "3"}, {"condense", "true"}}).model;
  const auto all = train_table(table, "neighbors", {{"k", "3"}}).model;
  CHECK(decisions_of(*model, table) == decisions_of(*all, table));
}

TEST_CASE("condense: what has dropped rows is not changed, nor joined") {
  const Table table = made_table(100, 2, 22);
  const auto whole = train_table(table, "neighbors", {}).model;
  const auto part = train_table(table, "neighbors", {{"condense", "true"}}).model;
  const std::vector<const Classifier*> parts{whole.get(), part.get()};
  CHECK_THROWS_AS(static_cast<void>(merge(parts)), Error);
  CHECK_THROWS_AS(static_cast<void>(with_options(*part, {{"k", "7"}})), Error);
}

TEST_CASE("condense: the same rows stay for any number of threads [threads]") {
  const Table table = made_table(1500, 3, 23);
  const auto bytes = modelfile::to_bytes(
      *train_table(table, "neighbors", {{"k", "3"}, {"condense", "true"}}, 1).model);
  for (const int threads : {2, 7}) {
    CHECK(
        modelfile::to_bytes(
            *train_table(table, "neighbors", {{"k", "3"}, {"condense", "true"}}, threads).model) ==
        bytes);
  }
}
