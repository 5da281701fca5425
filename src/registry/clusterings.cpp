// The list of clusterings, and nothing else.
#include "logodds/registry/registry.hpp"

namespace logodds {

#define LOGODDS_CLUSTERING(name) \
  namespace models::name {       \
  FamilyRecord record();         \
  }
#include "registry/clusterings.def"
#undef LOGODDS_CLUSTERING

const std::vector<FamilyRecord>& clusterings() {
  static const std::vector<FamilyRecord> records{
#define LOGODDS_CLUSTERING(name) models::name::record(),
#include "registry/clusterings.def"
#undef LOGODDS_CLUSTERING
  };
  return records;
}

}  // namespace logodds
