#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/modelfile/container.hpp"

TEST_CASE("container: a file in pieces has the bytes of the whole") {
  logodds::modelfile::Writer writer;
  writer.metadata("family", "none");
  writer.tensor("a", std::vector<double>{1.0, 2.0}, {2});
  writer.tensor("b", std::vector<std::int32_t>{}, {0});
  writer.tensor("c", "text");
  std::string together;
  std::size_t pieces = 0;
  writer.write([&](std::string_view piece) {
    together += piece;
    ++pieces;
  });
  CHECK(pieces == 4);
  CHECK(together == writer.bytes());
  CHECK(logodds::modelfile::Reader(together, "model").byte_string("c") == "text");
}
