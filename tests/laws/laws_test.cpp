// Laws that every family in the registry obeys, with every choice of its options. A family added
// later is under them without another line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/decide/decide.hpp"
#include "support/law_data.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr std::size_t kRows = 2500;  // three blocks, the last one not full
/// Sums taken in another order differ in their last digits; an optimiser's answer by a little more.
constexpr double kRounding = 1e-7;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Fit fit(const Variant& variant, const Table& table, int threads = 2,
        const std::string& weights = {}) {
  return train_table(table, variant.family, variant.options, threads, weights);
}

/// Every eighth row: enough to tell models apart.
Table some_of(const Table& table) {
  Table some{table.names, {}};
  for (std::size_t r = 0; r < table.rows.size(); r += 8) { some.rows.push_back(table.rows[r]); }
  return some;
}

/// `values` (rows x columns) with row r taken from order[r].
std::vector<double> reordered_rows(const std::vector<double>& values, std::size_t columns,
                                   const std::vector<std::size_t>& order) {
  std::vector<double> moved;
  for (const auto row : order) {
    moved.insert(moved.end(), values.begin() + static_cast<std::ptrdiff_t>(row * columns),
                 values.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns));
  }
  return moved;
}

}  // namespace

TEST_CASE("law: posteriors are finite, lie in [0, 1] and sum to 1") {
  const LawData data = law_data(kRows, 1);
  const Table& table = data.table;
  data.for_every_family([&](const Variant& variant) {
    const auto posteriors = posteriors_of(*fit(variant, table).model, table);
    REQUIRE(posteriors.size() == kRows * data.classes);
    double least = 0.0;
    double furthest = 0.0;
    for (std::size_t r = 0; r < kRows; ++r) {
      double sum = 0.0;
      for (std::size_t k = 0; k < data.classes; ++k) {
        const double p = posteriors[r * data.classes + k];
        least = std::min(least, p);
        sum += p;
      }
      furthest = std::max(furthest, std::isfinite(sum) ? std::abs(sum - 1.0) : kInfinity);
    }
    CHECK(least >= 0.0);
    CHECK(furthest < 1e-12);
  });
}

TEST_CASE("law: the evaluated decisions are the argmax of the posteriors") {
  const LawData data = law_data(kRows, 2);
  const Table& table = data.table;
  data.for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto posteriors = posteriors_of(*model, table);
    std::vector<double> confusion(data.classes * data.classes, 0.0);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto& label = table.rows[r][0];
      const auto truth = static_cast<std::size_t>(
          std::find(model->labels().begin(), model->labels().end(), label) -
          model->labels().begin());
      const double* row = posteriors.data() + r * data.classes;
      confusion[truth * data.classes +
                static_cast<std::size_t>(std::max_element(row, row + data.classes) - row)] += 1.0;
    }
    const std::string text = table.csv();
    const auto source = open_csv_bytes(text, "table", {}, model->schema(), true);
    CHECK(evaluate(*model, *source).measures.confusion() == confusion);
  });
}

TEST_CASE("law: a permutation of the rows changes nothing") {
  const LawData data = law_data(kRows, 3);
  const Table& table = data.table;
  const Table queries = some_of(table);
  Table permuted = table;
  std::mt19937_64 random(33);
  permuted.permute_rows(random);
  data.for_every_answer([&](const Variant& variant) {
    const auto one = fit(variant, table).model;
    const auto other = fit(variant, permuted).model;
    CHECK(one->labels() == other->labels());
    CHECK(largest_difference(posteriors_of(*one, queries), posteriors_of(*other, queries)) <
          kRounding);
  });
}

TEST_CASE("law: a permutation of the columns changes nothing") {
  const LawData data = law_data(kRows, 4);
  const Table& table = data.table;
  const Table queries = some_of(table);
  Table permuted = table;
  std::mt19937_64 random(44);
  permuted.permute_columns(random);
  const Table permuted_queries = some_of(permuted);
  data.for_every_answer([&](const Variant& variant) {
    const auto one = posteriors_of(*fit(variant, table).model, queries);
    const auto other = posteriors_of(*fit(variant, permuted).model, permuted_queries);
    CHECK(largest_difference(one, other) < kRounding);
  });
}

