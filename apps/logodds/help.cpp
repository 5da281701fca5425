// logodds help, and the text behind every --help.
#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "logodds/error.hpp"
#include "logodds/plots/plots.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

/// Terms and what they mean, in two columns; long meanings go on below their beginning, and begin
/// below a long term.
class Terms {
 public:
  void add(const std::string& term, const std::string& meaning) {
    if (term.size() <= kWidest) { widest_ = std::max(widest_, term.size()); }
    entries_.emplace_back(term, meaning);
  }

  [[nodiscard]] std::string text() const {
    constexpr std::size_t kLineWidth = 100;
    constexpr std::size_t kNarrowest = 30;
    const std::size_t room = std::max(kNarrowest, kLineWidth - std::min(kLineWidth, widest_ + 2));
    std::string text;
    for (const auto& [term, meaning] : entries_) {
      std::string first = term;
      if (term.size() > widest_) {
        text += term + "\n";
        first.clear();
      }
      for (const std::string& line : wrapped(meaning, room)) {
        text += fmt::format("{:<{}}  {}\n", first, widest_, line);
        first.clear();
      }
    }
    return text;
  }

 private:
  /// Broken at spaces; a word longer than `room` keeps a line of its own.
  static std::vector<std::string> wrapped(std::string_view text, std::size_t room) {
    std::vector<std::string> lines;
    while (text.size() > room) {
      std::size_t end = text.rfind(' ', room);
      if (end == std::string_view::npos) { end = text.find(' '); }
      if (end == std::string_view::npos) { break; }
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    lines.emplace_back(text);
    return lines;
  }

  static constexpr std::size_t kWidest = 36;  // of a term that shares its line
  std::size_t widest_ = 0;
  std::vector<std::pair<std::string, std::string>> entries_;
};

std::string default_text(const Flag& flag) {
  if (flag.spec.type == OptionType::flag && flag.default_note.empty()) { return ""; }
  const std::string& value =
      flag.default_note.empty() ? flag.spec.default_value : flag.default_note;
  if (value.empty()) { return ""; }
  return value.starts_with("required") ? fmt::format(" ({})", value)
                                       : fmt::format(" (default: {})", value);
}

void add_flag(Terms& terms, const Flag& flag) {
  const std::string letter = flag.letter == 0 ? "" : fmt::format("-{}, ", flag.letter);
  const std::string value = flag.value_name.empty() ? "" : " " + flag.value_name;
  terms.add(fmt::format("  {}--{}{}", letter, flag.spec.name, value),
            flag.spec.help + default_text(flag));
}

std::string arguments_text(const Command& command) {
  Terms terms;
  for (const Positional& positional : command.positionals) {
    terms.add("  " + positional.name, positional.help);
  }
  return terms.text();
}

/// Without those that the family, if there is one, replaces by options of its own.
std::string flags_text(const Command& command, const FamilyRecord* family) {
  Terms terms;
  for (const Flag& flag : flags()) {
    const bool replaced = family != nullptr && find_option(*family, flag.spec.name) != nullptr;
    if ((flag.commands & command.bit) != 0 && !replaced) { add_flag(terms, flag); }
  }
  return terms.text();
}

/// Each kind of picture, what it shows and which options are its own.
std::string kinds_section() {
  Terms terms;
  for (const plots::PlotRecord& record : plots::plot_kinds()) {
    std::string own;
    for (const OptionSpec& spec : record.options) {
      own += (own.empty() ? "; " : ", ") + ("--" + spec.name);
    }
    terms.add("  " + record.name, record.summary + own);
  }
  return fmt::format("\n{}\n{}", toned("kinds:", Tone::strong), terms.text());
}

bool has_option(const plots::PlotRecord& record, const std::string& name) {
  return std::ranges::count(record.options, name, &OptionSpec::name) > 0;
}

/// What follows the name of a kind, and what it means.
std::string plot_usage(plots::Needs needs) {
  using plots::Needs;
  if (needs == Needs::tables) { return "TABLE..."; }
  if (needs == Needs::nothing) { return "MODEL"; }
  return needs == Needs::rows || needs == Needs::labels ? "MODEL DATA" : "MODEL [DATA]";
}

std::string plot_arguments(plots::Needs needs) {
  using plots::Needs;
  Terms terms;
  if (needs == Needs::tables) {
    terms.add("  TABLE", "CSV files that --trace wrote");
    return terms.text();
  }
  terms.add("  MODEL", "model file");
  if (needs == Needs::labels) {
    terms.add("  DATA", "rows with labels: a CSV or TSV file, or what --format says");
  } else if (needs != Needs::nothing) {
    terms.add("  DATA", "rows: a CSV or TSV file, or what --format says, plain, .gz or .zst");
  }
  return terms.text();
}

std::string clustering_section(const FamilyRecord& family) {
  return fmt::format("\n{}\n{}", toned(fmt::format("options of {}:", family.name), Tone::strong),
                     family_options_text(family));
}

/// For a command that names a family, or takes the one of a model that it is given.
std::string family_section(const FamilyRecord& family, bool of_given_model) {
  std::vector<std::string> names;
  for (const FamilyRecord& other : families()) { names.push_back(other.name); }
  return fmt::format(
      "\n{}\n{}\nOther models have options of their own: logodds train --model NAME --help,\nwhere "
      "NAME is one of\n  {}\n",
      toned(fmt::format("options of model {}{}:", family.name,
                        of_given_model ? ", in place of those that it was trained with" : ""),
            Tone::strong),
      family_options_text(family), fmt::join(names, ", "));
}

void run(const Arguments& arguments) {
  if (arguments.positionals().empty()) { return print(root_help_text()); }
  const Command& command = find_command(arguments.positional(0));
  if (arguments.positionals().size() > 1) {
    if (command.bit != kPlot) {
      throw Error(ErrorCode::usage, fmt::format("argument '{}' is one too many: of the subcommands "
                                                "only plot has kinds; example: logodds help {}",
                                                arguments.positional(1), command.name));
    }
    return print(plot_help_text(plots::find_plot(arguments.positional(1))));
  }
  print(help_text(command, default_record(command)));
}

}  // namespace

