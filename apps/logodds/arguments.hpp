// The command line: one record a flag drives parsing, checks and help.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// A flag of the command itself. Its spec is the record that families use for theirs; a `choice`
/// without choices takes any text.
struct Flag {
  OptionSpec spec;
  std::string value_name;      ///< in help: "COLUMN"; empty for a switch
  CommandSet commands = 0;     ///< who takes it
  char letter = 0;             ///< -o for --output; 0: none
  std::string default_note{};  ///< in help, where the default is no fixed value: "all cores"
};

/// Every flag of every subcommand, in the order in which help lists them.
[[nodiscard]] const std::vector<Flag>& flags();
/// The flag of this name that `commands` take, or null.
[[nodiscard]] const Flag* find_flag(std::string_view name, CommandSet commands);

/// What the user wrote, split by the flags of one subcommand.
class Arguments {
 public:
  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }
  [[nodiscard]] const std::string& positional(std::size_t index) const {
    return positionals_.at(index);
  }
  [[nodiscard]] bool has(std::string_view flag) const { return values_.contains(flag); }
  /// The value as written, or the default of the flag's record.
  [[nodiscard]] std::string text(std::string_view flag) const;
  /// A number within the limits of the flag's record.
  [[nodiscard]] std::int64_t integer(std::string_view flag) const;
  [[nodiscard]] double real(std::string_view flag) const;
  /// The subcommand that they are for.
  [[nodiscard]] CommandSet command() const { return command_; }
  /// Options that belong to a family, not yet checked against it.
  [[nodiscard]] const std::map<std::string, std::string>& family_options() const {
    return family_options_;
  }

 private:
  friend class Parser;
  CommandSet command_ = 0;
  std::vector<std::string> positionals_;
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::string> family_options_;
};

/// The option of this name that a family has, or null.
[[nodiscard]] const OptionSpec* find_option(const FamilyRecord& family, std::string_view name);

/// What `logodds cluster` makes, with --soft or without.
[[nodiscard]] const FamilyRecord& clustering(bool soft);

/// Splits `words` (what follows the subcommand). An option of the family that --model names stands
/// before a flag of the same name; a value that only families know is theirs. Throws Error(usage)
/// for an unknown or repeated option, a missing value, or a value that the flag's record refuses.
[[nodiscard]] Arguments parse_arguments(const Command& command,
                                        const std::vector<std::string>& words);

/// Throws Error(usage) when a positional argument is absent, empty or left over.
void check_positionals(const Command& command, const Arguments& arguments);
/// Throws Error(usage) when `flag` is absent, with the command's example.
void require_flag(const Command& command, const Arguments& arguments, std::string_view flag);
/// Throws Error(usage) when an option was given that belongs to other families only.
void check_family_options(const Arguments& arguments, const FamilyRecord& record);

}  // namespace logodds::app
