// Decision regions, the rows on them, and boundaries through exact roots of a_k - a_j.
#include "plots/line_bands.hpp"
#include "plots/plane_model.hpp"
#include "plots/plane_points.hpp"
#include "plots/region_marks.hpp"

namespace logodds::plots {

namespace {

std::string subtitle(const PlaneRows& rows) {
  if (!rows.given) { return "no rows given"; }
  if (!rows.truths) { return grouped(rows.rows.rows) + " rows, colored by their decision"; }
  const std::size_t wrong = wrong_rows(rows);
  const double share = static_cast<double>(wrong) / static_cast<double>(rows.rows.rows);
  return grouped(wrong) + " of " + grouped(rows.rows.rows) + " rows (" + draw::percent(share) +
         ") are decided wrongly" + (wrong > 0 ? ", with a black rim" : "");
}

Plot draw_regions(const PlotInput& input, const Options& options, const PageWish& page,
                  const Context& context) {
  const Classifier& model = classifier_of(input, "regions");
  const PlaneRows rows = plane_rows(input, model, "regions", context);
  const Plane plane = make_plane(model, rows, options, context);
  const std::string title = "Decision regions, " + model_title(model);
  if (plane.line) { return draw_bands(model, plane, rows, title, page, context); }
  const PlaneModel on_plane(model, plane, context);
  Plot plot{.drawing = new_drawing(page, 680.0, 560.0), .notes = {}, .arrays = {}};
  add_point_notes(plot.notes, plane, rows);
  std::vector<std::string> foot = plot.notes;
  for (const std::string& note : plane_notes(plane, on_plane, rows)) { foot.push_back(note); }
  const draw::Rect room = lay_out(
      plot.drawing, {.title = title_or(page, title), .subtitle = subtitle(rows), .notes = foot});
  const draw::Partition regions = cut_regions(on_plane, room);
  const draw::Rect rest =
      draw_keys_of(plot.drawing, model.labels(), regions, present_classes(rows, model), room);
  const draw::Panel panel(rest, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_region_fill(plot.drawing, panel, regions, 0.22);
  draw_region_lines(plot.drawing, panel, regions, on_plane, model.labels());
  std::vector<draw::Point> places;
  if (rows.given) { places = draw_points(plot.drawing, panel, plane, rows); }
  name_regions(plot.drawing, panel, regions, model.labels(), places);
  panel.draw_axes(plot.drawing);
  add_boundary_arrays(plot, regions, plane, model.labels());
  return plot;
}

}  // namespace

PlotRecord regions_plot() {
  return {.name = "regions",
          .summary =
              "decision regions with the rows on them, wrong ones marked, and exact "
              "boundaries",
          .needs = Needs::rows_optional,
          .options = plane_options(),
          .example = "regions penguins.model penguins.csv -o regions.svg",
          .draw = draw_regions};
}

}  // namespace logodds::plots
