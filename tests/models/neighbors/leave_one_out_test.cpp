#include "models/neighbors/leave_one_out.hpp"

#include <doctest/doctest.h>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// The curve of a fit: k and the weight that is decided wrongly.
std::map<std::int64_t, double> curve(const Fit& fit) {
  std::map<std::int64_t, double> errors;
  for (const auto& row : fit.report.tables.front().rows) {
    errors[std::get<std::int64_t>(row[0])] = std::get<double>(row[1]);
  }
  return errors;
}

Table three_columns(std::size_t rows, std::uint64_t seed) {
  Table table = made_table(rows, 3, seed);
  for (auto& row : table.rows) { row.resize(4); }
  table.names.resize(4);
  return table;
}

}  // namespace

TEST_CASE("leave-one-out: the errors are those of models without the row") {
  const Table table = three_columns(120, 3);
  const Fit fit = train_table(table, "neighbors", {{"k", "1-9"}, {"vote", "distance"}});
  const auto errors = curve(fit);
  REQUIRE(errors.size() == 9);
  for (const std::int64_t k : {1, 2, 5, 9}) {
    double wrong = 0.0;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      Table rest = table;
      rest.rows.erase(rest.rows.begin() + static_cast<std::ptrdiff_t>(r));
      const Table one{table.names, {table.rows[r]}};
      const auto model =
          train_table(rest, "neighbors", {{"k", std::to_string(k)}, {"vote", "distance"}}).model;
      const auto p = posteriors_of(*model, one);
      const auto place = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
      wrong += model->labels()[place] == table.rows[r][0] ? 0.0 : 1.0;
    }
    CAPTURE(k);
    CHECK(errors.at(k) == wrong);
  }
}

TEST_CASE("leave-one-out: the least k of least error is settled") {
  const Fit fit = train_table(three_columns(300, 4), "neighbors", {{"k", "auto"}});
  const auto errors = curve(fit);
  CHECK(errors.size() == 50);
  const auto best = std::min_element(errors.begin(), errors.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  CHECK(fit.model->options().text("k") == std::to_string(best->first));
  // Another look at the same rows chooses the same.
  CHECK(with_options(*fit.model, {{"k", "auto"}}).model->options().text("k") ==
        fit.model->options().text("k"));
}

TEST_CASE("leave-one-out: a row of weight 2 is the row twice") {
  Table weighted = three_columns(200, 5);
  Table doubled = weighted;
  weighted.add_column("w", "1");
  for (std::size_t r = 0; r < 200; r += 3) {
    weighted.rows[r].back() = "2";
    doubled.rows.push_back(doubled.rows[r]);
  }
  CHECK(curve(train_table(weighted, "neighbors", {{"k", "1-12"}}, 2, "w")) ==
        curve(train_table(doubled, "neighbors", {{"k", "1-12"}})));
}

TEST_CASE("leave-one-out: no k beyond the other rows is tried") {
  CHECK(curve(train_table(three_columns(7, 6), "neighbors", {{"k", "auto"}})).size() == 6);
  CHECK(train_table(three_columns(1, 6), "neighbors", {{"k", "auto"}}).model->options().text("k") ==
        "1");
  CHECK(train_table(three_columns(4, 6), "neighbors", {{"k", "9-20"}}).model->options().text("k") ==
        "9");
}

TEST_CASE("leave-one-out: the same curve for any number of threads [threads]") {
  const Table table = three_columns(2500, 7);
  const auto one = curve(train_table(table, "neighbors", {{"k", "1-5"}}, 1));
  for (const int threads : {2, 7}) {
    CHECK(curve(train_table(table, "neighbors", {{"k", "1-5"}}, threads)) == one);
  }
}
