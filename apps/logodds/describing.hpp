// What the subcommands share that make or show a descriptive model: axes, a line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "logodds/logodds.hpp"
#include "reading.hpp"

namespace logodds::app {

/// The options of this kind of model that the user wrote. Throws Error(usage) for one that belongs
/// to other kinds only; `chosen_by` ("--method") stands in the sentence.
[[nodiscard]] std::map<std::string, std::string> description_options(
    const Arguments& arguments, const DescriptiveRecord& record, std::string_view chosen_by);

struct Described {
  DescriptiveFit fit;
  std::string rows_are = "rows";  ///< as in Fitted
  double seconds = 0.0;
  std::string output;     ///< empty: the model was not saved
  std::string residuals;  ///< the file that they were written to, or empty
};

/// Saves the model where -o says, if it is given, and gathers what there is to say of it.
[[nodiscard]] Described finish_description(DescriptiveFit fit, const Arguments& arguments,
                                           const Stopwatch& watch,
                                           const std::string& rows_are = "rows");
/// Prints the summary, for people or as JSON, and the notes.
void report_description(const Described& described, const Arguments& arguments);

/// inspect, of a descriptive model.
void inspect_description(const DescriptiveModel& model, const Arguments& arguments);

/// merge: `models` are those of the files that the arguments name.
void merge_descriptions(const std::vector<std::unique_ptr<Model>>& models,
                        const Arguments& arguments, const Stopwatch& watch, ProgressBar& bar);

/// DescriptiveModel::updated or ::without.
using DescriptionChange = DescriptiveFit (DescriptiveModel::*)(BlockSource&, MissingRows,
                                                               const Context&) const;
/// update and forget: the model changed by the rows of the second argument, saved and reported.
void change_description(const DescriptiveModel& model, const Arguments& arguments,
                        DescriptionChange change, const std::string& rows_are,
                        const Stopwatch& watch, ProgressBar& bar);

}  // namespace logodds::app
