#include "plots/region_marks.hpp"

#include <algorithm>
#include <map>

#include "plots/level_lines.hpp"
#include "plots/plane_points.hpp"

namespace logodds::plots {

namespace {

constexpr double kCell = 4.0;  // page units to a cell of the grid

}  // namespace

std::size_t grid_cells(double length) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(length / kCell), 8, 400);
}

draw::Partition cut_regions(const PlaneModel& model, const draw::Rect& room) {
  return draw::partition(model.decisions(), model.label_count(), grid_cells(room.width),
                         grid_cells(room.height));
}

void draw_region_fill(draw::Drawing& drawing, const draw::Panel& panel,
                      const draw::Partition& regions, double share) {
  draw::Layer& layer = panel.layer(drawing, "regions");
  for (std::size_t k = 0; k + 1 < regions.regions.size(); ++k) {  // the last: no decision
    if (regions.regions[k].empty()) { continue; }
    draw::Path path{.lines = {},
                    .closed = true,
                    .fill = draw::Fill{.paint = draw::tint(draw::class_color(k), share)}};
    for (const auto& outline : regions.regions[k]) {
      path.lines.push_back(square_on_page(panel, outline));
    }
    layer.marks.emplace_back(std::move(path));
  }
}

void draw_region_lines(draw::Drawing& drawing, const draw::Panel& panel,
                       const draw::Partition& regions, const PlaneModel& model,
                       const std::vector<std::string>& labels) {
  std::map<std::pair<std::int32_t, std::int32_t>, draw::Path> by_pair;
  for (const draw::BorderLine& line : regions.lines) {
    by_pair[{line.first, line.second}].lines.push_back(square_on_page(panel, line.points));
  }
  draw::Layer& layer = panel.layer(drawing, "boundaries");
  for (auto& [pair, path] : by_pair) {
    const auto first = static_cast<std::size_t>(pair.first);
    const auto second = static_cast<std::size_t>(pair.second);
    const bool decided = second < labels.size();
    path.stroke = draw::Stroke{.paint = draw::Color{0x33, 0x33, 0x33}, .width = 1.4};
    if (decided) {
      path.tip = labels[first] + " | " + labels[second];
      if (model.conics()) { path.tip += ": " + model.conics()->kind(first, second); }
    }
    layer.marks.emplace_back(std::move(path));
  }
}

void add_line_array(Plot& plot, const std::string& name, std::size_t number,
                    const std::vector<draw::Point>& line, const Plane& plane) {
  NamedArray array{
      number == 1 ? name : name + " (" + std::to_string(number) + ")", {line.size(), 2}, {}};
  for (const draw::Point share : line) {
    const draw::Point value = plane.value(share);
    array.values.insert(array.values.end(), {value.x, value.y});
  }
  plot.arrays.push_back(std::move(array));
}

void add_boundary_arrays(Plot& plot, const draw::Partition& regions, const Plane& plane,
                         const std::vector<std::string>& labels) {
  std::map<std::string, std::size_t> seen;
  for (const draw::BorderLine& line : regions.lines) {
    const auto second = static_cast<std::size_t>(line.second);
    const std::string pair = "boundary " + labels[static_cast<std::size_t>(line.first)] + "|" +
                             (second < labels.size() ? labels[second] : "(no decision)");
    add_line_array(plot, pair, ++seen[pair], line.points, plane);
  }
}

std::vector<bool> present_classes(const PlaneRows& rows, const Classifier& model) {
  std::vector<bool> seen(model.labels().size(), false);
  for (const std::int32_t k : rows.classes) {
    if (k >= 0 && rows.given) { seen[static_cast<std::size_t>(k)] = true; }
  }
  return seen;
}

draw::Rect draw_keys_of(draw::Drawing& drawing, const std::vector<std::string>& labels,
                        const draw::Partition& regions, const std::vector<bool>& present,
                        const draw::Rect& room) {
  std::vector<std::size_t> cells_of(labels.size() + 1, 0);
  for (const std::int32_t label : regions.grid) { ++cells_of[static_cast<std::size_t>(label)]; }
  std::vector<std::size_t> small;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    constexpr double kRoomy = 0.015;  // of the panel: a name fits
    const auto share = static_cast<double>(cells_of[k]) / static_cast<double>(regions.grid.size());
    if (share > kRoomy || (cells_of[k] == 0 && !present[k])) { continue; }
    small.push_back(k);
  }
  const auto keys = class_keys(small, [&](std::size_t k) { return cut(labels[k], 150.0); });
  return keys.empty() ? room : draw::draw_keys(drawing, keys, room);
}

std::vector<std::string> plane_notes(const Plane& plane, const PlaneModel& model,
                                     const PlaneRows& rows) {
  std::vector<std::string> notes;
  if (!plane.others.empty()) {
    notes.push_back("Drawn where " + plane.others + "." +
                    (rows.given ? " Points are decided by all of their own values." : ""));
  } else if (plane.x_weights != plane.x_step && rows.given) {
    notes.emplace_back(
        "Drawn in the plane of the two axes; points, projected on it, are decided by all of their "
        "own values.");
  }
  if (model.rounds()) {
    notes.emplace_back(
        "Values between whole numbers are taken as the nearest, as the model wants.");
  }
  return notes;
}

}  // namespace logodds::plots
