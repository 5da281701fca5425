#include "logodds/models/family.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

FamilyRecord record();

FamilyRecord record() {
  return make_record<NeighborsFamily>({
      .name = "neighbors",
      .summary = "votes of the k nearest rows, exact",
      .example = "--k 15",
      .options = option_specs(),
      .capabilities = {},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::neighbors
