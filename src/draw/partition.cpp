#include "draw/partition.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "draw/chains.hpp"
#include "draw/edge_search.hpp"
#include "draw/junction.hpp"
#include "logodds/draw/simplify.hpp"

namespace logodds::draw {

namespace {

constexpr double kStraight = 1e-11;  // a point so near to the line of its neighbors says nothing

/// Counterclockwise.
using Triangle = std::array<std::uint32_t, 3>;

/// A piece of the border of `label`, which lies to its left; `other`: what lies to its right, -1
/// outside of the square.
struct Piece {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int32_t label = 0;
  std::int32_t other = -1;
};

/// A part of a triangle's rim with one label: a place in it, and the point where it ends, walking
/// counterclockwise.
struct Run {
  std::int32_t label = 0;
  Point place;
  std::uint32_t end = 0;
};

/// Runs that meet in one point, which is yet to be found.
struct Meeting {
  std::vector<Run> runs;
};

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32U) | std::max(a, b);
}

Point middle(Point a, Point b) { return {(a.x + b.x) / 2.0, (a.y + b.y) / 2.0}; }

class Tracer {
 public:
  Tracer(const Labeling& labeling, std::size_t columns, std::size_t rows)
      : labeling_(labeling), columns_(columns), rows_(rows) {}

  Partition trace(std::size_t labels) {
    make_grid();
    Partition result{
        .lines = {}, .regions = {}, .grid = labels_, .columns = columns_, .rows = rows_};
    const std::vector<Triangle> triangles = grid_triangles();
    find_crossings(triangles);
    for (const Triangle& triangle : triangles) { add_pieces(triangle); }
    join_meetings();
    result.regions.resize(labels);
    collect(result);
    return result;
  }

 private:
  /// Where the label changes on an edge, from its smaller corner on.
  struct Crossing {
    std::uint32_t point = 0;
    std::int32_t before = 0;
    std::int32_t after = 0;
  };

  [[nodiscard]] std::uint32_t grid_point(std::size_t c, std::size_t r) const {
    return static_cast<std::uint32_t>(r * (columns_ + 1) + c);
  }

  void make_grid() {
    std::vector<Sample> samples;
    for (std::size_t r = 0; r <= rows_; ++r) {
      for (std::size_t c = 0; c <= columns_; ++c) {
        points_.push_back({static_cast<double>(c) / static_cast<double>(columns_),
                           static_cast<double>(r) / static_cast<double>(rows_)});
        samples.push_back({.at = points_.back()});
      }
    }
    labeling_(samples);
    for (const Sample& sample : samples) { labels_.push_back(sample.label); }
  }

