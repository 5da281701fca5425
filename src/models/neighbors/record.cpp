#include "logodds/models/family.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

FamilyRecord record();

FamilyRecord record() {
  return make_record<NeighborsFamily>({
      .name = "neighbors",
      .summary = "votes of the k nearest rows, exact",
      .example = "--k 15",
      .options = {{.name = "k",
                   .type = OptionType::integer,
                   .default_value = "5",
                   .help = "votes cast by the nearest rows; rows tied at the last distance share "
                           "what is left",
                   .minimum = 1.0}},
      .capabilities = {},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::neighbors
