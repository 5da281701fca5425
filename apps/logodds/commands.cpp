// The list of subcommands.
#include <algorithm>

#include "command.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::app {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      train_command(),   predict_command(), evaluate_command(),  cv_command(),
      compare_command(), inspect_command(), plot_command(),      report_command(),
      cluster_command(), update_command(),  merge_command(),     forget_command(),
      sample_command(),  project_command(), line_command(),      define_command(),
      error_command(),   split_command(),   threshold_command(), calibrate_command(),
      models_command(),  help_command()};
  return table;
}

const Command& find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  if (found != commands().end()) { return *found; }
  std::vector<std::string> names;
  for (const Command& command : commands()) { names.push_back(command.name); }
  const std::string suggestion = did_you_mean(name, names);
  throw Error(ErrorCode::usage,
              "there is no subcommand '" + std::string(name) + "'" +
                  (suggestion.empty() ? "; 'logodds --help' lists them" : suggestion));
}

const Command& root_command() {
  static const Command root = {.name = "",
                               .bit = kRoot,
                               .summary = "",
                               .usage = "SUBCOMMAND ...",
                               .positionals = {},
                               .example = "--help"};
  return root;
}

}  // namespace logodds::app
