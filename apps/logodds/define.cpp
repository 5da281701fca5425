// logodds define: a Gaussian model written by hand instead of trained.
#include <fmt/format.h>

#include "arguments.hpp"
#include "definition.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "tables.hpp"
#include "text_file.hpp"

namespace logodds::app {

namespace {

std::unique_ptr<Classifier> defined_model(const GaussianDefinition& definition,
                                          const std::string& name) {
  try {
    return define_gaussian(definition);
  } catch (const Error& error) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name, error.what()));
  }
}

std::string text_as_json(const Classifier& model, const std::string& output,
                         const std::vector<std::string>& notes) {
  return json_text({{"model", model.family()},
                    {"options", options_json(model)},
                    {"target", model.schema().target},
                    {"classes", model.labels()},
                    {"columns", columns_json(model.schema())},
                    {"output", output},
                    {"notes", notes}});
}

std::string text_for_people(const Classifier& model, const std::string& output) {
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("target", model.schema().target);
  facts.add("classes", few(model.labels()));
  facts.add("output", output);
  return facts.text() + "\n" + columns_table(model.schema());
}

void run(const Arguments& arguments) {
  check_model_output(define_command(), arguments);
  const std::string& name = arguments.positional(0);
  const std::string output = arguments.text("output");
  refuse_same_file(output, name);
  std::vector<std::string> notes;
  const auto model =
      defined_model(parse_definition(read_text_file(name, "SPEC.json"), name, notes), name);
  save_model(*model, output);
  if (arguments.has("json") || !arguments.has("quiet")) {
    print_summary(arguments.has("json") ? text_as_json(*model, output, notes)
                                        : text_for_people(*model, output),
                  "the model was written to " + output);
  }
  print_notes(notes, arguments.has("quiet"));
}

}  // namespace

Command define_command() {
  return {.name = "define",
          .bit = kDefine,
          .summary = "make a Gaussian model from means and covariances written by hand",
          .usage = "SPEC.json -o MODEL",
          .positionals = {{"SPEC.json",
                           "JSON object: classes, means, covariances (one a class) or covariance "
                           "(of all), and if you like priors, columns, target"}},
          .example = "define two_gaussians.json -o two.model",
          .run = run};
}

}  // namespace logodds::app
