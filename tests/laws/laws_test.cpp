// Laws that every family in the registry obeys, with every choice of its options. A family added
// later is under them without another line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/decide/decide.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr std::size_t kRows = 2500;  // three blocks, the last one not full
constexpr std::size_t kClasses = 3;
/// Sums taken in another order differ in their last digits; an optimiser's answer by a little more.
constexpr double kRounding = 1e-7;

struct Variant {
  std::string family;
  OptionMap options;
};

/// Options that no list of choices names.
const std::vector<Variant>& further_variants() {
  static const std::vector<Variant> all{{"gaussian", {{"covariance", "own"}, {"ridge", "0.1"}}},
                                        {"gaussian", {{"ridge-relative", "0.01"}}},
                                        {"gaussian", {{"priors", "uniform"}}},
                                        {"gaussian", {{"priors", "smoothed:3"}}},
                                        {"gaussian", {{"blend", "0.5,0.1"}}},
                                        {"gaussian", {{"shrinkage", "0.2"}}},
                                        {"gaussian", {{"shrinkage", "oas"}}},
                                        {"gaussian", {{"shrinkage", "ledoit-wolf"}}},
                                        {"gaussian", {{"wishart", "7"}, {"covariance", "own"}}},
                                        {"gaussian", {{"components", "3"}}},
                                        {"naive-bayes", {{"families", "real=kernel"}}},
                                        {"naive-bayes", {{"families", "real=histogram"}}},
                                        {"naive-bayes", {{"blocks", "a+e,color+sex"}}},
                                        {"naive-bayes", {{"smoothing", "0"}}},
                                        {"naive-bayes", {{"priors", "uniform"}}},
                                        {"table", {{"smoothing", "0"}}}};
  return all;
}

/// Every family as it comes, and once with each value of each of its choices (but groups, which
/// name classes).
std::vector<Variant> variants() {
  std::vector<Variant> all = further_variants();
  for (const auto& family : families()) {
    all.push_back({family.name, {}});
    for (const auto& option : family.options) {
      for (const auto& choice : option.choices) {
        if (choice == "groups") { continue; }
        all.push_back({family.name, {{option.name, choice}}});
      }
    }
  }
  return all;
}

/// Each law is run three times: for families that take numbers, for those that take levels only,
/// and for those that take documents.
enum class Columns : std::uint8_t { numbers_and_levels, levels, documents };
Columns& columns_taken() {
  static Columns columns = Columns::numbers_and_levels;
  return columns;
}

/// Whether the family takes the columns of the present run.
bool takes_columns(const FamilyRecord& family) {
  const bool documents = std::ranges::any_of(
      family.options, [](const OptionSpec& option) { return option.name == "tokens"; });
  if (columns_taken() == Columns::documents) { return documents; }
  return family.capabilities.numbers == (columns_taken() == Columns::numbers_and_levels);
}

/// A column of documents, whose words tell the class a little.
void add_documents(Table& table, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  table.names.emplace_back("note");
  for (auto& row : table.rows) {
    const auto shift = static_cast<std::uint64_t>(row[0].back());
    const std::uint64_t length = 6 + random() % 20;
    std::string text;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t word = random() % 3 == 0 ? 7 * shift + random() % 9 : random() % 200;
      text += (text.empty() ? "word" : " word") + std::to_string(word);
    }
    row.push_back(text);
  }
}

/// made_table(), without its numbers where only levels are taken, or with documents besides.
Table law_table(std::size_t rows, std::uint64_t seed) {
  columns_taken() = Columns::numbers_and_levels;
  SUBCASE("numbers and levels") {}
  SUBCASE("levels only") { columns_taken() = Columns::levels; }
  SUBCASE("documents") { columns_taken() = Columns::documents; }
  Table table = made_table(rows, kClasses, seed);
  if (columns_taken() == Columns::documents) { add_documents(table, seed); }
  if (columns_taken() != Columns::levels) { return table; }
  const auto drop_numbers = [](std::vector<std::string>& cells) {
    cells.erase(cells.begin() + 1, cells.begin() + 6);
  };
  drop_numbers(table.names);
  for (auto& row : table.rows) { drop_numbers(row); }
  return table;
}

/// Runs `law` on every variant, with its name in the report of a failure.
template <class Law>
void for_every_family(Law law) {
  for (const auto& variant : variants()) {
    if (!takes_columns(find_family(variant.family))) { continue; }
    std::string name = variant.family;
    for (const auto& [option, value] : variant.options) { name += " --" + option + " " + value; }
    CAPTURE(name);
    law(variant);
  }
}

