#include "explanation.hpp"

#include <fmt/format.h>

#include <numbers>

#include "explanation_lines.hpp"
#include "explanation_page.hpp"
#include "sources.hpp"

namespace logodds::app {

double log_base(const Arguments& arguments) {
  const std::string text = arguments.text("log-base");
  if (text == "e") { return std::numbers::e; }
  const auto number = parse_number(text);
  if (!number || *number <= 1.0) {
    throw Error(ErrorCode::usage,
                fmt::format("--log-base {} is no base of logarithms; give e, or a number above 1 "
                            "such as 2 or 10",
                            text));
  }
  return *number;
}

void check_explain_flags(const Arguments& arguments) {
  if (!arguments.has("explain")) {
    for (const std::string_view flag : {"top", "log-base"}) {
      if (!arguments.has(flag)) { continue; }
      throw Error(ErrorCode::usage,
                  fmt::format("--{} says how to explain; give --explain as well", flag));
    }
    return;
  }
  for (const std::string_view flag : {"proba", "density", "distances", "neighbors"}) {
    if (!arguments.has(flag)) { continue; }
    throw Error(ErrorCode::usage,
                fmt::format("--explain writes explanations instead of a table, so --{0} has no "
                            "column to fill; run predict once with --explain and once with --{0}",
                            flag));
  }
  static_cast<void>(log_base(arguments));
}

ScoreReport write_explanations(const Arguments& arguments, const Classifier& model,
                               BlockSource& source,
                               const std::function<void(const std::string&)>& write,
                               const Context& context, const ScoreRequest& request) {
  if (format_choice(arguments).html) {
    return write_explanation_page(arguments, model, source, write, context, request);
  }
  const bool cut = arguments.has("top");
  const ExplanationLines lines(model,
                               {.json = arguments.has("json"),
                                .top = cut ? static_cast<std::size_t>(arguments.integer("top")) : 0,
                                .log_base = arguments.text("log-base")});
  return explain_text(
      model, source,
      [&](const ExplainedBlock& block, std::string& text) { lines.render(block, text); }, write,
      context, {.scoring = request, .log_base = log_base(arguments)});
}

}  // namespace logodds::app
