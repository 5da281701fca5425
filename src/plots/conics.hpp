// Boundaries of models with a Geometry, restricted to a plane: lines and conics, exactly.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/conic.hpp"
#include "plots/plane.hpp"

namespace logodds::plots {

/// a_k - a_0 for every class k, as polynomials in the coordinates of the unit square.
class Conics {
 public:
  explicit Conics(std::vector<geometry::Conic> differences)
      : differences_(std::move(differences)) {}

  /// a_0, ..., a_K-1 up to a constant, at places of the unit square; points x classes.
  void scores(std::span<const draw::Point> points, std::span<double> out) const;
  /// a_second - a_first
  [[nodiscard]] geometry::Conic between(std::size_t first, std::size_t second) const;
  /// "line", "ellipse", "parabola", "hyperbola", ...
  [[nodiscard]] std::string kind(std::size_t first, std::size_t second) const;

 private:
  std::vector<geometry::Conic> differences_;
};

/// Nothing for models without a Geometry, with coded columns, or with so many classes and columns
/// that their pairs would cost more than the scores.
[[nodiscard]] std::optional<Conics> conics_on(const Plane& plane, const Classifier& model);

}  // namespace logodds::plots
