// One record a family: the single source of names, options, defaults and help.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/registry/options.hpp"

namespace logodds {

namespace modelfile {
class Reader;
}

struct Capabilities {
  bool one_pass = false;     ///< trains in one pass with memory that does not grow with the rows
  bool mergeable = false;    ///< models trained apart can be merged
  bool missing = false;      ///< takes rows with missing values
  bool generative = false;   ///< models p(x | class): densities, outliers, drawn rows
  bool geometry = false;     ///< has boundaries and axes in closed form
  bool numbers = true;       ///< takes columns of real numbers
  bool sparse = false;       ///< takes sparse rows without making them dense
  bool many_classes = true;  ///< takes more than two classes
  bool one_answer = true;    ///< the rows tell the model, whatever their order and the seed
};

struct CapabilityRecord {
  std::string_view name;
  bool Capabilities::* value;
  std::string_view meaning;  ///< for people, no full stop
};

/// What the command and the binding list.
inline constexpr std::array<CapabilityRecord, 9> kCapabilities = {{
    {"one_pass", &Capabilities::one_pass, "trains in one pass, in memory that does not grow"},
    {"mergeable", &Capabilities::mergeable, "models trained apart can be merged"},
    {"missing", &Capabilities::missing, "uses rows with missing values"},
    {"generative", &Capabilities::generative, "gives densities and outliers, draws new rows"},
    {"geometry", &Capabilities::geometry, "shows boundaries, distances and axes"},
    {"numbers", &Capabilities::numbers, "takes columns of real numbers"},
    {"sparse", &Capabilities::sparse, "takes sparse rows as they are"},
    {"many_classes", &Capabilities::many_classes, "takes more than two classes"},
    {"one_answer", &Capabilities::one_answer, "does not depend on the order of rows or the seed"},
}};

struct FamilyRecord {
  std::string name;
  std::string summary;  ///< one line
  std::string example;  ///< options for the example in --help: "--covariance own"
  std::vector<OptionSpec> options;
  Capabilities capabilities;
  std::function<std::unique_ptr<Learner>(const Options&)> make_learner;
  std::function<std::unique_ptr<Classifier>(const modelfile::Reader&, Schema, Options)> load;
};

/// The family taken when the user names none.
inline constexpr std::string_view kDefaultFamily = "naive-bayes";

/// All families, in the order of src/registry/families.def.
[[nodiscard]] const std::vector<FamilyRecord>& families();
/// Throws Error(usage) with the nearest name when there is no such family.
[[nodiscard]] const FamilyRecord& find_family(std::string_view name);

/// The families that group rows without labels, in the order of src/registry/clusterings.def. Their
/// models decide for clusters, "1", "2", ..., and learners take rows with or without labels.
[[nodiscard]] const std::vector<FamilyRecord>& clusterings();
/// Throws Error(usage) with the nearest name when there is no such clustering.
[[nodiscard]] const FamilyRecord& find_clustering(std::string_view name);

/// The record of a model's family, of either list.
[[nodiscard]] const FamilyRecord& record_of(const Classifier& model);
/// Whether the family of this name is a clustering, whose classes no label is to be compared with.
[[nodiscard]] bool is_clustering(std::string_view family);

}  // namespace logodds