std::string value_name(const OptionSpec& spec) {
  if (spec.type == OptionType::flag) { return ""; }
  if (!spec.form.empty()) { return spec.form; }
  if (spec.from_file) { return "FILE"; }
  if (!spec.choices.empty()) { return fmt::format("{}", fmt::join(spec.choices, "|")); }
  return spec.type == OptionType::integer ? "N" : "X";
}

std::string family_options_text(const FamilyRecord& family) {
  if (family.options.empty()) { return "  none\n"; }
  Terms terms;
  for (const OptionSpec& spec : family.options) {
    add_flag(terms, {.spec = spec, .value_name = value_name(spec)});
  }
  return terms.text();
}

std::string family_example(const FamilyRecord& family) {
  if (is_clustering(family.name)) {
    return fmt::format("logodds cluster geyser.csv {} -o geyser.model", family.example);
  }
  const bool many = family.capabilities.many_classes;
  return fmt::format("logodds train {} --model {}{}{} -o {}.model",
                     many ? "penguins.csv --target species" : "alarms.csv --target alarm",
                     family.name, family.example.empty() ? "" : " ", family.example,
                     many ? "penguins" : "alarms");
}

const FamilyRecord& default_record(const Command& command) {
  return command.clusters ? clusterings().front() : find_family(kDefaultFamily);
}

std::string help_text(const Command& command, const FamilyRecord& family) {
  std::string text =
      fmt::format("logodds {}: {}\n\n{} logodds {} {}\n", command.name, command.summary,
                  toned("usage:", Tone::strong), command.name, command.usage);
  if (!command.positionals.empty()) {
    text += fmt::format("\n{}\n{}", toned("arguments:", Tone::strong), arguments_text(command));
  }
  if (command.bit == kPlot) { text += kinds_section(); }
  const bool names_family = find_flag("model", command.bit) != nullptr;
  const FamilyRecord* const own = command.family_options ? &family : nullptr;
  text += fmt::format("\n{}\n{}", toned("options:", Tone::strong), flags_text(command, own));
  if (command.clusters) {
    text += clustering_section(family);
  } else if (command.family_options) {
    text += family_section(family, !names_family);
  }
  const std::string example = command.bit == kTrain || command.clusters
                                  ? family_example(family)
                                  : "logodds " + command.example;
  return text + fmt::format("\n{}\n  {}\n", toned("example:", Tone::strong), example);
}

std::string plot_help_text(const plots::PlotRecord& record) {
  Terms own;
  for (const OptionSpec& spec : record.options) {
    add_flag(own, {.spec = spec, .value_name = value_name(spec)});
  }
  Terms common;
  for (const Flag& flag : flags()) {
    const bool of_a_kind = std::ranges::any_of(
        plots::plot_kinds(), [&](const auto& kind) { return has_option(kind, flag.spec.name); });
    if ((flag.commands & kPlot) != 0 && !of_a_kind) { add_flag(common, flag); }
  }
  const auto section = [](const std::string& title, const std::string& body) {
    return body.empty() ? "" : fmt::format("\n{}\n{}", toned(title, Tone::strong), body);
  };
  return fmt::format(
             "logodds plot {}: {}\n\n{} logodds plot {} {} -o FILE.svg|.html|.png|.pdf | "
             "--terminal\n",
             record.name, record.summary, toned("usage:", Tone::strong), record.name,
             plot_usage(record.needs)) +
         section("arguments:", plot_arguments(record.needs)) +
         section(fmt::format("options of {}:", record.name), own.text()) +
         section("options of all kinds:", common.text()) +
         section("example:", fmt::format("  logodds plot {}\n", record.example));
}

std::string root_help_text() {
  std::string usage;
  Terms terms;
  for (const Command& command : commands()) {
    usage += fmt::format("  logodds {} {}\n", command.name, command.usage);
    terms.add("  " + command.name, command.summary);
  }
  return fmt::format(
      "logodds: probabilistic classification, from a CSV file to decisions\n\n"
      "{}\n{}\n{}\n{}\n{}\n{}\n{}\n"
      "  LOGODDS_SIMD  vector instructions to use: avx512, avx2, sse4 or plain (default: the "
      "best)\n"
      "  NO_COLOR      when set, no colors\n\n"
      "{}\n"
      "  logodds train penguins.csv --target species -o penguins.model\n"
      "  logodds evaluate penguins.model penguins.csv\n"
      "  logodds predict penguins.model penguins.csv --proba\n\n"
      "'logodds SUBCOMMAND --help' shows more.\n",
      toned("usage:", Tone::strong), usage, toned("subcommands:", Tone::strong), terms.text(),
      toned("options:", Tone::strong), flags_text(root_command(), nullptr),
      toned("environment:", Tone::strong), toned("example:", Tone::strong));
}

Command help_command() {
  return {.name = "help",
          .bit = kHelp,
          .summary = "show the help of a subcommand",
          .usage = "[SUBCOMMAND [KIND]]",
          .positionals = {{"SUBCOMMAND", "subcommand to explain", false},
                          {"KIND", "of plot: kind of picture to explain", false}},
          .example = "help train",
          .run = run};
}

}  // namespace logodds::app
