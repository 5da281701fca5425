// A model with one column of numbers: its decisions and posteriors along a line.
#pragma once

#include "plots/plane_model.hpp"

namespace logodds::plots {

/// Posteriors over bands in the colors of decisions, boundaries with their values, and below the
/// rows, class by class. Arrays: "boundaries" (n), "posteriors" (points x (1 + classes)).
[[nodiscard]] Plot draw_bands(const Classifier& model, const Plane& line, const PlaneRows& rows,
                              const std::string& title, const PageWish& page,
                              const Context& context);

}  // namespace logodds::plots
