// Decision boundaries of a model, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "logodds/models/geometry.hpp"

namespace logodds::app {

/// One object a pair of classes.
[[nodiscard]] Json boundaries_json(const Geometry& geometry,
                                   const std::vector<std::string>& labels);
/// The pairs; their normals; where there are quadratic ones, their quadratic coefficients.
[[nodiscard]] std::vector<DescriptionTable> boundary_tables(const Geometry& geometry,
                                                            const std::vector<std::string>& labels);

}  // namespace logodds::app
