// What pictures of class densities are put together of.
#pragma once

#include "plots/plane_model.hpp"

namespace logodds::plots {

/// Throws Error(usage) with the kinds that fit for a model without densities.
[[nodiscard]] const Generative& generative_of(const Classifier& model);

/// Rows as points below the densities, where some were given.
void draw_rows_below(Plot& plot, const draw::Panel& panel, const Plane& plane, PlaneRows rows);
/// Names at these places, unless they are too many.
void name_classes(draw::Drawing& drawing, const draw::Panel& panel,
                  const std::vector<draw::Point>& places, const std::vector<std::string>& labels);
/// Keys of `shown` for more classes than can be named in their places; returns the room that is
/// left.
[[nodiscard]] draw::Rect keys_beyond_names(draw::Drawing& drawing,
                                           const std::vector<std::string>& labels,
                                           const std::vector<std::size_t>& shown,
                                           const draw::Rect& room);

struct DensityPicture {
  const Classifier& model;
  const PlaneModel& on_plane;
  const Plane& plane;
  const PlaneRows& rows;
  std::vector<std::size_t> shown;  ///< classes whose densities are drawn
};
/// Along a line. Array "densities" (points x 1 + classes): x, p(x | C_k).
void draw_density_curves(Plot& plot, const draw::Rect& room, const DensityPicture& picture);
/// Lines of equal density of models that are not Gaussian. Arrays "density A 0.01" (points x 2).
void draw_density_lines(Plot& plot, const draw::Rect& room, const DensityPicture& picture);

}  // namespace logodds::plots
