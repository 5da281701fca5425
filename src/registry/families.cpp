// The list of families, and nothing else: a build with one more line replaces this object alone.
#include "logodds/registry/registry.hpp"

#ifndef LOGODDS_FAMILIES_DEF
#define LOGODDS_FAMILIES_DEF "registry/families.def"
#endif

namespace logodds {

#define LOGODDS_FAMILY(name) \
  namespace models::name {   \
  FamilyRecord record();     \
  }
#include LOGODDS_FAMILIES_DEF
#undef LOGODDS_FAMILY

const std::vector<FamilyRecord>& families() {
  static const std::vector<FamilyRecord> records{
#define LOGODDS_FAMILY(name) models::name::record(),
#include LOGODDS_FAMILIES_DEF
#undef LOGODDS_FAMILY
  };
  return records;
}

}  // namespace logodds
