#include "explanation_page.hpp"

#include "document_page.hpp"
#include "explanation.hpp"

namespace logodds::app {

ScoreReport write_explanation_page(const Arguments& arguments, const Classifier& model,
                                   BlockSource& source,
                                   const std::function<void(const std::string&)>& write,
                                   const Context& context, const ScoreRequest& request) {
  constexpr std::size_t kFew = 10;
  if (arguments.has("json")) {
    throw Error(ErrorCode::usage, "--json and --format html are two forms; ask for one of them");
  }
  const double base = log_base(arguments);
  const DocumentPage page(
      model, arguments.has("top") ? static_cast<std::size_t>(arguments.integer("top")) : kFew,
      base);
  write(DocumentPage::head());
  const ScoreReport report = explain_text(
      model, source,
      [&](const ExplainedBlock& block, std::string& text) { page.render(block, text); }, write,
      context, {.scoring = request, .log_base = base});
  write(DocumentPage::foot());
  return report;
}

}  // namespace logodds::app
