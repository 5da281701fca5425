// The text of --help, made from the records of subcommands, flags and families.
#pragma once

#include <string>
#include <string_view>

#include "command.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// `family`: whose options are shown where the command takes them.
[[nodiscard]] std::string help_text(const Command& command, std::string_view family);
[[nodiscard]] std::string root_help_text();

/// The options of a family as lines of help.
[[nodiscard]] std::string family_options_text(const FamilyRecord& family);
/// A command line that trains one.
[[nodiscard]] std::string family_example(const FamilyRecord& family);

}  // namespace logodds::app
