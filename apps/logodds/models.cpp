// logodds models: the families of the registry, their options and what they can do.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "arguments.hpp"
#include "help.hpp"
#include "json.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

Json option_json(const OptionSpec& spec) {
  Json entry = {{"name", spec.name},
                {"type", to_string(spec.type)},
                {"default", option_value_json(spec, spec.default_value)}};
  if (!spec.choices.empty()) { entry["choices"] = spec.choices; }
  if (!spec.form.empty()) { entry["form"] = spec.form; }
  if (spec.from_file) { entry["from_file"] = true; }
  if (std::isfinite(spec.minimum)) { entry["minimum"] = json_number(spec.minimum); }
  if (std::isfinite(spec.maximum)) { entry["maximum"] = json_number(spec.maximum); }
  entry["help"] = spec.help;
  return entry;
}

Json family_json(const FamilyRecord& family) {
  Json options = Json::array();
  for (const OptionSpec& spec : family.options) { options.push_back(option_json(spec)); }
  Json capabilities = Json::object();
  for (const CapabilityRecord& record : kCapabilities) {
    capabilities[std::string(record.name)] = family.capabilities.*record.value;
  }
  return {{"name", family.name},
          {"summary", family.summary},
          {"default", family.name == kDefaultFamily},
          {"options", std::move(options)},
          {"capabilities", std::move(capabilities)}};
}

std::string family_text(const FamilyRecord& family) {
  TextTable capabilities({TextTable::Align::left, TextTable::Align::left});
  for (const CapabilityRecord& record : kCapabilities) {
    const bool able = family.capabilities.*record.value;
    capabilities.row({able ? "  yes" : "  no", std::string(record.meaning)});
    capabilities.tone(0, able ? Tone::good : Tone::faint);
  }
  const std::string maker = is_clustering(family.name) ? "cluster" : "train";
  return fmt::format("{}: {}\n\n{}\n{}\n{}\n{}\n{}\n  {}\n", toned(family.name, Tone::strong),
                     family.summary,
                     toned(fmt::format("options of 'logodds {}':", maker), Tone::strong),
                     family_options_text(family), toned("capabilities:", Tone::strong),
                     capabilities.text(), toned("example:", Tone::strong), family_example(family));
}

std::string list_text() {
  TextTable table({TextTable::Align::left, TextTable::Align::left});
  table.header({"model", "summary"});
  for (const FamilyRecord& family : families()) { table.row({family.name, family.summary}); }
  TextTable without_labels({TextTable::Align::left, TextTable::Align::left});
  without_labels.header({"without labels", "summary"});
  for (const FamilyRecord& record : clusterings()) {
    without_labels.row({record.name, record.summary});
  }
  return table.text() + fmt::format(
                            "\n{}\nWithout --model, train takes {}; rows without labels are for "
                            "'logodds cluster'.\n'logodds models NAME' shows the options of one.\n",
                            without_labels.text(), kDefaultFamily);
}

const FamilyRecord& named(const std::string& name) {
  return is_clustering(name) ? find_clustering(name) : find_family(name);
}

Json list_json(const std::vector<FamilyRecord>& records) {
  Json list = Json::array();
  for (const FamilyRecord& record : records) { list.push_back(family_json(record)); }
  return list;
}

void run(const Arguments& arguments) {
  const bool json = arguments.has("json");
  if (!arguments.positionals().empty()) {
    const FamilyRecord& family = named(arguments.positional(0));
    if (!json) { return print(family_text(family)); }
    return print_json({{"models", Json::array({family_json(family)})}});
  }
  if (!json) { return print(list_text()); }
  print_json({{"models", list_json(families())}, {"clusterings", list_json(clusterings())}});
}

}  // namespace

Command models_command() {
  return {.name = "models",
          .bit = kModels,
          .summary = "list the families of models, or show one with its options",
          .usage = "[NAME]",
          .positionals = {{"NAME", "family to show in detail", false}},
          .example = "models softmax",
          .run = run};
}

}  // namespace logodds::app
