// The text of --help, made from the records of subcommands, flags and families.
#pragma once

#include <string>
#include <string_view>

#include "command.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// The family whose options are shown when none is named.
[[nodiscard]] const FamilyRecord& default_record(const Command& command);
/// `family`: whose options are shown where the command takes them.
[[nodiscard]] std::string help_text(const Command& command, const FamilyRecord& family);
[[nodiscard]] std::string root_help_text();

/// The options of a family as lines of help.
[[nodiscard]] std::string family_options_text(const FamilyRecord& family);
/// A command line that makes one.
[[nodiscard]] std::string family_example(const FamilyRecord& family);

}  // namespace logodds::app
