#include "plots/region_names.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plots/class_marks.hpp"
#include "plots/support.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

constexpr double kWidest = 160.0;
constexpr double kSize = 13.0;

/// A place of the grid, on the page, with the region that it is in.
struct Place {
  Point at;
  std::int32_t label;
};

std::vector<Place> places_of(const draw::Partition& regions, const draw::Rect& area) {
  constexpr std::size_t kEvery = 3;  // points of the grid that are looked at, in each direction
  std::vector<Place> places;
  for (std::size_t r = 0; r <= regions.rows; r += kEvery) {
    for (std::size_t c = 0; c <= regions.columns; c += kEvery) {
      const Point at{
          area.x + area.width * static_cast<double>(c) / static_cast<double>(regions.columns),
          area.bottom() - area.height * static_cast<double>(r) / static_cast<double>(regions.rows)};
      places.push_back({at, regions.grid[r * (regions.columns + 1) + c]});
    }
  }
  return places;
}

/// Looks for the place with the most room.
class NamePlace {
 public:
  NamePlace(const draw::Rect& area, const std::vector<Place>& places, std::span<const Point> points)
      : area_(area), places_(places), points_(points), every_(thinning(points.size(), 1500)) {}

  /// Nothing where there is no room for a text of twice this width.
  [[nodiscard]] std::optional<Point> find(std::int32_t label, double half) const {
    double best = kSize * 0.6;
    std::optional<Point> at;
    for (const Place& place : places_) {
      if (place.label != label) { continue; }
      const double room = room_at(place, half, best);
      if (room > best) {
        best = room;
        at = place.at;
      }
    }
    return at;
  }

 private:
  /// Room to the edges, to other regions and to points, in a space where texts are round; some
  /// number below `enough` where there is less than that.
  [[nodiscard]] double room_at(const Place& place, double half, double enough) const {
    const auto room_to = [&](Point other) {
      return std::max(std::abs(other.x - place.at.x) - half, 0.0) +
             std::abs(other.y - place.at.y) * 1.5;
    };
    double room = std::min({place.at.x - area_.x - half, area_.right() - place.at.x - half,
                            place.at.y - area_.y, area_.bottom() - place.at.y});
    for (const Place& other : places_) {
      if (room <= enough) { break; }
      if (other.label != place.label) { room = std::min(room, room_to(other.at)); }
    }
    for (std::size_t i = 0; i < points_.size() && room > enough; i += every_) {
      room = std::min(room, 8.0 + room_to(points_[i]));
    }
    return room;
  }

  const draw::Rect& area_;
  const std::vector<Place>& places_;
  std::span<const Point> points_;
  std::size_t every_;
};

}  // namespace

void name_regions(draw::Drawing& drawing, const draw::Panel& panel, const draw::Partition& regions,
                  const std::vector<std::string>& names, std::span<const Point> points) {
  const std::vector<Place> places = places_of(regions, panel.area());
  const NamePlace search(panel.area(), places, points);
  draw::Layer& layer = panel.layer(drawing, "names");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = cut(names[k], kWidest, kSize);
    const auto at = search.find(static_cast<std::int32_t>(k), draw::text_width(name, kSize) / 2.0);
    if (!at) { continue; }
    layer.marks.emplace_back(draw::Text{.at = *at,
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
