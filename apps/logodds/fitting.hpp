// What the subcommands that make a model share: where it goes, and the summary.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "describing.hpp"
#include "logodds/logodds.hpp"
#include "reading.hpp"

namespace logodds::app {

struct Fitted {
  Fit fit;
  /// What was done with the rows that were read: "rows" of a training, "added", "forgotten", or
  /// empty when none were.
  std::string rows_are = "rows";
  std::vector<std::string> notes;
  double seconds = 0.0;
  std::string output;
};

/// The family that is named; else the default, or the first that has all the options which are
/// given, and those of `more`: --covariance own speaks for gaussian.
[[nodiscard]] std::string chosen_family(const Arguments& arguments,
                                        std::map<std::string, std::string> more = {});
/// A family with an option --missing of its own decides itself.
[[nodiscard]] MissingRows training_missing(const Arguments& arguments, const FamilyRecord& family);
/// The options that it is trained with. Where no --model was named, --missing skip was read as the
/// command's own flag.
[[nodiscard]] std::map<std::string, std::string> training_options(const Arguments& arguments,
                                                                  const FamilyRecord& family);
/// Throws Error when -o is absent or no model can be written there.
void check_model_output(const Command& command, const Arguments& arguments);
/// The options of the family that the user wrote, with the contents of files where one takes a
/// file.
[[nodiscard]] std::map<std::string, std::string> family_options(const Arguments& arguments,
                                                                const FamilyRecord& family);
/// Throws Error(usage) when --trace names a file that holds the rows or a model.
void check_trace(const Arguments& arguments);
/// --trace FILE.csv: a header and a line an iteration; nothing without the flag, or a trace.
void write_trace(const FitReport& report, const Arguments& arguments);
/// The file is there completely or not at all.
void save_model(const Model& model, const std::string& path);
/// Saves the model of `fit`, where -o names a file, and gathers what there is to say of it.
[[nodiscard]] Fitted finish_fit(Fit fit, const Arguments& arguments, const Stopwatch& watch,
                                const std::string& rows_are = "rows");
/// "12 rows lack a value; they are used (--missing em)"
[[nodiscard]] std::string incomplete_text(const Fitted& fitted);
/// --trace -
[[nodiscard]] bool shows_trace(const Arguments& arguments);
/// Prints the summary, for people or as JSON, and the notes.
void report_fit(const Fitted& fitted, const Arguments& arguments);

/// update() or forget().
using RowChange = Fit (*)(const Classifier&, BlockSource&, const Context&, MissingRows,
                          const OptionChanges&);
/// Model and data are the arguments: the model, a classifier or a descriptive one, changed by the
/// rows, saved and reported.
void change_model(const Command& command, const Arguments& arguments, RowChange change,
                  DescriptionChange of_description, const std::string& rows_are);

}  // namespace logodds::app
