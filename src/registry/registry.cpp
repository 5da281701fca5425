#include "logodds/registry/registry.hpp"

#include <algorithm>

#include "logodds/error.hpp"

namespace logodds {

namespace {

const FamilyRecord* find_in(const std::vector<FamilyRecord>& records, std::string_view name) {
  const auto found = std::ranges::find(records, name, &FamilyRecord::name);
  return found == records.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_unknown(std::string_view what, std::string_view name,
                                 const std::vector<FamilyRecord>& records) {
  std::vector<std::string> names;
  std::string known;
  for (const auto& record : records) {
    names.push_back(record.name);
    known += (known.empty() ? "" : ", ") + record.name;
  }
  throw Error(ErrorCode::usage, "there is no " + std::string(what) + " '" + std::string(name) +
                                    "'" + did_you_mean(name, names) + " (" + std::string(what) +
                                    "s: " + known + ")");
}

}  // namespace

const FamilyRecord& find_family(std::string_view name) {
  if (const FamilyRecord* found = find_in(families(), name)) { return *found; }
  if (find_in(clusterings(), name) != nullptr) {
    throw Error(ErrorCode::usage, "model " + std::string(name) +
                                      " groups rows without labels, so it is not trained; use "
                                      "'logodds cluster'");
  }
  refuse_unknown("model", name, families());
}

const FamilyRecord& find_clustering(std::string_view name) {
  if (const FamilyRecord* found = find_in(clusterings(), name)) { return *found; }
  refuse_unknown("clustering", name, clusterings());
}

const FamilyRecord& record_of(const Classifier& model) {
  const FamilyRecord* const found = find_in(clusterings(), model.family());
  return found != nullptr ? *found : find_family(model.family());
}

bool is_clustering(std::string_view family) { return find_in(clusterings(), family) != nullptr; }

}  // namespace logodds
