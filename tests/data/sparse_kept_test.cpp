// Sparse rows that stay sparse: svmlight files and CSR matrices after keep_sparse().
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "data/svmlight_source.hpp"
#include "document_table.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/stats/training_rows.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Pair {
  std::uint32_t column;
  double value;
  friend bool operator==(const Pair&, const Pair&) = default;
};
using Rows = std::vector<std::vector<Pair>>;

Rows rows_of(const RowBlock& block) {
  Rows rows(block.rows);
  for (std::size_t r = 0; r < block.rows; ++r) {
    for (std::size_t i = block.sparse.starts[r]; i < block.sparse.starts[r + 1]; ++i) {
      rows[r].push_back({block.sparse.indices[i], block.sparse.values[i]});
    }
  }
  return rows;
}

Rows first_block(BlockSource& source) {
  REQUIRE(source.keep_sparse());
  RowBuffer buffer;
  REQUIRE(source.take(buffer));
  source.parse(buffer);
  const RowBlock block = buffer.view();
  REQUIRE(block.is_sparse());
  CHECK(block.numeric == nullptr);
  CHECK(block.numeric_columns == source.columns().size());
  return rows_of(block);
}

/// A CSR matrix that is in no order: 3 columns, 3 rows.
struct Csr {
  std::vector<double> values{1.5, 2, 1, 0, 2, -2, 1};
  std::vector<std::int32_t> indices{1, 2, 0, 1, 2, 1, 0};
  std::vector<std::int64_t> starts{0, 1, 5, 7};
  std::vector<std::int64_t> labels{4, 5, 4};

  [[nodiscard]] SparseData data() const {
    SparseData result;
    result.features = {.rows = labels.size(),
                       .columns = 3,
                       .values = values.data(),
                       .indices = indices.data(),
                       .starts = starts.data()};
    result.labels = labels.data();
    return result;
  }
};

Accumulated<SparseTrainingRows> training_rows(BlockSource& source, bool takes_missing = false) {
  return accumulate(source, SparseTrainingRows{}, takes_missing, MissingRows::use, Context{});
}

}  // namespace

TEST_CASE("svmlight rows that stay sparse have no zeros") {
  const auto source = open_svmlight_bytes("a 1:0.5 2:0 4:2\n# nothing\nb 3:1\na\n", "t.svm");
  CHECK(first_block(*source) == Rows{{{0, .5}, {3, 2}}, {{2, 1}}, {}});
}

TEST_CASE("CSR rows that stay sparse are sorted, each column once, without zeros") {
  const Csr csr;
  const auto source = open_sparse(csr.data());
  CHECK(first_block(*source) == Rows{{{1, 1.5}}, {{0, 1}, {2, 4}}, {{0, 1}, {1, -2}}});
}

TEST_CASE("duplicates that cancel leave nothing") {
  Csr csr;
  csr.values[4] = -2;
  const auto source = open_sparse(csr.data());
  CHECK(first_block(*source)[1] == std::vector<Pair>{{0, 1}});
}

TEST_CASE("sparse rows may have millions of columns, dense ones may not") {
  const auto source = open_svmlight_bytes("a 1:1\nb 3000000:2\n", "t.svm");
  CHECK(first_block(*source) == Rows{{{0, 1}}});  // claimed when it was not known to stay sparse
  CHECK(source->columns().back().name == "x3000000");
  const auto too_many = open_svmlight_bytes("a 2147483649:1\nb 1:2\n", "t.svm");
  CHECK(holds(sentence_of([&] { too_many->keep_sparse(); }), "2147483649 columns are more than"));
}

TEST_CASE("rows of weight 0 and incomplete rows are dropped from sparse blocks") {
  Csr csr;
  csr.values[0] = kNan;
  const std::array<double, 3> weights{1, 0, 3};
  SparseData data = csr.data();
  data.weights = weights.data();
  data.allow_missing = true;
  const auto source = open_sparse(data);
  CHECK(source->keep_sparse());
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.rows == 2);
  CHECK(rows_of(buffer.view())[1] == Rows::value_type{{0, 1}, {1, -2}});
  const auto flags = buffer.incomplete_rows();
  REQUIRE(flags == std::vector<std::uint8_t>{1, 0});
  RowBuffer filled = buffer;
  filled.fill_missing(flags);
  CHECK(rows_of(filled.view())[0] == Rows::value_type{{1, 0.0}});
  buffer.drop_rows(flags);
  CHECK(rows_of(buffer.view()) == Rows{{{0, 1}, {1, -2}}});
  CHECK(buffer.row_number(0) == 2);
}

TEST_CASE("the schema of sparse rows: unmentioned values are 0") {
  const auto source = open_svmlight_bytes("a 1:1 2:3 3:.5\nb 2:1 3:1 4:-1\n", "t.svm");
  const auto found = training_rows(*source);
  REQUIRE(found.schema.columns.size() == 4);
  CHECK(found.schema.columns[0].kind == ColumnKind::binary);
  CHECK(found.schema.columns[1].kind == ColumnKind::count);
  CHECK(found.schema.columns[2].kind == ColumnKind::real);
  CHECK(found.schema.columns[3].kind == ColumnKind::real);
}

TEST_CASE("training rows stay sparse, in the order of the file") {
  std::string text;
  for (int r = 0; r < 5000; ++r) {
    text += r % 2 == 0 ? "b" : "a";
    if (r % 3 != 0) { text += " " + std::to_string(1 + r % 700) + ":" + std::to_string(r); }
    text += "\n";
  }
  const auto source = open_svmlight_bytes(text, "t.svm");
  const auto found = training_rows(*source);
  const RowBlock all = found.statistics.view();
  REQUIRE(all.is_sparse());
  CHECK(all.numeric_columns == 700);
  const Rows rows = rows_of(all);
  REQUIRE(rows.size() == 5000);
  for (std::uint32_t r = 0; r < 5000; ++r) {
    REQUIRE(rows[r].size() == (r % 3 != 0 ? 1 : 0));
    REQUIRE(all.labels[r] == (r % 2 == 0 ? 1 : 0));
    if (r % 3 != 0) { REQUIRE(rows[r][0] == Pair{r % 700, static_cast<double>(r)}); }
  }
  CHECK(found.statistics.doubles() == all.sparse.starts[5000]);
}

TEST_CASE("incomplete sparse rows are left out, or named") {
  Csr csr;
  csr.values[5] = kNan;
  SparseData data = csr.data();
  data.allow_missing = true;
  const auto source = open_sparse(data);
  const auto found = training_rows(*source);
  CHECK(found.report.rows == 2);
  CHECK(found.report.rows_skipped == 1);
  CHECK(found.statistics.rows() == 2);
  const auto again = open_sparse(data);
  CHECK(holds(sentence_of([&] {
                (void)accumulate(*again, SparseTrainingRows{}, false, MissingRows::error,
                                 Context{});
              }),
              "row 3, column 'x2': the value is missing"));
}

TEST_CASE("a statistic that does not take sparse rows is given dense ones") {
  const Csr csr;
  const auto source = open_sparse(csr.data());
  const auto found = accumulate(*source, TrainingRows{}, false, MissingRows::use, Context{});
  const RowBlock all = found.statistics.view();
  CHECK_FALSE(all.is_sparse());
  CHECK(all.numeric[1 * all.numeric_stride + 2] == 4);
}
