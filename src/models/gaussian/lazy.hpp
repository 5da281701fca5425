// The parts of a discriminant that are made when they are first asked for.
#pragma once

#include <memory>
#include <mutex>

#include "models/gaussian/evidence.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

struct GaussianDiscriminant::Lazy {
  std::once_flag pairs_made;
  std::vector<LinearPair> pairs;
  std::once_flag axes_made;
  CanonicalAxes axes;
  std::once_flag evidence_made;
  std::unique_ptr<const GaussianEvidence> evidence;
};

}  // namespace logodds::models::gaussian
