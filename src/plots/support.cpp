#include "plots/support.hpp"

#include "logodds/error.hpp"
#include "logodds/text/counts.hpp"

namespace logodds::plots {

draw::Drawing new_drawing(const PageWish& page, double width, double height) {
  draw::Drawing drawing;
  drawing.width = page.width > 0.0 ? page.width : width;
  drawing.height = page.height > 0.0 ? page.height : height;
  return drawing;
}

std::string title_or(const PageWish& page, std::string title) {
  if (!page.title.empty()) { title = page.title; }
  return title;
}

const Classifier& classifier_of(const PlotInput& input, std::string_view kind) {
  if (const auto* const model = dynamic_cast<const Classifier*>(input.model)) { return *model; }
  const std::string family = input.model == nullptr ? "none" : input.model->family();
  throw Error(ErrorCode::usage, "plot " + std::string(kind) +
                                    " draws a model that decides, and this one (" + family +
                                    ") describes rows; take plot " +
                                    (family == "line" ? "lines" : "pca or canonical"));
}

const DescriptiveModel* descriptive_of(const PlotInput& input) {
  return dynamic_cast<const DescriptiveModel*>(input.model);
}

bool may_be_mixture(const Classifier& model) {
  if (model.family() != "gaussian" || !model.schema().target.empty()) { return false; }
  for (std::size_t k = 0; k < model.labels().size(); ++k) {
    if (model.labels()[k] != std::to_string(k + 1)) { return false; }
  }
  return true;
}

void add_left_out(std::vector<std::string>& notes, std::size_t rows, std::string_view why) {
  if (rows == 0) { return; }
  notes.push_back(grouped(rows) + (rows == 1 ? " row was" : " rows were") + " left out because " +
                  std::string(why));
}

void add_row_notes(std::vector<std::string>& notes, const ScoreReport& report) {
  add_left_out(notes, report.rows_skipped, "a value is missing");
  add_left_out(notes, report.rows_rejected, "no class is decided for");
}

std::string grouped(std::size_t value) { return logodds::grouped(value); }

std::size_t thinning(std::size_t rows, std::size_t most) { return (rows + most - 1) / most; }

std::string thinning_note(std::size_t rows, std::size_t every) {
  const std::string number = std::to_string(every);
  const bool teen = every % 100 / 10 == 1;
  const char* const ending = teen              ? "th"
                             : every % 10 == 1 ? "st"
                             : every % 10 == 2 ? "nd"
                             : every % 10 == 3 ? "rd"
                                               : "th";
  return "every " + number + ending + " of " + grouped(rows) + " points is drawn";
}

}  // namespace logodds::plots
