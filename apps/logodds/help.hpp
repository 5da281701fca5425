// The text of --help, made from the records of subcommands, flags and families.
#pragma once

#include <string>
#include <string_view>

#include "command.hpp"
#include "logodds/plots/plots.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// The family whose options are shown when none is named.
[[nodiscard]] const FamilyRecord& default_record(const Command& command);
/// `family`: whose options are shown where the command takes them.
[[nodiscard]] std::string help_text(const Command& command, const FamilyRecord& family);
/// Of one kind of picture: its own options, and those of all kinds.
[[nodiscard]] std::string plot_help_text(const plots::PlotRecord& record);
[[nodiscard]] std::string root_help_text();

/// What stands for the value of an option of a family: its choices, or its type.
[[nodiscard]] std::string value_name(const OptionSpec& spec);
/// The options of a family as lines of help.
[[nodiscard]] std::string family_options_text(const FamilyRecord& family);
/// A command line that makes one.
[[nodiscard]] std::string family_example(const FamilyRecord& family);

}  // namespace logodds::app
