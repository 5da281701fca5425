#include "plots/level_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/draw/simplify.hpp"

namespace logodds::plots {

namespace {

constexpr double kUnseenHere = 0.04;  // page units: what is left out of lines as they are drawn
constexpr double kNameSize = 10.5;

using draw::Point;

double length_of(const std::vector<Point>& line) {
  double sum = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    sum += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  return sum;
}

/// Points every few units along a line.
std::vector<Point> walked(const std::vector<Point>& line) {
  constexpr double kStep = 6.0;
  std::vector<Point> places;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point a = line[i - 1];
    const Point b = line[i];
    const auto steps = static_cast<std::size_t>(std::hypot(b.x - a.x, b.y - a.y) / kStep) + 1;
    for (std::size_t s = 0; s < steps; ++s) {
      const double t = static_cast<double>(s) / static_cast<double>(steps);
      places.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  return places;
}

}  // namespace

std::vector<LevelLine> level_lines(const Field& field, const std::vector<double>& levels,
                                   std::size_t columns, std::size_t rows) {
  // Labels count the levels that a value reaches, so lines are borders of neighboring labels.
  const draw::Labeling labeling = [&](std::span<draw::Sample> samples) {
    std::vector<Point> places;
    places.reserve(samples.size());
    for (const draw::Sample& sample : samples) { places.push_back(sample.at); }
    std::vector<double> values(samples.size());
    field(places, values);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      draw::Sample& sample = samples[i];
      const auto reached =
          std::isnan(values[i]) ? levels.begin() : std::ranges::upper_bound(levels, values[i]);
      sample.label = static_cast<std::int32_t>(reached - levels.begin());
      const bool neighbors = sample.first >= 0 && std::abs(sample.first - sample.second) == 1;
      const double above =
          neighbors
              ? values[i] - levels[static_cast<std::size_t>(std::min(sample.first, sample.second))]
              : std::numeric_limits<double>::quiet_NaN();
      sample.margin = sample.first > sample.second ? above : -above;
    }
  };
  std::vector<LevelLine> lines;
  for (draw::BorderLine& border :
       draw::partition(labeling, levels.size() + 1, columns, rows).lines) {
    for (std::int32_t level = border.first; level < border.second; ++level) {
      lines.push_back({static_cast<std::size_t>(level), border.points});
    }
  }
  return lines;
}

std::vector<Point> square_on_page(const draw::Panel& panel, const std::vector<Point>& line) {
  const draw::Rect& area = panel.area();
  std::vector<Point> points;
  points.reserve(line.size());
  for (const Point p : line) {
    points.push_back({area.x + p.x * area.width, area.bottom() - p.y * area.height});
  }
  return draw::simplified(points, kUnseenHere);
}

void name_lines(draw::Layer& layer, const draw::Panel& panel, const std::vector<LevelLine>& lines,
                const std::vector<std::string>& names) {
  std::vector<Point> taken;
  for (std::size_t level = 0; level < names.size(); ++level) {
    std::vector<Point> longest;
    double length = 3.0 * draw::text_width(names[level], kNameSize);
    for (const LevelLine& line : lines) {
      if (line.level != level) { continue; }
      std::vector<Point> points = square_on_page(panel, line.points);
      if (const double own = length_of(points); own > length) {
        length = own;
        longest = std::move(points);
      }
    }
    double most = 1.2 * kNameSize;  // at least so far from other names
    const Point* best = nullptr;
    const std::vector<Point> places = walked(longest);
    const draw::Rect inner = panel.area().inset(16.0);
    for (const Point& place : places) {
      double room = std::min({place.x - inner.x, inner.right() - place.x, place.y - inner.y,
                              inner.bottom() - place.y, 80.0});
      for (const Point other : taken) {
        room = std::min(room, std::hypot(place.x - other.x, 2.0 * (place.y - other.y)));
      }
      if (room > most) {
        most = room;
        best = &place;
      }
    }
    if (best == nullptr) { continue; }
    taken.push_back(*best);
    layer.marks.emplace_back(draw::Text{.at = *best,
                                        .text = names[level],
                                        .size = kNameSize,
                                        .align = draw::Align::middle,
                                        .baseline = draw::Baseline::middle,
                                        .halo = true});
  }
}

}  // namespace logodds::plots
