// The list of column families, and nothing else: a build with one more line replaces this object
// alone.
#include <array>

#include "models/naive_bayes/column_family.hpp"

#ifndef LOGODDS_COLUMN_FAMILIES_DEF
#define LOGODDS_COLUMN_FAMILIES_DEF "models/naive_bayes/column_families.def"
#endif

namespace logodds::models::naive_bayes {

namespace columns {
#define LOGODDS_COLUMN_FAMILY(name) const ColumnFamily& name();
#include LOGODDS_COLUMN_FAMILIES_DEF
#undef LOGODDS_COLUMN_FAMILY
}  // namespace columns

std::span<const ColumnFamily* const> column_families() {
  static const std::array families{
#define LOGODDS_COLUMN_FAMILY(name) &columns::name(),
#include LOGODDS_COLUMN_FAMILIES_DEF
#undef LOGODDS_COLUMN_FAMILY
  };
  return families;
}

}  // namespace logodds::models::naive_bayes
