// A subcommand as a record: what main.cpp dispatches on and what --help shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::app {

class Arguments;

/// Subcommands as bits, so that a flag can say which of them take it.
using CommandSet = std::uint32_t;
inline constexpr CommandSet kRoot = 1U << 0U;
inline constexpr CommandSet kTrain = 1U << 1U;
inline constexpr CommandSet kPredict = 1U << 2U;
inline constexpr CommandSet kEvaluate = 1U << 3U;
inline constexpr CommandSet kInspect = 1U << 4U;
inline constexpr CommandSet kModels = 1U << 5U;
inline constexpr CommandSet kHelp = 1U << 6U;
inline constexpr CommandSet kUpdate = 1U << 7U;
inline constexpr CommandSet kMerge = 1U << 8U;
inline constexpr CommandSet kForget = 1U << 9U;
inline constexpr CommandSet kSample = 1U << 10U;
inline constexpr CommandSet kDefine = 1U << 11U;
inline constexpr CommandSet kProject = 1U << 12U;
inline constexpr CommandSet kCluster = 1U << 13U;
inline constexpr CommandSet kError = 1U << 15U;
inline constexpr CommandSet kLine = 1U << 14U;
inline constexpr CommandSet kCrossValidate = 1U << 24U;
inline constexpr CommandSet kCompare = 1U << 25U;
inline constexpr CommandSet kSplit = 1U << 20U;
inline constexpr CommandSet kThreshold = 1U << 21U;
inline constexpr CommandSet kCalibrate = 1U << 22U;
inline constexpr CommandSet kPlot = 1U << 16U;
inline constexpr CommandSet kReport = 1U << 17U;

struct Positional {
  std::string name;
  std::string help;
  bool required = true;
  bool repeated = false;  ///< takes all that follow; only the last one can
};

struct Command {
  std::string name;  ///< empty for the program itself
  CommandSet bit = 0;
  std::string summary;  ///< one line, no full stop
  std::string usage;    ///< what follows the name
  std::vector<Positional> positionals;
  std::string example;          ///< what follows "logodds ", without options of a family
  bool family_options = false;  ///< takes the options of a family: the one named by --model
  bool clusters = false;        ///< that family is a clustering
  void (*run)(const Arguments&) = nullptr;
};

// One function a file; commands.cpp lists them.
[[nodiscard]] Command train_command();
[[nodiscard]] Command cluster_command();
[[nodiscard]] Command predict_command();
[[nodiscard]] Command evaluate_command();
[[nodiscard]] Command update_command();
[[nodiscard]] Command merge_command();
[[nodiscard]] Command forget_command();
[[nodiscard]] Command sample_command();
[[nodiscard]] Command project_command();
[[nodiscard]] Command line_command();
[[nodiscard]] Command define_command();
[[nodiscard]] Command error_command();
[[nodiscard]] Command cv_command();
[[nodiscard]] Command compare_command();
[[nodiscard]] Command split_command();
[[nodiscard]] Command threshold_command();
[[nodiscard]] Command calibrate_command();
[[nodiscard]] Command plot_command();
[[nodiscard]] Command report_command();
[[nodiscard]] Command inspect_command();
[[nodiscard]] Command models_command();
[[nodiscard]] Command help_command();

/// All subcommands, in the order in which --help lists them.
[[nodiscard]] const std::vector<Command>& commands();
/// Throws Error(usage) with the nearest name when there is no such subcommand.
[[nodiscard]] const Command& find_command(std::string_view name);
/// The program itself: what `logodds --help` and `logodds --version` are parsed against.
[[nodiscard]] const Command& root_command();

}  // namespace logodds::app
