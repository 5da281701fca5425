// logodds update: adds the rows of a file to a model; the result is the model of all rows.
#include "arguments.hpp"
#include "fitting.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

namespace {

void run(const Arguments& arguments) {
  change_model(update_command(), arguments, &logodds::update, &DescriptiveModel::updated, "added");
}

}  // namespace

Command update_command() {
  return {
      .name = "update",
      .bit = kUpdate,
      .summary = "add the labelled rows of a file to a model",
      .usage = "MODEL DATA [--OPTION VALUE ...] -o NEW",
      .positionals =
          {{"MODEL", "model file; -o may name the same file"},
           {"DATA",
            "labelled CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard "
            "input"}},
      .example = "update penguins.model new.csv -o penguins.model",
      .family_options = true,
      .run = run};
}

}  // namespace logodds::app