TEST_CASE("law: other names of the labels change their order and nothing else") {
  const LawData data = law_data(kRows, 5);
  const Table& table = data.table;
  const Table queries = some_of(table);
  const auto renamed_table = [&](const std::vector<std::string>& names) {
    Table renamed = table;
    for (auto& row : renamed.rows) {
      row[0] = names[static_cast<std::size_t>(row[0].back() - '0')];
    }
    return renamed;
  };
  const std::vector<std::string> in_order = data.classes == 2
                                                ? std::vector<std::string>{"10", "zebra"}
                                                : std::vector<std::string>{"9", "10", "zebra"};
  data.for_every_answer([&](const Variant& variant) {
    // The last class comes first, and so on, if that is to make no difference.
    std::vector<std::string> names = in_order;
    if (variant.symmetric()) { std::ranges::reverse(names); }
    const Table renamed = renamed_table(names);
    const auto one = posteriors_of(*fit(variant, table).model, queries);
    const auto model = fit(variant, renamed).model;
    CHECK(model->labels() == in_order);
    const auto other = posteriors_of(*model, queries);
    std::vector<double> expected(one.size());
    for (std::size_t r = 0; r < queries.rows.size(); ++r) {
      for (std::size_t k = 0; k < data.classes; ++k) {
        const std::size_t place = variant.symmetric() ? data.classes - 1 - k : k;
        expected[r * data.classes + place] = one[r * data.classes + k];
      }
    }
    CHECK(largest_difference(expected, other) < kRounding);
  });
}

TEST_CASE("law: a row of weight 2 is the row twice") {
  const LawData data = law_data(kRows, 6);
  const Table& table = data.table;
  const Table queries = some_of(table);
  Table weighted = table;
  weighted.add_column("w", "1");
  Table doubled = table;
  for (std::size_t r = 0; r < kRows; r += 3) {
    weighted.rows[r].back() = "2";
    doubled.rows.push_back(table.rows[r]);
  }
  data.for_every_answer([&](const Variant& variant) {
    const auto one = posteriors_of(*fit(variant, weighted, 2, "w").model, queries);
    const auto other = posteriors_of(*fit(variant, doubled).model, queries);
    CHECK(largest_difference(one, other) < kRounding);
  });
}

TEST_CASE("law: a row of weight 0 is no row, not even its label, level or kind") {
  const LawData data = law_data(kRows, 7);
  const Table& table = data.table;
  const Table queries = some_of(table);
  Table weighted = table;
  weighted.add_column("w", "1");
  for (std::size_t r = 0; r < kRows; r += 5) {
    auto ghost = weighted.rows[r];
    ghost[0] = "ghost";
    ghost[1] = "-1e6";
    ghost[weighted.column("color")] = "ultraviolet";
    ghost.back() = "0";
    weighted.rows.insert(weighted.rows.begin() + static_cast<std::ptrdiff_t>(r), ghost);
  }
  data.for_every_family([&](const Variant& variant) {
    const auto one = fit(variant, weighted, 2, "w").model;
    const auto other = fit(variant, table).model;
    CHECK(one->schema() == other->schema());
    CHECK(largest_difference(posteriors_of(*one, queries), posteriors_of(*other, queries)) <
          kRounding);
  });
}

TEST_CASE(
    "law: 1, 2 and 7 threads give the same model and the same posteriors, bit for bit [threads]") {
  // Every lane has more than one block; fits that keep rows or values go there once only, for they
  // are slow.
  const LawData data = law_data(20 * kBlockRows + 17, 8);
  Table few = data.table;
  few.rows.resize(3 * kBlockRows - 72);
  data.for_every_family([&](const Variant& variant) {
    const bool keeps_rows =
        !variant.record().capabilities.one_pass || variant.options.contains("families");
    const bool first = variant.as_it_comes && data.kind == Rows::numbers_and_levels;
    const Table& table = keeps_rows && !first ? few : data.table;
    const auto one = fit(variant, table, 1).model;
    const auto bytes = modelfile::to_bytes(*one);
    const auto posteriors = posteriors_of(*one, few, 1);
    for (const int threads : {2, 7}) {
      CHECK(modelfile::to_bytes(*fit(variant, table, threads).model) == bytes);
      CHECK(posteriors_of(*one, few, threads) == posteriors);
    }
  });
}

TEST_CASE("law: save, load, save is the identity, and the loaded model scores the same bits") {
  const LawData data = law_data(kRows, 9);
  const Table& table = data.table;
  data.for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto bytes = modelfile::to_bytes(*model);
    const auto loaded = modelfile::from_bytes(bytes, "memory");
    CHECK(modelfile::to_bytes(*loaded) == bytes);
    CHECK(posteriors_of(*loaded, table) == posteriors_of(*model, table));
  });
}

