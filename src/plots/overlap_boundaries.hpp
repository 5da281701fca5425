// Thresholds between densities as lines with names that keep apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/draw/panel.hpp"
#include "plots/marginal.hpp"

namespace logodds::plots {

struct OverlapBoundary {
  double x = 0.0;
  bool given = false;  ///< by the user; else where the likeliest class changes
  bool named = true;

  [[nodiscard]] std::string text() const;
};

/// Those in view: the optimal ones, then the one that was given.
[[nodiscard]] std::vector<OverlapBoundary> boundaries_of(const Profile& profile,
                                                         std::optional<double> given,
                                                         const draw::Range& view);
/// How much higher the panel has to reach than usual, so that names in more than two rows stand
/// above the curves.
[[nodiscard]] double above_curves(const draw::Panel& panel,
                                  const std::vector<OverlapBoundary>& boundaries);
void draw_boundaries(draw::Drawing& drawing, const draw::Panel& panel,
                     const std::vector<OverlapBoundary>& boundaries);

}  // namespace logodds::plots