Fit fit(const Variant& variant, const Table& table, int threads = 2,
        const std::string& weights = {}) {
  return train_table(table, variant.family, variant.options, threads, weights);
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
  const Table table = law_table(kRows, 1);
  for_every_family([&](const Variant& variant) {
    const auto posteriors = posteriors_of(*fit(variant, table).model, table);
    REQUIRE(posteriors.size() == kRows * kClasses);
    for (std::size_t r = 0; r < kRows; ++r) {
      double sum = 0.0;
      for (std::size_t k = 0; k < kClasses; ++k) {
        const double p = posteriors[r * kClasses + k];
        REQUIRE(std::isfinite(p));
        REQUIRE(p >= 0.0);
        sum += p;
      }
      REQUIRE(std::abs(sum - 1.0) < 1e-12);
    }
  });
}

TEST_CASE("law: the evaluated decisions are the argmax of the posteriors") {
  const Table table = law_table(kRows, 2);
  for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto posteriors = posteriors_of(*model, table);
    std::vector<double> confusion(kClasses * kClasses, 0.0);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto& label = table.rows[r][0];
      const auto truth = static_cast<std::size_t>(
          std::find(model->labels().begin(), model->labels().end(), label) -
          model->labels().begin());
      const double* row = posteriors.data() + r * kClasses;
      confusion[truth * kClasses +
                static_cast<std::size_t>(std::max_element(row, row + kClasses) - row)] += 1.0;
    }
    const std::string text = table.csv();
    const auto source = open_csv_bytes(text, "table", {}, model->schema(), true);
    CHECK(evaluate(*model, *source).measures.confusion() == confusion);
  });
}

TEST_CASE("law: a permutation of the rows changes nothing") {
  const Table table = law_table(kRows, 3);
  Table permuted = table;
  std::mt19937_64 random(33);
  permuted.permute_rows(random);
  for_every_family([&](const Variant& variant) {
    const auto one = fit(variant, table).model;
    const auto other = fit(variant, permuted).model;
    CHECK(one->labels() == other->labels());
    CHECK(largest_difference(posteriors_of(*one, table), posteriors_of(*other, table)) < kRounding);
  });
}

TEST_CASE("law: a permutation of the columns changes nothing") {
  const Table table = law_table(kRows, 4);
  Table permuted = table;
  std::mt19937_64 random(44);
  permuted.permute_columns(random);
  for_every_family([&](const Variant& variant) {
    const auto one = posteriors_of(*fit(variant, table).model, table);
    const auto other = posteriors_of(*fit(variant, permuted).model, permuted);
    CHECK(largest_difference(one, other) < kRounding);
  });
}

TEST_CASE("law: other names of the labels change their order and nothing else") {
  const Table table = law_table(kRows, 5);
  const std::map<std::string, std::string> names{
      {"class0", "zebra"}, {"class1", "10"}, {"class2", "9"}};
  const std::vector<std::size_t> place{2, 1, 0};  // of the old classes among 9, 10, zebra
  Table renamed = table;
  for (auto& row : renamed.rows) { row[0] = names.at(row[0]); }
  for_every_family([&](const Variant& variant) {
    const auto one = posteriors_of(*fit(variant, table).model, table);
    const auto model = fit(variant, renamed).model;
    CHECK(model->labels() == std::vector<std::string>{"9", "10", "zebra"});
    const auto other = posteriors_of(*model, renamed);
    std::vector<double> expected(one.size());
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = 0; k < kClasses; ++k) {
        expected[r * kClasses + place[k]] = one[r * kClasses + k];
      }
    }
    CHECK(largest_difference(expected, other) < kRounding);
  });
}

TEST_CASE("law: a row of weight 2 is the row twice") {
  const Table table = law_table(kRows, 6);
  Table weighted = table;
  weighted.add_column("w", "1");
  Table doubled = table;
  for (std::size_t r = 0; r < kRows; r += 3) {
    weighted.rows[r].back() = "2";
    doubled.rows.push_back(table.rows[r]);
  }
  for_every_family([&](const Variant& variant) {
    const auto one = posteriors_of(*fit(variant, weighted, 2, "w").model, table);
    const auto other = posteriors_of(*fit(variant, doubled).model, table);
    CHECK(largest_difference(one, other) < kRounding);
  });
}

TEST_CASE("law: a row of weight 0 is no row, not even its label, level or kind") {
  const Table table = law_table(kRows, 7);
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
  for_every_family([&](const Variant& variant) {
    const auto one = fit(variant, weighted, 2, "w").model;
    const auto other = fit(variant, table).model;
    CHECK(one->schema() == other->schema());
    CHECK(largest_difference(posteriors_of(*one, table), posteriors_of(*other, table)) < kRounding);
  });
}

