#include "plots/plane_points.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::plots {

namespace {

using draw::Point;

/// Points of one class, right and wrong.
struct ClassPoints {
  std::vector<Point> right;
  std::vector<Point> wrong;
};

double size_for(std::size_t points) {
  return points <= 300 ? 6.5 : points <= 1500 ? 5.0 : points <= 4000 ? 4.0 : 3.0;
}

void emplace(draw::Layer& layer, std::size_t k, std::vector<Point> places, double size,
             bool wrong) {
  if (places.empty()) { return; }
  layer.marks.emplace_back(draw::Symbols{
      .shape = class_shape(k),
      .size = size,
      .places = std::move(places),
      .fill = {.paint = draw::class_color(k), .opacity = wrong ? 1.0 : 0.85},
      .outline = draw::Stroke{
          .paint = wrong ? draw::Paint(draw::Color{}) : draw::Paint(draw::Color{255, 255, 255}),
          .width = wrong ? 1.4 : 0.6}});
}

}  // namespace

bool is_wrong(const PlaneRows& rows, std::size_t r) {
  const bool decided = rows.truths && rows.given && rows.rows.decisions[r] >= 0;
  return decided && rows.rows.decisions[r] != rows.classes[r];
}

std::size_t wrong_rows(const PlaneRows& rows) {
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < rows.classes.size(); ++r) { wrong += is_wrong(rows, r) ? 1U : 0U; }
  return wrong;
}

void add_point_notes(std::vector<std::string>& notes, const Plane& plane, const PlaneRows& rows) {
  if (!rows.given) { return; }
  add_left_out(notes, rows.rows.report.rows_skipped, "a value is missing");
  if (const std::size_t undecided = rows.rows.report.rows_rejected; undecided > 0) {
    notes.push_back(grouped(undecided) +
                    (undecided == 1 ? " row is decided for no class, and "
                                    : " rows are decided for no class, and ") +
                    (rows.truths  ? "counted as neither right nor wrong"
                     : plane.line ? "not drawn"
                                  : "gray"));
  }
  const std::vector<Point> all = projected(plane, rows);
  const std::size_t every = thinning(all.size());
  if (every > 1) { notes.push_back(thinning_note(all.size(), every)); }
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(
      all, [](Point p) { return !std::isfinite(p.x) || !std::isfinite(p.y); }));
  if (missing == 0) { return; }
  notes.push_back(grouped(missing) + (missing == 1 ? " row is" : " rows are") +
                  " not drawn because a value is missing on these axes");
}

std::vector<Point> draw_points(draw::Drawing& drawing, const draw::Panel& panel, const Plane& plane,
                               const PlaneRows& rows) {
  const std::vector<Point> all = projected(plane, rows);
  std::vector<ClassPoints> by_class;
  std::vector<Point> undecided;
  std::vector<Point> places;
  const std::size_t every = thinning(all.size());
  for (std::size_t r = 0; r < all.size(); r += every) {
    if (!std::isfinite(all[r].x) || !std::isfinite(all[r].y)) { continue; }
    places.push_back(panel.at(all[r].x, all[r].y));
    if (rows.classes[r] < 0) {
      undecided.push_back(places.back());
      continue;
    }
    const bool wrong = is_wrong(rows, r);
    const auto k = static_cast<std::size_t>(rows.classes[r]);
    if (k >= by_class.size()) { by_class.resize(k + 1); }
    (wrong ? by_class[k].wrong : by_class[k].right).push_back(places.back());
  }
  draw::Layer& layer = panel.layer(drawing, "points");
  const double size = size_for(places.size());
  const std::vector<std::int32_t> none(undecided.size(), kNoClass);
  draw_points(layer, undecided, none, size);
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    emplace(layer, k, std::move(by_class[k].right), size, false);
  }
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    emplace(layer, k, std::move(by_class[k].wrong), size, true);
  }
  return places;
}

}  // namespace logodds::plots
