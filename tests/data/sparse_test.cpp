// Sparse rows: svmlight files and CSR matrices, as numbers and as documents of pairs.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "data/dense_columns.hpp"
#include "data/svmlight_line.hpp"
#include "data/svmlight_source.hpp"
#include "document_table.hpp"

using namespace logodds;
using namespace logodds::test;
using Texts = std::vector<std::string>;
using Labels = std::vector<std::optional<std::string>>;
using Numbers = std::vector<std::vector<double>>;

namespace {

constexpr std::string_view kFile =
    "# written by a test\n"
    "+1 qid:3 1:0.5 3:2 # a comment: 9:9\n"
    "\n"
    "-1\t2:+1e1 \r\n"
    "+1 # nothing\n";

std::string dense_error(std::string_view text) {
  return sentence_of([&] {
    const auto source = open_svmlight_bytes(text, "t.svm");
    read_documents(*source);
  });
}

std::string pairs_error(std::string_view text) {
  return sentence_of([&] {
    const auto source = open_svmlight_pairs_bytes(text, "t.svm");
    read_documents(*source);
  });
}

Schema number_schema(const std::vector<std::string>& names) {
  Schema schema{.columns = {}, .target = "label", .labels = {"-1", "1"}};
  for (const auto& name : names) {
    schema.columns.push_back({.name = name, .kind = ColumnKind::real, .levels = {}});
  }
  return schema;
}

}  // namespace

TEST_CASE("a line of svmlight") {
  CHECK(svmlight_row("1 1:1"));
  CHECK_FALSE(svmlight_row(" # comment"));
  CHECK_FALSE(svmlight_row(" \t"));
  const SvmlightLine line = split_svmlight(" +1 qid:7  1:2 3:4 #x");
  CHECK(line.label == "1");
  CHECK(line.pairs == "1:2 3:4");
  CHECK(split_svmlight("1:2").label.empty());
  CHECK(split_svmlight("1:2").pairs == "1:2");
  CHECK(split_svmlight("+").label == "+");
}

TEST_CASE("svmlight as columns of numbers") {
  const auto source = open_svmlight_bytes(kFile, "t.svm");
  REQUIRE(source->columns().size() == 3);
  CHECK(source->columns()[0].name == "x1");
  CHECK(source->columns()[2].name == "x3");
  const DocumentTable table = read_documents(*source);
  CHECK(table.numbers == Numbers{{.5, 0, 2}, {0, 10, 0}, {0, 0, 0}});
  CHECK(table.labels == Labels{"1", "-1", "1"});
  CHECK_FALSE(table.facts[0].counts);
  CHECK(table.facts[1].counts);
  CHECK_FALSE(table.facts[1].zero_one);
}

TEST_CASE("the index 0 makes a column x0") {
  const auto source = open_svmlight_bytes("a 0:1 2:3\nb 1:4\n", "t.svm");
  CHECK(source->columns()[0].name == "x0");
  CHECK(read_documents(*source).numbers == Numbers{{1, 0, 3}, {0, 4, 0}});
}

TEST_CASE("svmlight as documents of pairs") {
  const auto source = open_svmlight_pairs_bytes(kFile, "t.svm");
  REQUIRE(source->columns().size() == 1);
  CHECK(source->columns()[0].name == "features");
  CHECK(source->columns()[0].text);
  const DocumentTable table = read_documents(*source);
  CHECK(table.documents == Texts{"1:0.5 3:2", "2:10 ", ""});
  CHECK(table.labels == Labels{"1", "-1", "1"});
}

TEST_CASE("pairs are rewritten where a term reader would see other terms") {
  const auto source =
      open_svmlight_pairs_bytes("a 1:0 2:3\nb 007:1\nc 1:1e-999 5:2\nd 10:1\n", "t.svm");
  CHECK(read_documents(*source).documents == Texts{"2:3 ", "7:1 ", "5:2 ", "10:1"});
}

