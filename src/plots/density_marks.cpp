#include "plots/density_marks.hpp"

#include "logodds/error.hpp"
#include "logodds/models/adjusted.hpp"
#include "plots/class_marks.hpp"
#include "plots/plane_points.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kMostNamed = 12;

}  // namespace

const Generative& generative_of(const Classifier& model) {
  if (const Generative* const found = unadjusted(model).generative()) { return *found; }
  throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                    " has no densities of the rows; take plot posterior or plot "
                                    "regions, or train a generative family, as gaussian is");
}

void draw_rows_below(Plot& plot, const draw::Panel& panel, const Plane& plane, PlaneRows rows) {
  if (!rows.given) { return; }
  rows.truths = false;  // right or wrong is another picture's matter
  draw_points(plot.drawing, panel, plane, rows);
}

void name_classes(draw::Drawing& drawing, const draw::Panel& panel,
                  const std::vector<draw::Point>& places, const std::vector<std::string>& labels) {
  if (labels.size() > kMostNamed) { return; }
  std::vector<draw::Label> names;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string name = cut(labels[k], 150.0);
    draw::Point at = places[k];
    at.x = kept_inside(at.x, draw::text_width(name) / 2.0 + 4.0, panel.area());
    names.push_back({at, name, name_color(k), draw::Align::middle});
  }
  draw::draw_labels(panel.layer(drawing, "names"), std::move(names), panel.area(), 13.0);
}

draw::Rect keys_beyond_names(draw::Drawing& drawing, const std::vector<std::string>& labels,
                             const std::vector<std::size_t>& shown, const draw::Rect& room) {
  if (labels.size() <= kMostNamed) { return room; }
  auto keys = class_keys(shown, [&](std::size_t k) { return cut(labels[k], 120.0); });
  if (shown.size() < labels.size()) {
    keys.push_back({"and " + grouped(labels.size() - shown.size()) + " more", draw::Role::paper});
  }
  return draw::draw_keys(drawing, keys, room);
}

}  // namespace logodds::plots
