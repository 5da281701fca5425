// Which models of a grid are scored together, and how.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "models/gaussian/gaussian.hpp"
#include "models/joint_scores.hpp"

namespace logodds::models::gaussian {

using Models = std::span<const GaussianDiscriminant* const>;

/// Models with covariances of their own and the same means, the first of which has number `first`:
/// all together, else run by run, as where the last option of a grid keeps the axes and those
/// before it do not. (common_axes.cpp)
void find_common_axes(Models models, std::size_t first, std::vector<JointRun>& runs);

/// Models with linear scores around the same center. (linear_maps.cpp)
[[nodiscard]] std::unique_ptr<JointScores> linear_maps_of(Models models);

}  // namespace logodds::models::gaussian