TEST_CASE("what is wrong with svmlight lines") {
  CHECK(holds(dense_error("1 1:1\n1 2:x\n"), "t.svm, line 2: '2:x' is not of the form"));
  CHECK(holds(dense_error("1 1:1\n1 b:1\n"), "'b:1' is not of the form INDEX:VALUE"));
  CHECK(holds(dense_error("1 1:1\n1 3\n"), "'3' is not of the form"));
  CHECK(holds(dense_error("1 1:1\n1 -3:1\n"), "'-3:1' is not of the form"));
  CHECK(holds(dense_error("1 1:\n"), "'1:' is not of the form"));
  CHECK(holds(dense_error("1 3:1 2:1\n"), "line 1: '2:1' comes after the index 3"));
  CHECK(holds(dense_error("1 3:1 3:1\n"), "comes after the index 3"));
  CHECK(holds(dense_error("1 3:nan\n"), "'3:nan' is not finite"));
  CHECK(holds(dense_error("1 3:1e999\n"), "is not finite"));
  CHECK(holds(dense_error("1:2 2:3\n"), "line 1: there is no label"));
  CHECK(holds(dense_error("1\n2\n"), "no line holds a pair"));
  CHECK(holds(dense_error("# only a comment\n"), "no line holds a pair"));
  CHECK(holds(dense_error(""), "the file holds no row"));
  CHECK(holds(pairs_error("1 1:1\n1 2:-1\n"), "t.svm, line 2: the value of index 2 is -1"));
  CHECK(holds(pairs_error("1 1:1\n1 2;1\n"), "t.svm, line 2: '2;1' is not of the form"));
}

TEST_CASE("too many columns are refused before they are made") {
  CHECK(holds(dense_error("1 1000001:1\n"), "1000001 columns are more than the 1000000"));
  CHECK(holds(dense_error("1 0:1 18446744073709551615:1\n"), "--model naive-bayes"));
  CHECK(dense_error("1 1000000:1\n") == "no error");
  CHECK(dense_block_rows(4) == kBlockRows);
  CHECK(dense_block_rows(1'000'000) == 4);
}

TEST_CASE("svmlight against a schema") {
  const Schema schema = number_schema({"x1", "x2"});
  const auto read = [&](std::string_view text, LabelUse use) {
    const auto source = open_svmlight_bytes(text, "t.svm", schema, use);
    return read_documents(*source, &schema);
  };
  const DocumentTable table = read("+1 2:5\n9 1:1\n1:3\n", LabelUse::if_there);
  CHECK(table.numbers == Numbers{{0, 5}, {1, 0}, {3, 0}});
  CHECK(table.labels == Labels{"1", std::nullopt, std::nullopt});
  CHECK(read("1 2:5\n", LabelUse::unread).labels.empty());
  CHECK(holds(sentence_of([&] { read("1 2:5\n1 3:1\n", LabelUse::unread); }),
              "t.svm, line 2: the model has no column x3, only x1 to x2"));
  CHECK(holds(sentence_of([&] { read("1 0:5\n", LabelUse::unread); }), "no column x0"));
  CHECK(holds(sentence_of([&] { read("7 1:5\n", LabelUse::required); }),
              "line 1: the label '7' is not one of the classes"));
}

TEST_CASE("a schema that svmlight does not fit") {
  const auto open = [](const Schema& schema) {
    return sentence_of(
        [&] { (void)open_svmlight_bytes("1 1:1\n", "t.svm", schema, LabelUse::unread); });
  };
  CHECK(holds(open(number_schema({"a", "b"})), "'a' (real), 'b' (real)"));
  CHECK(holds(open(number_schema({"x1", "x3"})), "give a CSV file"));
  CHECK(holds(open(document_schema({"a"})), "'text' (text)"));
  Schema coded = number_schema({"x1"});
  coded.columns[0].levels = {"u", "v"};
  CHECK(holds(open(coded), "give a CSV file"));
}

namespace {

// 0 1.5 0
// 2 0   3   (stored twice: 1 + 2)
// 0 0   0
struct Csr {
  std::array<double, 4> values{1.5, 2, 1, 2};
  std::array<std::int32_t, 4> indices{1, 0, 2, 2};
  std::array<std::int64_t, 4> wide{1, 0, 2, 2};
  std::array<std::int64_t, 4> starts{0, 1, 4, 4};
  std::array<std::int64_t, 3> labels{4, 5, 4};

  [[nodiscard]] SparseData data(bool wide_indices = false) const {
    SparseData result;
    result.features = {.rows = 3,
                       .columns = 3,
                       .values = values.data(),
                       .indices = wide_indices ? static_cast<const void*>(wide.data())
                                               : static_cast<const void*>(indices.data()),
                       .wide_indices = wide_indices,
                       .starts = starts.data()};
    result.labels = labels.data();
    return result;
  }
};

std::string sparse_error(const SparseData& data) {
  return sentence_of([&] {
    const auto source = open_sparse(data);
    read_documents(*source);
  });
}

std::string sparse_pairs_error(const SparseData& data) {
  return sentence_of([&] {
    const auto source = open_sparse_pairs(data);
    read_documents(*source);
  });
}

}  // namespace

