// The posterior of the second of two classes along the normal of the boundary.
#pragma once

#include <optional>

#include "draw/partition.hpp"
#include "plots/plane_model.hpp"

namespace logodds::plots {

/// The line through the point of the boundary nearest to the middle of the class means, straight
/// across the boundary as it is drawn.
struct SigmoidLine {
  draw::Point begin{};  ///< in the units of the data, on the side of the first class
  draw::Point end{};
  double from = 0.0;  ///< steps at `begin` and `end`: 0 is the boundary, 1 step what the means
  double to = 0.0;    ///< of the two classes are apart along the line
  std::vector<double> steps;
  std::vector<double> posteriors;  ///< of the second class
};

/// Nothing where one class wins everywhere. `room` tells how wide and high the picture is.
[[nodiscard]] std::optional<SigmoidLine> sigmoid_line(const PlaneModel& model, const Plane& plane,
                                                      const PlaneRows& rows,
                                                      const draw::Partition& regions,
                                                      const draw::Rect& room);
void draw_sigmoid_line(draw::Drawing& drawing, const draw::Panel& panel, const SigmoidLine& line);
/// A panel of its own. Array "sigmoid" (points x 4): steps, the two coordinates, the posterior.
void draw_sigmoid(Plot& plot, const draw::Rect& room, const SigmoidLine& line,
                  const std::vector<std::string>& labels);

}  // namespace logodds::plots
