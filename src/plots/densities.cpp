// Class-conditional densities: ellipses and principal axes of Gaussian models, lines of equal
// density of others, curves where there is one column.
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/models/adjusted.hpp"
#include "plots/class_marks.hpp"
#include "plots/density_marks.hpp"
#include "plots/ellipses.hpp"
#include "plots/plane_points.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

/// What the densities drawn stand for, in the picture's notes.
std::string rest_note(const Schema& schema, std::size_t drawn) {
  const std::size_t others = schema.columns.size() - drawn;
  if (others == 0) { return {}; }
  return others == 1 ? "The other column is integrated out."
                     : "The other " + grouped(others) + " columns are integrated out.";
}

void draw_gaussians(Plot& plot, const draw::Rect& room, const Classifier& model, Plane plane,
                    const PlaneRows& rows, const std::vector<Gaussian2>& gaussians,
                    const std::vector<std::size_t>& shown) {
  for (const std::size_t k : shown) {  // three deviations fit
    const Gaussian2& g = gaussians[k];
    constexpr double kWide = 3.2;
    const double x = kWide * std::sqrt(g.xx);
    const double y = kWide * std::sqrt(g.yy);
    plane.x = draw::joined(plane.x, {g.mean.x - x, g.mean.x + x});
    plane.y = draw::joined(plane.y, {g.mean.y - y, g.mean.y + y});
  }
  const draw::Panel panel(room, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_rows_below(plot, panel, plane, rows);
  std::vector<Point> tops;
  for (const std::size_t k : shown) {
    draw_ellipses(plot, panel, gaussians[k], k, model.labels()[k]);
    Point top = panel.at(gaussians[k].mean.x, gaussians[k].mean.y + std::sqrt(gaussians[k].yy));
    top.y -= 12.0;
    tops.push_back(top);
  }
  name_classes(plot.drawing, panel, tops, model.labels());
  panel.draw_axes(plot.drawing);
}

void check_axes(const Classifier& model, const Options& options, bool gaussian) {
  if (gaussian || options.choice("axes") == "columns") { return; }
  throw Error(ErrorCode::usage, "option --axes " + options.choice("axes") +
                                    ": densities of a model of family " + model.family() +
                                    " are known along its columns; take --x and --y");
}

Plot draw_densities(const PlotInput& input, const Options& options, const PageWish& page,
                    const Context& context) {
  const Classifier& model = unadjusted(classifier_of(input, "densities"));
  check_columns(model.schema(), "densities");
  const std::vector<std::size_t> shown = heaviest(generative_of(model).log_priors());
  const PlaneRows rows = plane_rows(input, model, "densities", context);
  Plane plane = make_plane(model, rows, options, context);
  const std::vector<Gaussian2> gaussians =
      plane.line ? std::vector<Gaussian2>{} : gaussians_on(plane, model);
  check_axes(model, options, !gaussians.empty());
  const PlaneModel on_plane(model, plane, context);
  Plot plot{
      .drawing = new_drawing(page, 680.0, plane.line ? 440.0 : 560.0), .notes = {}, .arrays = {}};
  add_point_notes(plot.notes, plane, rows);
  if (shown.size() < model.labels().size()) {
    plot.notes.push_back("of " + grouped(model.labels().size()) + " classes the " +
                         std::to_string(shown.size()) + " with the largest priors are drawn");
  }
  std::vector<std::string> foot = plot.notes;
  const bool columns = options.choice("axes") == "columns";
  const std::string rest = rest_note(model.schema(), plane.line ? 1 : 2);
  if (columns && !rest.empty()) { foot.push_back(rest); }
  const std::string words =
      plane.line ? "p(" + plane.x_name + " | class)"
      : gaussians.empty()
          ? "lines of equal density that hold 39, 86 and 99 % of a class, as 1, 2 and 3 "
            "deviations of a Gaussian do"
          : "ellipses at 1, 2 and 3 deviations; crosses: principal axes, as long as their "
            "deviations";
  draw::Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Densities of the classes, " + model_title(model)),
                     .subtitle = words,
                     .notes = foot});
  room = keys_beyond_names(plot.drawing, model.labels(), shown, room);
  if (plane.line) {
    draw_density_curves(plot, room, {model, on_plane, plane, rows, shown});
  } else if (gaussians.empty()) {
    draw_density_lines(plot, room, {model, on_plane, plane, rows, shown});
  } else {
    draw_gaussians(plot, room, model, plane, rows, gaussians, shown);
  }
  return plot;
}

}  // namespace

PlotRecord densities_plot() {
  return {.name = "densities",
          .summary =
              "densities of the classes of a generative model, with covariance ellipses "
              "and principal axes",
          .needs = Needs::rows_optional,
          .options = plane_options(),
          .example = "densities penguins.model penguins.csv -o densities.svg",
          .draw = draw_densities};
}

}  // namespace logodds::plots