TEST_CASE(
    "law: 1, 2 and 7 threads give the same model and the same posteriors, bit for bit [threads]") {
  const Table table = law_table(20 * kBlockRows + 17, 8);
  Table few = table;
  few.rows.resize(3000);
  for_every_family([&](const Variant& variant) {
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
  const Table table = law_table(kRows, 9);
  for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto bytes = modelfile::to_bytes(*model);
    const auto loaded = modelfile::from_bytes(bytes, "memory");
    CHECK(modelfile::to_bytes(*loaded) == bytes);
    CHECK(posteriors_of(*loaded, table) == posteriors_of(*model, table));
  });
}

TEST_CASE("law: where models can be merged, any split merged is the whole") {
  const Table table = law_table(kRows, 10);
  std::size_t merged_families = 0;
  for_every_family([&](const Variant& variant) {
    const auto& record = find_family(variant.family);
    const auto learner = record.make_learner(Options(record.options, variant.options));
    CHECK((learner->incremental() != nullptr) == record.capabilities.mergeable);
    if (learner->incremental() == nullptr) { return; }
    ++merged_families;
    const auto whole = posteriors_of(*fit(variant, table).model, table);
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
      CHECK(largest_difference(posteriors_of(*merged, table), whole) < kRounding);
    }
  });
  CHECK(merged_families > 0);
}

TEST_CASE("law: where a model can be updated, it becomes that of all rows; forgetting undoes it") {
  const Table table = law_table(kRows, 14);
  Table first = table;
  Table second = table;
  first.rows.resize(1500);
  second.rows.erase(second.rows.begin(), second.rows.begin() + 1500);
  const std::string csv = second.csv();
  for_every_family([&](const Variant& variant) {
    if (!find_family(variant.family).capabilities.mergeable) { return; }
    const auto before = fit(variant, first).model;
    const auto source = open_csv_bytes(csv, "second", {.target = "class"});
    const auto after = update(*before, *source).model;
    CHECK(after->schema() == fit(variant, table).model->schema());
    CHECK(largest_difference(posteriors_of(*after, table),
                             posteriors_of(*fit(variant, table).model, table)) < kRounding);
    const auto again = open_csv_bytes(csv, "second", {.target = "class"});
    const auto undone = forget(*after, *again).model;
    CHECK(undone->schema() == before->schema());
    CHECK(largest_difference(posteriors_of(*undone, table), posteriors_of(*before, table)) <
          kRounding);
  });
}

TEST_CASE("law: rows given as a matrix and as text make the same model, bit for bit") {
  columns_taken() = Columns::numbers_and_levels;
  Table table = made_table(kRows, kClasses, 11);
  for (auto& row : table.rows) { row.resize(6); }
  table.names.resize(6);
  std::vector<double> values;
  std::vector<std::int64_t> labels;
  for (const auto& row : table.rows) {
    labels.push_back(row[0].back() - '0');
    for (std::size_t c = 1; c < row.size(); ++c) { values.push_back(*parse_number(row[c])); }
  }
  for_every_family([&](const Variant& variant) {
    if (variant.options.contains("blocks")) { return; }  // they name columns that are not here
    const auto from_text = fit(variant, table).model;
    const auto source = open_matrix({.features = row_major(values.data(), kRows, 5),
                                     .names = {"a", "b", "c", "d", "e"},
                                     .target = "class",
                                     .labels = labels.data(),
                                     .label_names = {"class0", "class1", "class2"}});
    const auto from_matrix = train(*source, variant.family, variant.options).model;
    CHECK(modelfile::to_bytes(*from_matrix) == modelfile::to_bytes(*from_text));
  });
}

TEST_CASE("law: the posterior of a row does not depend on the rows scored with it") {
  const Table table = law_table(kRows, 12);
  std::vector<std::size_t> order(kRows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(12);
  std::shuffle(order.begin(), order.end(), random);
  Table queries = table;
  for (std::size_t r = 0; r < kRows; ++r) { queries.rows[r] = table.rows[order[r]]; }
  for_every_family([&](const Variant& variant) {
    const auto model = fit(variant, table).model;
    const auto expected = reordered_rows(posteriors_of(*model, table), kClasses, order);
    CHECK(largest_difference(posteriors_of(*model, queries), expected) < 1e-14);
  });
}

TEST_CASE("models that keep other statistics than the options ask for are not merged") {
  const Table table = made_table(300, kClasses, 13);
  const auto diagonal = train_table(table, "gaussian", {{"covariance", "diagonal"}}).model;
  const auto& record = find_family("gaussian");
  const auto learner = record.make_learner(Options(record.options, {{"covariance", "shared"}}));
  const std::vector<const Classifier*> parts{diagonal.get(), diagonal.get()};
  CHECK_THROWS_AS(static_cast<void>(learner->incremental()->merge(parts, {})), Error);
}