  /// Two to a cell, the diagonal this way and that by turns.
  [[nodiscard]] std::vector<Triangle> grid_triangles() const {
    std::vector<Triangle> all;
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        const std::array<std::uint32_t, 4> q = {grid_point(c, r), grid_point(c + 1, r),
                                                grid_point(c + 1, r + 1), grid_point(c, r + 1)};
        if ((r + c) % 2 == 0) {
          all.push_back({q[0], q[1], q[2]});
          all.push_back({q[0], q[2], q[3]});
        } else {
          all.push_back({q[0], q[1], q[3]});
          all.push_back({q[1], q[2], q[3]});
        }
      }
    }
    return all;
  }

  void find_crossings(const std::vector<Triangle>& triangles) {
    std::vector<Edge> edges;
    std::vector<std::uint64_t> keys;
    for (const Triangle& triangle : triangles) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint64_t key = key_of(triangle[i], triangle[(i + 1) % 3]);
        const auto a = static_cast<std::uint32_t>(key >> 32U);
        const auto b = static_cast<std::uint32_t>(key);
        if (labels_[a] == labels_[b] || !crossings_.try_emplace(key).second) { continue; }
        edges.push_back({points_[a], points_[b], labels_[a], labels_[b]});
        keys.push_back(key);
      }
    }
    const auto changes = find_changes(labeling_, edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      std::vector<Crossing>& crossings = crossings_[keys[i]];
      for (const Change& change : changes[i]) {
        crossings.push_back({add_point(along(edges[i], change.at)), change.before, change.after});
      }
    }
  }

  std::uint32_t add_point(Point point) {
    points_.push_back(point);
    return static_cast<std::uint32_t>(points_.size() - 1);
  }

  /// The crossings on the way from a to b.
  [[nodiscard]] std::vector<Crossing> crossings_from(std::uint32_t a, std::uint32_t b) const {
    const auto found = crossings_.find(key_of(a, b));
    if (found == crossings_.end()) { return {}; }
    std::vector<Crossing> all = found->second;
    if (a > b) {
      std::ranges::reverse(all);
      for (Crossing& crossing : all) { std::swap(crossing.before, crossing.after); }
    }
    return all;
  }

  void add_pieces(const Triangle& corners) {
    std::vector<Run> runs;
    Point last{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = corners[i];
      const std::uint32_t to = corners[(i + 1) % 3];
      const std::vector<Crossing> crossings = crossings_from(from, to);
      add_outside(from, to, crossings);
      last = points_[from];
      for (std::size_t c = 0; c < crossings.size(); ++c) {
        const Point end = points_[crossings[c].point];
        runs.push_back(
            {crossings[c].before, c == 0 ? last : middle(last, end), crossings[c].point});
        last = end;
      }
    }
    connect(std::move(runs));
  }

  /// What an edge on the rim of the square adds to the outlines.
  void add_outside(std::uint32_t a, std::uint32_t b, const std::vector<Crossing>& crossings) {
    const Point from = points_[a];
    const Point to = points_[b];
    const bool rim = (from.x == to.x && (from.x == 0.0 || from.x == 1.0)) ||
                     (from.y == to.y && (from.y == 0.0 || from.y == 1.0));
    if (!rim) { return; }
    std::uint32_t at = a;
    for (const Crossing& crossing : crossings) {
      pieces_.push_back({at, crossing.point, crossing.before});
      at = crossing.point;
    }
    pieces_.push_back({at, b, labels_[b]});
  }

  /// Cuts off, one by one, the runs whose neighbors have one label; what is left meets in a point.
  void connect(std::vector<Run> runs) {
    for (std::size_t i = 0; i < runs.size() && runs.size() > 1;) {
      const std::size_t before = (i + runs.size() - 1) % runs.size();
      const std::size_t after = (i + 1) % runs.size();
      if (runs[before].label != runs[after].label) {
        ++i;
        continue;
      }
      const std::uint32_t begin = runs[before].end;
      const std::uint32_t end = runs[i].end;
      pieces_.push_back({end, begin, runs[i].label, runs[before].label});
      pieces_.push_back({begin, end, runs[before].label, runs[i].label});
      if (runs.size() == 2) { return; }
      runs[before].end = runs[after].end;
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(std::max(i, after)));
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(std::min(i, after)));
      i = 0;
    }
    if (runs.size() > 2) { meetings_.push_back({std::move(runs)}); }
  }

  void join_meetings() {
    std::vector<Junction> junctions;
    for (const Meeting& meeting : meetings_) {
      Junction junction;
      for (std::size_t i = 0; i < 3; ++i) {
        junction.corners[i] = meeting.runs[i].place;
        junction.labels[i] = meeting.runs[i].label;
      }
      junctions.push_back(junction);
    }
    find_meetings(labeling_, junctions);
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      const std::uint32_t point = add_point(junctions[j].at);
      const std::vector<Run>& runs = meetings_[j].runs;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::int32_t next = runs[(i + 1) % runs.size()].label;
        pieces_.push_back({runs[i].end, point, runs[i].label, next});
        pieces_.push_back({point, runs[i].end, next, runs[i].label});
      }
    }
  }

  [[nodiscard]] std::vector<std::vector<Point>> lines_of(const std::vector<Link>& links) const {
    std::vector<std::vector<Point>> result;
    for (const auto& chain : chains(links)) {
      std::vector<Point> line;
      for (const std::uint32_t point : chain) { line.push_back(points_[point]); }
      result.push_back(simplified(line, kStraight));
    }
    return result;
  }

  void collect(Partition& result) const {
    std::vector<Piece> sorted = pieces_;
    std::ranges::stable_sort(sorted, {},
                             [](const Piece& p) { return std::pair(p.label, p.other); });
    std::vector<Link> outline;
    std::vector<Link> line;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const Piece& piece = sorted[i];
      outline.emplace_back(piece.from, piece.to);
      line.emplace_back(piece.from, piece.to);
      const bool last_of_label = i + 1 == sorted.size() || sorted[i + 1].label != piece.label;
      if (last_of_label || sorted[i + 1].other != piece.other) {
        if (piece.label < piece.other) {
          for (auto& points : lines_of(line)) {
            result.lines.push_back({piece.label, piece.other, std::move(points)});
          }
        }
        line.clear();
      }
      if (last_of_label) {
        result.regions[static_cast<std::size_t>(piece.label)] = lines_of(outline);
        outline.clear();
      }
    }
  }

  const Labeling& labeling_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<Point> points_;
  std::vector<std::int32_t> labels_;  ///< of the grid's points, which come first
  std::unordered_map<std::uint64_t, std::vector<Crossing>> crossings_;
  std::vector<Meeting> meetings_;
  std::vector<Piece> pieces_;
};

}  // namespace

Partition partition(const Labeling& labeling, std::size_t labels, std::size_t columns,
                    std::size_t rows) {
  return Tracer(labeling, columns, rows).trace(labels);
}

Intervals intervals(const Labeling& labeling, std::size_t cells) {
  std::vector<Sample> samples(cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) {
    samples[i].at.x = static_cast<double>(i) / static_cast<double>(cells);
  }
  labeling(samples);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < cells; ++i) {
    if (samples[i].label == samples[i + 1].label) { continue; }
    edges.push_back({samples[i].at, samples[i + 1].at, samples[i].label, samples[i + 1].label});
  }
  Intervals result{.first = samples.front().label, .changes = {}};
  const auto changes = find_changes(labeling, edges);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const Change& change : changes[i]) {
      result.changes.push_back({along(edges[i], change.at).x, change.before, change.after});
    }
  }
  return result;
}

}  // namespace logodds::draw
