#include "logodds/registry/title.hpp"

#include <algorithm>

#include "logodds/registry/descriptive.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

namespace {

/// "ridge 0.1"; of a switch its name, of the text of a file how long it is.
std::string setting(const OptionSpec& spec, const std::string& value) {
  constexpr std::size_t kLongest = 40;
  if (const auto feeds = std::ranges::count(value, '\n'); feeds > 0) {
    return spec.name + " of " + std::to_string(feeds + (value.ends_with('\n') ? 0 : 1)) + " lines";
  }
  if (spec.type == OptionType::flag && value == "true") { return spec.name; }
  return spec.name + " " + value.substr(0, kLongest) + (value.size() > kLongest ? "..." : "");
}

}  // namespace

const std::vector<OptionSpec>& option_specs(const Model& model) {
  if (const auto* const classifier = dynamic_cast<const Classifier*>(&model)) {
    return record_of(*classifier).options;
  }
  return find_descriptive(model.family())->options;
}

std::string model_title(const Model& model) {
  const std::vector<OptionSpec>& specs = option_specs(model);
  const Options defaults(specs, {});
  std::string settings;
  for (const OptionSpec& spec : specs) {
    const auto found = model.options().values().find(spec.name);
    if (found == model.options().values().end()) { continue; }
    const std::string& value = found->second;
    const bool first = spec.name == specs.front().name && !find_descriptive(model.family());
    if (value.empty() || (!first && value == defaults.values().at(spec.name))) { continue; }
    settings += (settings.empty() ? "" : ", ") + setting(spec, value);
  }
  return settings.empty() ? model.family() : model.family() + " (" + settings + ")";
}

}  // namespace logodds
