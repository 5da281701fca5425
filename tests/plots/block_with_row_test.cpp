#include "plots/block_with_row.hpp"

#include <doctest/doctest.h>

#include "plots/plane_support.hpp"

using namespace logodds;
using test::made_sample;
using test::Sample;

TEST_CASE("of a source the block with a row, and no other") {
  const Sample sample = made_sample(2500, 2, 2, 3);
  for (const std::size_t row :
       {std::size_t{0}, std::size_t{1023}, std::size_t{1024}, std::size_t{2499}}) {
    plots::BlockWithRow source(open_matrix(sample.data()), row);
    RowBuffer buffer;
    REQUIRE(source.take(buffer));
    source.parse(buffer);
    const RowBlock block = buffer.view();
    REQUIRE(source.row_in_block() < block.rows);
    CHECK(block.numeric[source.row_in_block() * block.numeric_stride] == sample.at(row, 0));
    CHECK(buffer.ordinal == 0);
    CHECK_FALSE(source.take(buffer));
  }
}

TEST_CASE("a row that is not there: the rows are counted") {
  const Sample sample = made_sample(1500, 2, 2, 3);
  plots::BlockWithRow source(open_matrix(sample.data()), 1500);
  RowBuffer buffer;
  CHECK_FALSE(source.take(buffer));
  CHECK(source.rows_read() == 1500);
}
