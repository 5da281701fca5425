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
  return fmt::format("{}: {}\n\n{}\n{}\n{}\n{}\n{}\n  {}\n", toned(family.name, Tone::strong),
                     family.summary, toned("options of 'logodds train':", Tone::strong),
                     family_options_text(family), toned("capabilities:", Tone::strong),
                     capabilities.text(), toned("example:", Tone::strong), family_example(family));
}

std::string list_text() {
  TextTable table({TextTable::Align::left, TextTable::Align::left});
  table.header({"model", "summary"});
  for (const FamilyRecord& family : families()) { table.row({family.name, family.summary}); }
  return table.text() + fmt::format(
                            "\nWithout --model, train takes {}. 'logodds models NAME' shows "
                            "the options of one.\n",
                            kDefaultFamily);
}

std::vector<const FamilyRecord*> chosen(const Arguments& arguments) {
  std::vector<const FamilyRecord*> result;
  if (!arguments.positionals().empty()) { return {&find_family(arguments.positional(0))}; }
  for (const FamilyRecord& family : families()) { result.push_back(&family); }
  return result;
}

void run(const Arguments& arguments) {
  const std::vector<const FamilyRecord*> shown = chosen(arguments);
  if (!arguments.has("json")) {
    return print(arguments.positionals().empty() ? list_text() : family_text(*shown.front()));
  }
  Json list = Json::array();
  for (const FamilyRecord* family : shown) { list.push_back(family_json(*family)); }
  print_json({{"models", std::move(list)}});
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
