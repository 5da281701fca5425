// k-means as a family: from a source to a model, its file, and what it says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "data/csv_source.hpp"
#include "logodds/logodds.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/models/centers.hpp"
#include "support/table.hpp"

using namespace logodds;
using test::OptionMap;

namespace {

Fit clustered(const test::Table& table, const OptionMap& options, const Context& context = {},
              const std::string& target = "class") {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {.target = target});
  return cluster(*source, "k-means", options, context);
}

std::string refused(const test::Table& table, const OptionMap& options,
                    const Context& context = {}) {
  try {
    static_cast<void>(clustered(table, options, context));
  } catch (const Error& error) { return error.what(); }
  return {};
}

bool says(const std::string& sentence, const std::string& part) {
  INFO(sentence);
  return sentence.find(part) != std::string::npos;
}

double fact(const FitReport& report, const std::string& name) {
  for (const auto& [key, value] : report.facts) {
    if (key == name) { return std::get<double>(value); }
  }
  FAIL("there is no " << name);
  return 0.0;
}

}  // namespace

TEST_CASE("k-means family: classes are clusters, and labels change nothing") {
  const test::Table table = test::made_table(200, 3, 1);
  const Fit fit = clustered(table, {{"k", "4"}});
  CHECK(fit.model->labels() == std::vector<std::string>{"1", "2", "3", "4"});
  CHECK(fit.model->schema().target.empty());
  CHECK(fit.report.clusters.size() == 200);
  CHECK(fit.report.class_weights.size() == 4);
  CHECK(fit.report.tables.back().columns.size() == 4);  // the clusters and three labels
  CHECK(fact(fit.report, "purity") > 0.3);
  test::Table without = table;
  const std::size_t target = without.column("class");
  without.names.erase(without.names.begin() + static_cast<std::ptrdiff_t>(target));
  for (auto& row : without.rows) { row.erase(row.begin() + static_cast<std::ptrdiff_t>(target)); }
  const Fit unlabelled = clustered(without, {{"k", "4"}}, {}, "");
  CHECK(unlabelled.report.clusters == fit.report.clusters);
  CHECK(modelfile::to_bytes(*unlabelled.model) == modelfile::to_bytes(*fit.model));
}

TEST_CASE("k-means family: rows are scored as they were assigned, also from a file") {
  const test::Table table = test::made_table(150, 2, 2);
  for (const auto& standardize : {"false", "true"}) {
    const Fit fit = clustered(table, {{"k", "5"}, {"standardize", standardize}});
    const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*fit.model), "m");
    CHECK(modelfile::to_bytes(*loaded) == modelfile::to_bytes(*fit.model));
    const std::vector<double> posteriors = test::posteriors_of(*loaded, table);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      for (std::size_t k = 0; k < 5; ++k) {
        const bool own = fit.report.clusters[r] == static_cast<std::int32_t>(k);
        REQUIRE(posteriors[r * 5 + k] == (own ? 1.0 : 0.0));
      }
    }
    CHECK(loaded->describe().tables.front().rows.size() == 5);
    CHECK(loaded->centers() != nullptr);
  }
}

TEST_CASE("k-means family: given rows are where it starts, and say how many clusters there are") {
  const std::vector<double> x{0, 1, 2, 10, 11, 12};
  const std::vector<double> start{3, 9};
  Context context;
  context.start_rows = [&](const Schema& schema) {
    return open_matrix({.features = row_major(start.data(), 2, 1)}, schema);
  };
  const auto source = open_matrix({.features = row_major(x.data(), 6, 1)});
  const Fit fit = cluster(*source, "k-means", {{"init", "given"}}, context);
  CHECK(fit.model->array("centers").values == std::vector<double>{1.0, 11.0});
  CHECK(fit.model->options().text("k") == "2");
  CHECK(fact(fit.report, "E") == 4.0);
  REQUIRE(fit.report.trace);
  CHECK(std::get<double>(fit.report.trace->rows[0][1]) == 9.0 + 4.0 + 1.0 + 1.0 + 4.0 + 9.0);
  context.trace = false;
  const auto again = open_matrix({.features = row_major(x.data(), 6, 1)});
  CHECK(!cluster(*again, "k-means", {{"init", "given"}}, context).report.trace);
}

TEST_CASE("k-means family: what it is asked for and cannot do") {
  const test::Table table = test::made_table(60, 2, 3);
  CHECK(says(refused(table, {}), "--k is missing"));
  CHECK(says(refused(table, {{"k", "2"}, {"init", "given"}}), "no rows to start from"));
  CHECK(says(refused(table, {{"k", "61"}}), "60 rows"));
  CHECK(says(refused(table, {{"k", "2"}, {"clusters", "3"}}), "no option --clusters"));
  const std::vector<double> x{0.0, 1.0};
  const auto source = open_matrix({.features = row_major(x.data(), 2, 1)});
  CHECK_THROWS_WITH_AS(
      static_cast<void>(train(*source, "k-means", {{"k", "2"}})),
      "model k-means groups rows without labels, so it is not trained; use 'logodds cluster'",
      Error);
}

TEST_CASE("k-means family: a range tells E against K") {
  const test::Table table = test::made_table(80, 2, 4);
  const Fit fit = clustered(table, {{"k", "2-5"}, {"restarts", "3"}});
  REQUIRE(fit.report.tables.size() == 1);
  const auto& rows = fit.report.tables.front().rows;
  REQUIRE(rows.size() == 4);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    CHECK(std::get<double>(rows[i][2]) ==
          std::get<double>(rows[i - 1][1]) - std::get<double>(rows[i][1]));
  }
}

TEST_CASE("k-means family: a file that makes no sense is refused") {
  const test::Table table = test::made_table(30, 2, 5);
  const Fit fit = clustered(table, {{"k", "3"}});
  std::string bytes = modelfile::to_bytes(*fit.model);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  CHECK_THROWS_AS(static_cast<void>(modelfile::from_bytes(bytes, "m")), Error);
}
