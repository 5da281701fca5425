// The registry as plain Python data.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

nb::object default_value(const OptionSpec& option) {
  const Options defaults({option}, {});
  switch (option.type) {
    case OptionType::real:
      return nb::float_(defaults.real(option.name));
    case OptionType::integer:
      return nb::int_(defaults.integer(option.name));
    case OptionType::flag:
      return nb::bool_(defaults.flag(option.name));
    case OptionType::choice:
    case OptionType::text:
      break;
  }
  return nb::cast(defaults.choice(option.name));
}

}  // namespace

nb::dict option_record(const OptionSpec& option) {
  nb::dict record;
  record["name"] = option.name;
  record["type"] = std::string(to_string(option.type));
  record["default"] = default_value(option);
  record["help"] = option.help;
  if (!option.choices.empty()) { record["choices"] = option.choices; }
  if (!option.form.empty()) { record["form"] = option.form; }
  if (std::isfinite(option.minimum)) { record["minimum"] = option.minimum; }
  if (std::isfinite(option.maximum)) { record["maximum"] = option.maximum; }
  return record;
}

namespace {

nb::dict family_record(const FamilyRecord& family) {
  nb::list options;
  for (const auto& option : family.options) { options.append(option_record(option)); }
  nb::dict capabilities;
  for (const CapabilityRecord& capability : kCapabilities) {
    capabilities[nb::cast(capability.name)] = family.capabilities.*capability.value;
  }
  nb::dict record;
  record["name"] = family.name;
  record["summary"] = family.summary;
  record["options"] = options;
  record["capabilities"] = capabilities;
  return record;
}

nb::list records_of(const std::vector<FamilyRecord>& families) {
  nb::list records;
  for (const auto& family : families) { records.append(family_record(family)); }
  return records;
}

nb::list model_records() { return records_of(families()); }

nb::list clustering_records() { return records_of(clusterings()); }

}  // namespace

void bind_registry(nb::module_& module) {
  module.def("models", &model_records, nb::sig("def models() -> list[dict[str, typing.Any]]"),
             "The registry: one record a family.");
  module.def("clusterings", &clustering_records,
             nb::sig("def clusterings() -> list[dict[str, typing.Any]]"),
             "One record a clustering.");
}

}  // namespace logodds::binding
