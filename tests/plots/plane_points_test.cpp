#include "plots/plane_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace logodds;

namespace {

/// Three rows at (1, 1), (2, 2), (3, 3), of which the second is not decided.
plots::PlaneRows three_rows() {
  plots::PlaneRows rows;
  rows.rows.rows = 3;
  rows.rows.numbers = {1, 1, 2, 2, 3, 3};
  rows.rows.decisions = {0, -1, 1};
  rows.rows.report.rows_rejected = 1;
  rows.classes = rows.rows.decisions;
  rows.given = true;
  return rows;
}

plots::Plane unit_plane() {
  plots::Plane plane;
  plane.x = plane.y = {0.0, 4.0};
  plane.origin = {0.0, 0.0};
  plane.x_step = plane.x_weights = {1.0, 0.0};
  plane.y_step = plane.y_weights = {0.0, 1.0};
  return plane;
}

}  // namespace

TEST_CASE("rows without a decision have no class's color, and are not counted as one") {
  draw::Drawing drawing{.width = 400.0, .height = 400.0};
  const draw::Panel panel({0.0, 0.0, 400.0, 400.0}, {0.0, 4.0}, {0.0, 4.0}, {}, {});
  plots::draw_points(drawing, panel, unit_plane(), three_rows());
  std::size_t gray = 0;
  std::size_t first = 0;
  for (const draw::Layer& layer : drawing.layers) {
    for (const draw::Mark& mark : layer.marks) {
      const auto* const symbols = std::get_if<draw::Symbols>(&mark);
      if (symbols == nullptr) { continue; }
      const bool is_gray = symbols->fill.paint == draw::Paint(draw::Role::muted);
      (is_gray ? gray : first) += symbols->places.size();
      if (symbols->fill.paint == draw::Paint(draw::class_color(0))) {
        CHECK(symbols->places.size() == 1);
      }
    }
  }
  CHECK(gray == 1);
  CHECK(first == 2);
}

TEST_CASE("notes say what becomes of rows without a decision") {
  std::vector<std::string> notes;
  plots::PlaneRows rows = three_rows();
  plots::add_point_notes(notes, unit_plane(), rows);
  rows.classes = {0, 1, 0};
  rows.truths = true;
  plots::add_point_notes(notes, unit_plane(), rows);
  CHECK(notes == std::vector<std::string>{"1 row is decided for no class, and gray",
                                          "1 row is decided for no class, and counted as neither "
                                          "right nor wrong"});
  CHECK(plots::wrong_rows(rows) == 1);
}
