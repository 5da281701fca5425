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

void name_regions(draw::Drawing& drawing, const draw::Panel& panel, const draw::Partition& regions,
                  const std::vector<std::string>& names, std::span<const Point> points) {
  constexpr double kWidest = 160.0;
  constexpr double kSize = 13.0;
  constexpr std::size_t kEvery = 3;  // points of the grid that are looked at, in each direction
  constexpr std::size_t kMostCompared = 1500;
  struct Place {
    Point at;
    std::int32_t label;
  };
  std::vector<Place> places;
  for (std::size_t r = 0; r <= regions.rows; r += kEvery) {
    for (std::size_t c = 0; c <= regions.columns; c += kEvery) {
      places.push_back({{panel.area().x + panel.area().width * static_cast<double>(c) /
                                              static_cast<double>(regions.columns),
                         panel.area().bottom() - panel.area().height * static_cast<double>(r) /
                                                     static_cast<double>(regions.rows)},
                        regions.grid[r * (regions.columns + 1) + c]});
    }
  }
  const std::size_t every = thinning(points.size(), kMostCompared);
  draw::Layer& layer = panel.layer(drawing, "names");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = cut(names[k], kWidest, kSize);
    const double half = draw::text_width(name, kSize) / 2.0;
    double best = 0.0;
    Point at;
    for (const Place& place : places) {
      if (place.label != static_cast<std::int32_t>(k)) { continue; }
      // Room to the edges, to other regions and to points, in a space where texts are round.
      const auto room_to = [&](Point other) {
        return std::max(std::abs(other.x - place.at.x) - half, 0.0) +
               std::abs(other.y - place.at.y) * 1.5;
      };
      double room =
          std::min({place.at.x - panel.area().x - half, panel.area().right() - place.at.x - half,
                    place.at.y - panel.area().y, panel.area().bottom() - place.at.y});
      for (const Place& other : places) {
        if (room <= best) { break; }
        if (other.label != place.label) { room = std::min(room, room_to(other.at)); }
      }
      for (std::size_t i = 0; i < points.size() && room > best; i += every) {
        room = std::min(room, 8.0 + room_to(points[i]));
      }
      if (room > best) {
        best = room;
        at = place.at;
      }
    }
    if (best < kSize * 0.6) { continue; }
    layer.marks.emplace_back(draw::Text{.at = at,
                                        .text = name,
                                        .size = kSize,
                                        .align = draw::Align::middle,
                                        .baseline = draw::Baseline::middle,
                                        .bold = true,
                                        .paint = name_color(k),
                                        .halo = true});
  }
}

}  // namespace logodds::plots
