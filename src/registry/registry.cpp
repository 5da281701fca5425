#include "logodds/registry/registry.hpp"

#include "logodds/error.hpp"

namespace logodds {

const FamilyRecord& find_family(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& family : families()) {
    if (family.name == name) { return family; }
    names.push_back(family.name);
  }
  std::string known;
  for (const auto& candidate : names) { known += (known.empty() ? "" : ", ") + candidate; }
  throw Error(ErrorCode::usage, "there is no model '" + std::string(name) + "'" +
                                    did_you_mean(name, names) + " (models: " + known + ")");
}

}  // namespace logodds
