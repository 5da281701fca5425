// A plane through the space of a model's columns, or a line where there is but one column of
// numbers: what pictures of boundaries are drawn on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/support.hpp"

namespace logodds::plots {

/// The row at (u, v) is origin + u x_step + v y_step in the columns of numbers, and `codes` in the
/// others. The coordinates of a row are u = sum_i x_weights_i (x_i - origin_i), v likewise.
struct Plane {
  bool line = false;  ///< one dimension: v and what belongs to it mean nothing
  std::string x_name;
  std::string y_name;
  draw::Range x;
  draw::Range y;
  std::vector<double> origin;
  std::vector<double> x_step;
  std::vector<double> y_step;
  std::vector<double> x_weights;
  std::vector<double> y_weights;
  std::vector<std::int32_t> codes;
  /// Where the other columns stand: "body_mass = 4202, island = Biscoe"; empty: there are none.
  std::string others;

  [[nodiscard]] draw::Point project(const double* numbers) const;
  /// From the unit square.
  [[nodiscard]] draw::Point value(draw::Point share) const {
    return {x.low + share.x * x.size(), line ? 0.0 : y.low + share.y * y.size()};
  }
};

/// Refuses models without columns of numbers, or with too many, and says which kind fits.
void check_columns(const Schema& schema, std::string_view kind);

/// The rows that planes are laid through: those of the input, or drawn from a model that can.
struct PlaneRows {
  PlotRows rows;
  bool given = false;                 ///< by the user, so that they are drawn
  std::vector<std::int32_t> classes;  ///< the truth, where every row has one, else the decision
  bool truths = false;                ///< which of the two
};
/// Throws Error(usage) where the model has no columns of numbers, or neither rows nor densities.
[[nodiscard]] PlaneRows plane_rows(const PlotInput& input, const Classifier& model,
                                   std::string_view kind, const Context& context);

/// --x, --y, --at, --axes.
[[nodiscard]] std::vector<OptionSpec> plane_options();
[[nodiscard]] Plane make_plane(const Classifier& model, const PlaneRows& rows,
                               const Options& options, const Context& context);

/// The rows on the plane; NaN where a value is missing.
[[nodiscard]] std::vector<draw::Point> projected(const Plane& plane, const PlaneRows& rows);

}  // namespace logodds::plots
