#include "logodds/stats/held_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace logodds;

namespace {

/// Four rows of a number, a level and a document; rows 1 and 3 have no label.
struct Block {
  std::array<double, 4> numbers{1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), 4.0};
  std::array<std::int32_t, 4> codes{0, 1, 0, kMissingCode};
  std::array<std::string_view, 4> texts{"one", "two", std::string_view(), ""};
  std::array<std::int32_t, 4> labels{1, kMissingCode, 0, kMissingCode};
  std::array<double, 4> weights{1.0, 0.5, 2.0, 0.25};
  std::vector<const std::int32_t*> code_pointers{codes.data()};
  std::vector<const std::string_view*> text_pointers{texts.data()};

  [[nodiscard]] RowBlock view(std::size_t ordinal = 0) const {
    RowBlock block;
    block.ordinal = ordinal;
    block.rows = 4;
    block.numeric = numbers.data();
    block.numeric_columns = block.numeric_stride = 1;
    block.codes = code_pointers;
    block.texts = text_pointers;
    block.labels = labels.data();
    block.weights = weights.data();
    return block;
  }
};

}  // namespace

TEST_CASE("held rows: rows with a label and rows without are kept apart, with all that they have") {
  HeldRows rows;
  {
    Block block;
    const std::array<std::string, 2> words{"one", "two"};  // do not outlive the block
    block.texts[0] = words[0];
    block.texts[1] = words[1];
    rows.add(block.view());
  }
  REQUIRE(rows.parts() == 2);
  CHECK(rows.rows_unlabeled() == 2);
  CHECK(rows.rows_incomplete() == 1);
  CHECK(rows.weight() == 3.75);
  CHECK(rows.weight_unlabeled() == 0.75);
  HeldRows::Pointers pointers;
  const std::size_t without = rows.labeled(0) ? 1 : 0;
  const RowBlock unlabeled = rows.view(without, pointers);
  CHECK(unlabeled.labels == nullptr);
  REQUIRE(unlabeled.rows == 2);
  CHECK(unlabeled.numeric[0] == 2.0);
  CHECK(unlabeled.numeric[1] == 4.0);
  CHECK(unlabeled.codes[0][0] == 1);
  CHECK(unlabeled.codes[0][1] == kMissingCode);
  CHECK(unlabeled.texts[0][0] == "two");
  CHECK(unlabeled.texts[0][1].data() != nullptr);
  CHECK(unlabeled.weight(1) == 0.25);
  HeldRows::Pointers others;
  const RowBlock labeled = rows.view(1 - without, others);
  CHECK(labeled.labels[0] == 1);
  CHECK(labeled.texts[0][0] == "one");
  CHECK(labeled.texts[0][1].data() == nullptr);
  CHECK(std::isnan(labeled.numeric[1]));
}

TEST_CASE(
    "held rows: parts come in the order of their blocks, and copies do not change each other") {
  const Block block;
  HeldRows rows;
  rows.add(block.view(3));
  HeldRows more;
  more.add(block.view(1));
  rows.merge(more);
  HeldRows recoded = rows;
  recoded.recode(
      {.shape = {.classes = 2, .numeric = 1, .levels = {2}}, .labels = {1, 0}, .levels = {{1, 0}}});
  HeldRows::Pointers pointers;
  std::vector<std::size_t> ordinals;
  for (std::size_t p = 0; p < rows.parts(); ++p) {
    ordinals.push_back(rows.view(p, pointers).ordinal);
  }
  CHECK(ordinals == std::vector<std::size_t>{1, 1, 3, 3});
  const std::size_t with = rows.labeled(0) ? 0 : 1;
  CHECK(rows.view(with, pointers).labels[0] == 1);
  CHECK(rows.view(with, pointers).codes[0][0] == 0);
  CHECK(recoded.view(with, pointers).labels[0] == 0);
  CHECK(recoded.view(with, pointers).codes[0][0] == 1);
}

TEST_CASE("held rows: numbers that last stay where they are, unless labels divide them") {
  const Block block;
  RowBlock lasting = block.view();
  lasting.lasting = true;
  lasting.labels = nullptr;
  HeldRows rows;
  rows.add(lasting);
  HeldRows::Pointers pointers;
  REQUIRE(rows.parts() == 1);
  CHECK(rows.view(0, pointers).numeric == block.numbers.data());
  lasting.labels = block.labels.data();
  HeldRows divided;
  divided.add(lasting);
  CHECK(divided.view(0, pointers).numeric != block.numbers.data());
}

TEST_CASE("held rows: each class gets the rows that have a share in it") {
  const Block block;
  RowBlock rows = block.view();
  rows.weights = nullptr;
  const std::vector<double> shares{1.0, 0.0, 0.25, 0.75, 1.0 - 1e-17, 1e-17, 0.5, 0.5};
  std::vector<std::vector<double>> weights;
  std::vector<std::int32_t> labels;
  for_each_class(rows, 2, shares, [&](const RowBlock& part) {
    weights.emplace_back(part.weights, part.weights + part.rows);
    labels.push_back(part.labels[0]);
  });
  CHECK(labels == std::vector<std::int32_t>{0, 1});
  CHECK(weights == std::vector<std::vector<double>>{{1.0, 0.25, 1.0 - 1e-17, 0.5}, {0.75, 0.5}});
}
