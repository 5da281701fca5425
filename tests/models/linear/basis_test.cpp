#include "models/linear/basis.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "logodds/error.hpp"

using namespace logodds;
using namespace logodds::models::linear;
using Names = std::vector<std::string>;

namespace {

/// Numbers a and b, 0 or 1 in c, levels u, v, w in d.
Schema small_schema() {
  return {.columns = {{.name = "a", .kind = ColumnKind::real, .levels = {}},
                      {.name = "b", .kind = ColumnKind::count, .levels = {}},
                      {.name = "c", .kind = ColumnKind::binary, .levels = {}},
                      {.name = "d", .kind = ColumnKind::categorical, .levels = {"u", "v", "w"}}},
          .target = "y",
          .labels = {"0", "1"}};
}

Schema wide_schema(std::size_t columns) {
  Schema schema{.columns = {}, .target = "y", .labels = {"0", "1"}};
  for (std::size_t c = 0; c < columns; ++c) {
    schema.columns.push_back({"x" + std::to_string(c), ColumnKind::real, {}});
  }
  return schema;
}

Names names_of(const Schema& schema, OneHot one_hot, const std::string& basis) {
  const Design design(schema, one_hot);
  const Products products(schema, design, parse_basis(basis));
  Names names;
  for (std::size_t t = 0; t < products.size(); ++t) {
    names.push_back(products.name(t, design.names()));
  }
  return names;
}

std::string problem(const std::string& basis) {
  try {
    (void)parse_basis(basis);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "none";
}

}  // namespace

TEST_CASE("what --basis may say") {
  CHECK(parse_basis("none").kind == BasisKind::none);
  CHECK(parse_basis("interactions").kind == BasisKind::interactions);
  CHECK(parse_basis("polynomial:3").kind == BasisKind::polynomial);
  CHECK(parse_basis("polynomial:3").number == 3);
  CHECK(parse_basis("spline:12").kind == BasisKind::spline);
  CHECK(parse_basis("spline:12").number == 12);
  for (const auto* wrong : {"", "polynomial", "cubic", "interactions:2", "splines:2"}) {
    CHECK(problem(wrong).starts_with("is no basis; take none, interactions, polynomial:2"));
  }
  for (const auto* wrong : {"polynomial:", "polynomial:0", "polynomial:-1", "polynomial:2.5"}) {
    CHECK(problem(wrong) == "needs a number of degrees from 1 to 50 behind the colon");
  }
  CHECK(problem("spline:1001") == "needs a number of knots from 1 to 1000 behind the colon");
}

TEST_CASE("products of two columns: no square of 0 and 1, nothing that is always 0") {
  CHECK(names_of(small_schema(), OneHot::reference, "polynomial:2") ==
        Names{"a^2", "a x b", "a x c", "a x d=v", "a x d=w", "b^2", "b x c", "b x d=v", "b x d=w",
              "c x d=v", "c x d=w"});
  CHECK(names_of(small_schema(), OneHot::reference, "interactions") ==
        Names{"a x b", "a x c", "a x d=v", "a x d=w", "b x c", "b x d=v", "b x d=w", "c x d=v",
              "c x d=w"});
  CHECK(names_of(small_schema(), OneHot::full, "interactions").size() == 12);
  CHECK(names_of(small_schema(), OneHot::full, "polynomial:1").empty());
}

TEST_CASE("all monomials of a degree are there, once") {
  // Of p columns there are (p + D over D) - 1 monomials up to degree D, p of degree 1.
  CHECK(names_of(wide_schema(4), OneHot::full, "polynomial:3").size() == 35 - 1 - 4);
  CHECK(names_of(wide_schema(2), OneHot::full, "polynomial:3") ==
        Names{"x0^2", "x0 x x1", "x1^2", "x0^3", "x0^2 x x1", "x0 x x1^2", "x1^3"});
  CHECK(names_of(wide_schema(1), OneHot::full, "polynomial:10").size() == 9);
}

TEST_CASE("products have the values that their names say") {
  const Schema schema = wide_schema(3);
  const Design design(schema, OneHot::full);
  const Products products(schema, design, parse_basis("polynomial:4"));
  const std::vector<double> row{2, 3, 5};
  std::vector<double> out(products.size());
  products.fill(row.data(), out.data());
  for (std::size_t t = 0; t < products.size(); ++t) {
    double expected = 1.0;
    for (const std::size_t member : products.members(t)) { expected *= row[member]; }
    CHECK(out[t] == expected);
  }
  CHECK(products.size() == 35 - 1 - 3);
}

TEST_CASE("more than 100000 features are refused") {
  const auto sentence = [](std::size_t columns, const std::string& basis) -> std::string {
    try {
      (void)names_of(wide_schema(columns), OneHot::full, basis);
    } catch (const Error& error) { return error.what(); }
    return "none";
  };
  CHECK(sentence(500, "polynomial:2") ==
        "--basis polynomial:2 makes more than 100000 features of 500 columns; leave columns out "
        "with --ignore");
  CHECK(sentence(30, "polynomial:50").find("take a lower degree") != std::string::npos);
  CHECK(sentence(500, "interactions").find("--basis interactions makes") != std::string::npos);
  CHECK(sentence(400, "interactions") == "none");
}
