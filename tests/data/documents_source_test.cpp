// Documents in memory.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "csv_table.hpp"
#include "data/document_columns.hpp"
#include "logodds/data/documents.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

using Strings = std::vector<std::string_view>;

const Schema kTextModel{{{"body", ColumnKind::text, {}}}, "y", {"a", "b"}};

}  // namespace

TEST_CASE("documents in memory are read where they lie, with their labels") {
  const Strings documents{"first one", "", std::string_view(), "last"};
  const std::vector<std::int64_t> labels{1, 0, 1, 1};
  const auto source = open_documents({.documents = documents,
                                      .name = "body",
                                      .target = "y",
                                      .labels = labels.data(),
                                      .label_names = {"ham", "spam"}});
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  REQUIRE(buffer.rows == 4);
  CHECK(buffer.texts[0][0].data() == documents[0].data());
  CHECK(buffer.texts[0][1].data() != nullptr);
  CHECK(buffer.texts[0][2].data() == nullptr);
  CHECK(buffer.facts[0].missing == 1);
  CHECK_FALSE(buffer.complete);
  CHECK(buffer.label_values.values() == std::vector<std::string>{"spam", "ham"});
  CHECK_FALSE(source->take(buffer));
  const Schema schema = infer_schema(*source, buffer.facts, {}, {"spam", "ham"});
  CHECK(schema.columns == std::vector<Column>{{"body", ColumnKind::text, {}}});
  CHECK(schema.target == "y");
}

TEST_CASE("documents of weight 0 are dropped, and integers are labels when nothing else is given") {
  const Strings documents{"p", "q", "r"};
  const std::vector<std::int64_t> labels{7, 8, -1};
  const std::vector<double> weights{2, 0, 0.5};
  const auto source =
      open_documents({.documents = documents, .labels = labels.data(), .weights = weights.data()});
  const Table table = read_all(*source);
  CHECK(table.documents[0] == std::vector<std::string>{"p", "r"});
  CHECK(table.labels == std::vector<std::string>{"7", "-1"});
  CHECK(table.weights == std::vector<double>{2, 0.5});
  CHECK(table.row_numbers == std::vector<std::size_t>{0, 2});
}

TEST_CASE("blocks of documents in memory end at 1024 rows or behind the row that brings 512 KiB") {
  const Strings many(2500, "x");
  CHECK(read_all(*open_documents({.documents = many})).first_rows ==
        std::vector<std::size_t>{0, 1024, 2048});
  const std::string half(kBlockTextBytes / 2, 'x');
  const std::string less(kBlockTextBytes / 2 - 1, 'x');
  const Strings large{half, half, less, half, "y", "z"};
  CHECK(read_all(*open_documents({.documents = large})).first_rows ==
        std::vector<std::size_t>{0, 2, 5});
}

TEST_CASE("documents against a schema: its only column must be text") {
  const Strings documents{"p", "q"};
  const std::vector<std::int64_t> labels{7, 8};
  const auto source = open_documents({.documents = documents, .labels = labels.data()}, kTextModel);
  CHECK(source->columns()[0].name == "body");
  CHECK(source->columns()[0].text);
  const Table table = read_all(*source);
  CHECK(table.documents[0].size() == 2);
  CHECK(table.labels.empty());
  Schema two = kTextModel;
  two.columns.push_back({"x", ColumnKind::real, {}});
  CHECK_THROWS_WITH_AS((void)open_documents({.documents = documents}, two),
                       doctest::Contains("single column of documents"), Error);
}
