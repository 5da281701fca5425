// logodds forget: takes rows away from a model; the result is the model of the others.
#include "arguments.hpp"
#include "fitting.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

namespace {

void run(const Arguments& arguments) {
  change_model(forget_command(), arguments, &logodds::forget, &DescriptiveModel::without,
               "forgotten");
}

}  // namespace

Command forget_command() {
  return {
      .name = "forget",
      .bit = kForget,
      .summary = "take the labelled rows of a file away from a model",
      .usage = "MODEL DATA [--OPTION VALUE ...] -o NEW",
      .positionals =
          {{"MODEL", "model file; -o may name the same file"},
           {"DATA",
            "labelled CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard "
            "input"}},
      .example = "forget penguins.model gone.csv -o penguins.model",
      .family_options = true,
      .run = run};
}

}  // namespace logodds::app
