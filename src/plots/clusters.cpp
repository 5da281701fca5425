// Clusters: their cells on a plane, the rows in them, their centers and sizes.
#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/models/centers.hpp"
#include "plots/plane_model.hpp"
#include "plots/plane_points.hpp"
#include "plots/region_marks.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kMostNamed = 24;

/// Row-major clusters x design columns, the columns of numbers first.
NamedArray centers_of(const Classifier& model) {
  if (model.centers() != nullptr) { return model.array("centers"); }
  if (!may_be_mixture(model)) {
    throw Error(ErrorCode::usage,
                "plot clusters draws what 'logodds cluster' finds (k-means, mixtures), and this "
                "model of family " +
                    model.family() + " is none; take plot regions");
  }
  return model.array("means");
}

/// On the plane, in the units of the data.
std::vector<draw::Point> centers_on(const Plane& plane, const NamedArray& centers) {
  std::vector<draw::Point> places;
  const std::size_t d = centers.shape[1];
  for (std::size_t k = 0; k < centers.shape[0]; ++k) {
    places.push_back(plane.project(centers.values.data() + k * d));
  }
  return places;
}

std::vector<std::size_t> sizes_of(const PlaneRows& rows, std::size_t clusters) {
  std::vector<std::size_t> sizes(clusters, 0);
  for (const std::int32_t k : rows.classes) {
    if (k >= 0) { ++sizes[static_cast<std::size_t>(k)]; }
  }
  return sizes;
}

void draw_centers(draw::Drawing& drawing, const draw::Panel& panel,
                  const std::vector<draw::Point>& centers, const std::vector<std::string>& names) {
  draw::Layer& layer = panel.layer(drawing, "centers");
  std::vector<draw::Label> labels;
  for (std::size_t k = 0; k < centers.size(); ++k) {
    const draw::Point place = panel.at(centers[k].x, centers[k].y);
    layer.marks.emplace_back(
        draw::Symbols{.shape = draw::Shape::diamond,
                      .size = 13.0,
                      .places = {place},
                      .fill = {.paint = draw::class_color(k)},
                      .outline = draw::Stroke{.paint = draw::Color{}, .width = 1.8},
                      .tips = {names[k]}});
    const bool left = place.x + 14.0 + draw::text_width(names[k]) > panel.area().right();
    labels.push_back({{place.x + (left ? -12.0 : 12.0), place.y},
                      names[k],
                      name_color(k),
                      left ? draw::Align::end : draw::Align::start});
  }
  if (centers.size() <= kMostNamed) {
    draw::draw_labels(panel.layer(drawing, "names"), std::move(labels), panel.area());
  }
}

/// "2: 97 rows (28.2 %)"
std::vector<std::string> names_of(const std::vector<std::size_t>& sizes, const PlaneRows& rows) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double share = static_cast<double>(sizes[k]) / static_cast<double>(rows.rows.rows);
    names.push_back(std::to_string(k + 1) +
                    (rows.given
                         ? ": " + grouped(sizes[k]) + (sizes[k] == 1 ? " row (" : " rows (") +
                               draw::percent(share) + ")"
                         : ""));
  }
  return names;
}

void draw_cells(Plot& plot, const draw::Rect& room, const PlaneModel& on_plane, const Plane& plane,
                const PlaneRows& rows, const Classifier& model,
                const std::vector<draw::Point>& centers) {
  const draw::Partition cells = cut_regions(on_plane, room);
  const draw::Panel panel(room, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_region_fill(plot.drawing, panel, cells, 0.2);
  draw_region_lines(plot.drawing, panel, cells, on_plane, model.labels());
  if (rows.given) { draw_points(plot.drawing, panel, plane, rows); }
  const std::vector<std::size_t> sizes = sizes_of(rows, centers.size());
  draw_centers(plot.drawing, panel, centers, names_of(sizes, rows));
  panel.draw_axes(plot.drawing);
  NamedArray places{"centers", {centers.size(), 2}, {}};
  for (const draw::Point center : centers) {
    places.values.insert(places.values.end(), {center.x, center.y});
  }
  plot.arrays.push_back(std::move(places));
  if (rows.given) {
    plot.arrays.push_back({"sizes", {sizes.size()}, {sizes.begin(), sizes.end()}});
  }
  add_boundary_arrays(plot, cells, plane, model.labels());
}

Plot draw_clusters(const PlotInput& input, const Options& options, const PageWish& page,
                   const Context& context) {
  const Classifier& model = classifier_of(input, "clusters");
  const NamedArray centers = centers_of(model);
  PlaneRows rows = plane_rows(input, model, "clusters", context);
  if (rows.given) { rows.classes = rows.rows.decisions; }
  rows.truths = false;
  const Plane plane = make_plane(model, rows, options, context);
  if (plane.line) {
    throw Error(ErrorCode::usage,
                "plot clusters draws two columns or more, and this model has one; take plot "
                "regions, which draws along a line");
  }
  const PlaneModel on_plane(model, plane, context);
  Plot plot{.drawing = new_drawing(page, 680.0, 560.0), .notes = {}, .arrays = {}};
  add_point_notes(plot.notes, plane, rows);
  std::vector<std::string> foot = plot.notes;
  for (const std::string& note : plane_notes(plane, on_plane, rows)) { foot.push_back(note); }
  const bool cells = model.centers() != nullptr;
  const std::string words = std::to_string(model.labels().size()) + " clusters; " +
                            (cells ? "cells: what is nearest to a center"
                                   : "regions: where a component is the likeliest");
  const draw::Rect room =
      lay_out(plot.drawing, {.title = title_or(page, "Clusters, " + model_title(model)),
                             .subtitle = words,
                             .notes = foot});
  draw_cells(plot, room, on_plane, plane, rows, model, centers_on(plane, centers));
  return plot;
}

}  // namespace

PlotRecord clusters_plot() {
  return {.name = "clusters",
          .summary = "clusters of k-means or a mixture: their cells, rows, centers and sizes",
          .needs = Needs::rows_optional,
          .options = plane_options(),
          .example = "clusters penguins.clusters penguins.csv -o clusters.svg",
          .draw = draw_clusters};
}

}  // namespace logodds::plots
