#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

std::vector<double> column(const DescriptionTable& table, std::size_t c) {
  std::vector<double> values;
  for (const auto& row : table.rows) { values.push_back(std::get<double>(row[c])); }
  return values;
}

}  // namespace

TEST_CASE("softmax: --decay auto takes the least held-out loss, whatever the threads [threads]") {
  const Table table = made_table(120, 3, 51);
  const auto fit = train_table(table, "softmax", {{"decay", "auto"}, {"standardize", "true"}}, 1);
  REQUIRE(fit.report.tables.size() == 1);
  const auto decays = column(fit.report.tables[0], 0);
  const auto losses = column(fit.report.tables[0], 1);
  REQUIRE(decays.size() == 19);
  CHECK(std::ranges::is_sorted(decays, std::greater<>()));
  const auto best = std::ranges::min_element(losses) - losses.begin();
  CHECK(fit.model->options().text("decay") ==
        format_number(decays[static_cast<std::size_t>(best)]));
  // Under the largest decay little more than the shares of the classes is left.
  CHECK(losses.front() == doctest::Approx(std::log(3.0)).epsilon(0.02));
  CHECK(losses[static_cast<std::size_t>(best)] < losses.front());
  for (const int threads : {2, 7}) {
    const auto again =
        train_table(table, "softmax", {{"decay", "auto"}, {"standardize", "true"}}, threads);
    CHECK(modelfile::to_bytes(*again.model) == modelfile::to_bytes(*fit.model));
    CHECK(column(again.report.tables[0], 1) == losses);
  }
}

TEST_CASE("softmax: columns that say nothing get the largest decay, and a note says so") {
  std::string text = "class,x\n";
  for (int i = 0; i < 60; ++i) {
    text += std::string((i / 2) % 2 == 0 ? "a," : "b,") + std::to_string((i * 5) % 7) + "\n";
  }
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  const auto fit = train(*source, "softmax", {{"decay", "auto"}});
  const auto losses = column(fit.report.tables[0], 1);
  const bool first = losses.front() == *std::ranges::min_element(losses);
  const bool noted = std::ranges::any_of(fit.report.notes, [](const auto& note) {
    return note.find("the largest decay") != std::string::npos;
  });
  REQUIRE(first);
  CHECK(noted);
}

TEST_CASE("softmax: --decay auto with nothing to hold out is refused") {
  const auto source = open_csv_bytes("class,x\na,1\nb,2\nc,3\n", "table", {.target = "class"});
  CHECK_THROWS_WITH_AS(static_cast<void>(train(*source, "softmax", {{"decay", "auto"}})),
                       doctest::Contains("--decay 0.01"), Error);
}