TEST_CASE("law: where models can be merged, any split merged is the whole") {
  const LawData data = law_data(kRows, 10);
  const Table& table = data.table;
  const Table queries = some_of(table);
  std::size_t merged_families = 0;
  data.for_every_family([&](const Variant& variant) {
    const auto& record = variant.record();
    const auto learner = record.make_learner(Options(record.options, variant.options));
    CHECK((learner->incremental() != nullptr) == variant.mergeable());
    if (learner->incremental() == nullptr) { return; }
    ++merged_families;
    const auto whole = posteriors_of(*fit(variant, table).model, queries);
    for (const std::size_t cut : {std::size_t{100}, std::size_t{1024}, std::size_t{2400}}) {
      Table first = table;
      Table second = table;
      first.rows.resize(cut);
      second.rows.erase(second.rows.begin(),
                        second.rows.begin() + static_cast<std::ptrdiff_t>(cut));
      const auto a = fit(variant, first).model;
      const auto b = fit(variant, second).model;
      const std::vector<const Classifier*> parts{a.get(), b.get()};
      const auto merged = merge(parts).model;
      CHECK(largest_difference(posteriors_of(*merged, queries), whole) < kRounding);
    }
  });
  CHECK((merged_families > 0) == (data.kind != Rows::causes));
}

TEST_CASE("law: where a model can be updated, it becomes that of all rows; forgetting undoes it") {
  const LawData data = law_data(kRows, 14);
  const Table& table = data.table;
  const Table queries = some_of(table);
  Table first = table;
  Table second = table;
  first.rows.resize(1500);
  second.rows.erase(second.rows.begin(), second.rows.begin() + 1500);
  const std::string csv = second.csv();
  data.for_every_family([&](const Variant& variant) {
    if (!variant.mergeable()) { return; }
    const auto before = fit(variant, first).model;
    const auto source = open_csv_bytes(csv, "second", {.target = "class"});
    const auto after = update(*before, *source).model;
    CHECK(after->schema() == fit(variant, table).model->schema());
    CHECK(largest_difference(posteriors_of(*after, queries),
                             posteriors_of(*fit(variant, table).model, queries)) < kRounding);
    const auto again = open_csv_bytes(csv, "second", {.target = "class"});
    const auto undone = forget(*after, *again).model;
    CHECK(undone->schema() == before->schema());
    CHECK(largest_difference(posteriors_of(*undone, queries), posteriors_of(*before, queries)) <
          kRounding);
  });
}

TEST_CASE("law: rows given as a matrix and as text make the same model, bit for bit") {
  const LawData data = law_data(kRows, 11);
  if (data.kind == Rows::levels || data.kind == Rows::documents) { return; }
  Table table = data.table;
  for (auto& row : table.rows) { row.resize(6); }
  table.names.resize(6);
  std::vector<double> values;
  std::vector<std::int64_t> labels;
  for (const auto& row : table.rows) {
    labels.push_back(row[0].back() - '0');
    for (std::size_t c = 1; c < row.size(); ++c) { values.push_back(*parse_number(row[c])); }
  }
  const std::vector<std::string> names{"class0", "class1", "class2"};
  data.for_every_family([&](const Variant& variant) {
    if (variant.options.contains("blocks")) { return; }  // they name columns that are not here
    const auto from_text = fit(variant, table).model;
    const auto source = open_matrix(
        {.features = row_major(values.data(), kRows, 5),
         .names = {"a", "b", "c", "d", "e"},
         .target = "class",
         .labels = labels.data(),
         .label_names = {names.begin(), names.begin() + static_cast<int>(data.classes)}});
    const auto from_matrix = train(*source, variant.family, variant.options).model;
    CHECK(modelfile::to_bytes(*from_matrix) == modelfile::to_bytes(*from_text));
  });
}

TEST_CASE("law: the posterior of a row does not depend on the rows scored with it") {
  const LawData data = law_data(kRows, 12);
  const Table& table = data.table;
  std::vector<std::size_t> order(kRows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(12);
  std::shuffle(order.begin(), order.end(), random);
  Table queries = table;
  for (std::size_t r = 0; r < kRows; ++r) { queries.rows[r] = table.rows[order[r]]; }
  data.for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto expected = reordered_rows(posteriors_of(*model, table), data.classes, order);
    CHECK(largest_difference(posteriors_of(*model, queries), expected) < 1e-14);
  });
}

TEST_CASE("models that keep other statistics than the options ask for are not merged") {
  const Table table = made_table(300, 3, 13);
  const auto diagonal = train_table(table, "gaussian", {{"covariance", "diagonal"}}).model;
  const auto& record = find_family("gaussian");
  const auto learner = record.make_learner(Options(record.options, {{"covariance", "shared"}}));
  const std::vector<const Classifier*> parts{diagonal.get(), diagonal.get()};
  CHECK_THROWS_AS(static_cast<void>(learner->incremental()->merge(parts, {})), Error);
}
