// The shape of a model's decision boundaries, and axes that separate its classes best.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/models/axes.hpp"

namespace logodds {

/// Where classes `first` and `second` are equally likely:
/// x . Q x + w . x + w_0 = 0, positive where `second` is the likelier.
struct Boundary {
  std::size_t first = 0;
  std::size_t second = 0;
  std::vector<double> normal;     ///< w, one a column of Geometry::column_names()
  double offset = 0.0;            ///< w_0
  std::vector<double> quadratic;  ///< Q, row-major and symmetric; empty when the boundary is linear

  /// The same function around a point m between the classes, with y = x - m: y . Q y + v . y + v_0.
  /// Where columns lie far from 0 the offset loses digits that v_0 keeps. Empty: m = 0, v = w.
  std::vector<double> center;         ///< m
  std::vector<double> center_normal;  ///< v = w + 2 Q m
  double center_value = 0.0;          ///< v_0 = m . Q m + w . m + w_0
  /// In one and two dimensions: T (D x D) such that both classes have a spread of about 1 in
  /// T^-1 y, the units of what is 0 to rounding in kind(). Empty: the columns' own.
  std::vector<double> frame;

  [[nodiscard]] bool linear() const { return quadratic.empty(); }
  /// x . Q x + w . x + w_0 (around m, if there is one): the log odds of `second` against `first`.
  [[nodiscard]] double value(std::span<const double> x) const;
  /// -w_0 / ||w|| of a linear boundary: its signed distance from the origin, along the normal.
  [[nodiscard]] double distance_from_origin() const;
  /// In one dimension: "point" or "points" (two); in two: "line", "ellipse", "parabola",
  /// "hyperbola", "line pair" (crossing or parallel) or "point"; in more: "hyperplane" or
  /// "quadric". "nowhere" if one class is the likelier at every x (not looked for in quadrics of
  /// more than two dimensions), "everywhere" if both are equally likely at every x. Degenerate
  /// kinds are told to 1e-9 in units of the classes' spread, so that the columns' units and zero do
  /// not matter.
  [[nodiscard]] std::string kind() const;
};

/// The axes are canonical (Fisher's), at most K - 1: those that separate the class means best in
/// units of the within-class spread. On them the mean of the class means is the origin and the
/// within-class covariance the identity, both weighted by the priors.
class Geometry : public Axes {
 public:
  /// What the coordinates of normals and axes are: columns, and indicators of levels.
  [[nodiscard]] virtual const std::vector<std::string>& column_names() const = 0;
  /// One for each pair of classes (0,1), (0,2), ..., (1,2), ...
  [[nodiscard]] virtual std::vector<Boundary> boundaries() const = 0;
  /// (w . x + w_0) / ||w|| for every row and every linear boundary, row-major, in their order. A
  /// missing value makes the distances of its row NaN.
  virtual void signed_distances(const RowBlock& block, std::span<double> out) const = 0;
};

}  // namespace logodds
