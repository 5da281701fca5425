#include "report/survey.hpp"

#include <doctest/doctest.h>

#include "support/table.hpp"

namespace logodds::report {

namespace {

std::vector<std::size_t> numbers(const NotedRows& noted) {
  std::vector<std::size_t> result;
  for (const NotedRow& row : noted.rows()) { result.push_back(row.number); }
  return result;
}

NotedRows noted(const std::vector<double>& keys, std::size_t most) {
  NotedRows rows(most);
  for (std::size_t r = 0; r < keys.size(); ++r) {
    if (!rows.wants(keys[r])) { continue; }
    NotedRow row;
    row.number = r;
    row.key = keys[r];
    rows.add(std::move(row));
  }
  return rows;
}

}  // namespace

TEST_CASE("the rows with the largest keys are noted, of equal ones the earlier") {
  CHECK(numbers(noted({1.0, 3.0, 2.0, 5.0}, 2)) == std::vector<std::size_t>{3, 1});
  CHECK(numbers(noted({1.0, 1.0, 1.0, 1.0}, 2)) == std::vector<std::size_t>{0, 1});
  CHECK(numbers(noted({1.0, 2.0, 1.0, 2.0, 2.0}, 3)) == std::vector<std::size_t>{1, 3, 4});
  CHECK(numbers(noted({2.0, 1.0, 1.0, 2.0}, 3)) == std::vector<std::size_t>{0, 3, 1});
  CHECK(numbers(noted({1.0, 2.0}, 0)).empty());
  CHECK(numbers(noted({1.0}, 5)) == std::vector<std::size_t>{0});
}

TEST_CASE("a survey counts rows by class, and what is missing before anything is filled") {
  const test::Table table{
      .names = {"class", "x", "z"},
      .rows = {
          {"a", "1", "u"}, {"a", "NA", "v"}, {"b", "3", "NA"}, {"b", "5", "v"}, {"b", "NA", "u"}}};
  const Fit fit = test::train_table(table, "naive-bayes", {});
  const std::string csv = table.csv();
  const auto source = open_csv_bytes(csv, "table.csv", {}, fit.model->schema(), true);
  const Survey found = survey(*fit.model, *source, 2, {});
  CHECK(found.rows_read == 5);
  CHECK(found.missing == std::vector<std::size_t>{2, 1});
  CHECK(found.class_rows == std::vector<std::size_t>{2, 3});
  CHECK(found.sample.rows() == 5);
  CHECK(found.unsure.rows().size() == 2);
}

}  // namespace logodds::report