TEST_CASE("a CSR matrix as columns of numbers") {
  const Csr csr;
  for (const bool wide : {false, true}) {
    const auto source = open_sparse(csr.data(wide));
    CHECK(source->columns()[1].name == "x2");
    const DocumentTable table = read_documents(*source);
    CHECK(table.numbers == Numbers{{0, 1.5, 0}, {2, 0, 3}, {0, 0, 0}});
    CHECK(table.labels == Labels{"4", "5", "4"});
    CHECK_FALSE(table.facts[1].counts);
    CHECK(table.facts[2].counts);
    CHECK_FALSE(table.facts[2].zero_one);
  }
}

TEST_CASE("names, weights and label names of a CSR matrix") {
  const Csr csr;
  const std::array<std::int64_t, 3> codes{1, 0, 1};
  const std::array<double, 3> weights{2, 0, 1};
  SparseData data = csr.data();
  data.names = {"a", "b", "c"};
  data.target = "y";
  data.labels = codes.data();
  data.label_names = {"no", "yes"};
  data.weights = weights.data();
  const auto source = open_sparse(data);
  CHECK(source->columns()[2].name == "c");
  CHECK(source->target() == "y");
  const DocumentTable table = read_documents(*source);
  CHECK(table.numbers == Numbers{{0, 1.5, 0}, {0, 0, 0}});
  CHECK(table.labels == Labels{"yes", "yes"});
  const auto pairs = open_sparse_pairs(data);
  CHECK(read_documents(*pairs).documents == Texts{"b:1.5 ", ""});
}

TEST_CASE("a CSR matrix as documents of pairs") {
  const Csr csr;
  const auto source = open_sparse_pairs(csr.data());
  CHECK(source->columns()[0].name == "features");
  CHECK(read_documents(*source).documents == Texts{"2:1.5 ", "1:2 3:1 3:2 ", ""});
  SparseData data = csr.data();
  data.names = {"a", "new york", "c"};
  CHECK(holds(sparse_pairs_error(data), "'new york'"));
}

TEST_CASE("a CSR matrix against a schema") {
  const Csr csr;
  const std::array<std::int64_t, 3> codes{1, 0, 1};
  SparseData data = csr.data();
  data.labels = codes.data();
  const Schema schema = number_schema({"p", "q", "r"});
  const auto source = open_sparse(data, schema);
  CHECK(source->columns()[0].name == "p");
  CHECK(read_documents(*source, &schema).labels == Labels{"1", "-1", "1"});
  CHECK(holds(sentence_of([&] { (void)open_sparse(data, number_schema({"p"})); }), "3 columns"));
  CHECK(holds(sentence_of([&] { (void)open_sparse(data, document_schema({"a"})); }), "text"));
  const auto pairs = open_sparse_pairs(data, document_schema({"-1", "1"}));
  CHECK(pairs->columns()[0].name == "text");
  CHECK(holds(sentence_of([&] { (void)open_sparse_pairs(data, schema); }), "'p' (real)"));
}

TEST_CASE("what is wrong with a CSR matrix") {
  Csr csr;
  csr.indices[0] = 3;
  CHECK(holds(sparse_error(csr.data()), "row 1: the matrix is damaged: column 3 is outside"));
  csr.indices[0] = -1;
  CHECK(holds(sparse_pairs_error(csr.data()), "column -1"));
  csr = Csr();
  csr.starts[1] = 5;
  CHECK(holds(sparse_error(csr.data()), "its row ends do not ascend"));
  csr = Csr();
  csr.values[1] = -2;
  CHECK(sparse_error(csr.data()) == "no error");
  CHECK(holds(sparse_pairs_error(csr.data()), "row 2, column 'x1': -2 is no amount"));
  csr.values[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(holds(sparse_error(csr.data()), "row 2, column 'x1': input X contains NaN"));
  SparseData data = csr.data();
  data.allow_missing = true;
  const auto source = open_sparse(data);
  CHECK(std::isnan(read_documents(*source).numbers[1][0]));
  data.features.columns = kMostDenseColumns + 1;
  CHECK(holds(sparse_error(data), "1000001 columns"));
}
