// logodds predict: the decision, and if asked the posteriors, for every row of a file, as CSV.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/decide/decide.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

/// A field as RFC 4180 wants it: in quotes where it holds a separator, a quote or an end of line,
/// and where it could be taken for an empty line or trimmed.
std::string csv_field(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     text.front() != ' ' && text.back() != ' ';
  if (plain) { return std::string(text); }
  std::string quoted = "\"";
  for (const char byte : text) { quoted.append(byte == '"' ? 2 : 1, byte); }
  return quoted + "\"";
}

/// Shortest decimal text that reads back as the same double, appended without an allocation.
void append_number(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// Makes the lines of a block; shared by all threads, so it only reads.
class Renderer {
 public:
  Renderer(const std::vector<std::string>& labels, bool posteriors)
      : classes_(labels.size()), posteriors_(posteriors) {
    header_ = "prediction";
    for (const std::string& label : labels) {
      fields_.push_back(csv_field(label));
      if (posteriors) { header_ += fmt::format(",{}", csv_field(fmt::format("p_{}", label))); }
    }
    header_ += "\n";
    // A line with nothing in it would be skipped by most readers of CSV.
    skipped_ = (posteriors ? std::string(classes_, ',') : std::string("\"\"")) + "\n";
  }

  [[nodiscard]] const std::string& header() const { return header_; }

  /// Appends to `text`.
  void render(const ScoredBlock& block, std::string& text) const {
    for (std::size_t r = 0; r < block.rows.rows; ++r) {
      if (!block.skipped.empty() && block.skipped[r] != 0) {
        text += skipped_;
      } else {
        render_row(block.posteriors.subspan(r * classes_, classes_), text);
      }
    }
  }

 private:
  void render_row(std::span<const double> posteriors, std::string& text) const {
    text += fields_[decide::argmax(posteriors)];
    if (posteriors_) {
      for (const double posterior : posteriors) {
        text += ',';
        append_number(text, posterior);
      }
    }
    text += '\n';
  }

  std::size_t classes_;
  bool posteriors_;
  std::string header_;
  std::string skipped_;
  std::vector<std::string> fields_;
};

struct Prediction {
  ScoreReport report;
  std::vector<std::string> notes;
  std::string family;
  double seconds = 0.0;
};

void check(const Arguments& arguments) {
  if (arguments.has("json") && !arguments.has("output")) {
    throw Error(ErrorCode::usage,
                "--json prints a summary where the predictions would go; give the predictions a "
                "file with -o OUT.csv");
  }
  if (!arguments.has("output")) { return; }
  refuse_same_file(arguments.text("output"), arguments.positional(0));
  refuse_same_file(arguments.text("output"), arguments.positional(1));
  if (arguments.text("output") != "-") { check_place(arguments.text("output")); }
}

Prediction predict(const Arguments& arguments, const std::string& output) {
  const Stopwatch watch;
  const bool on_screen = output == "-" && isatty(STDOUT_FILENO) == 1;
  ProgressBar bar(!arguments.has("quiet") && !on_screen);
  const auto model = load_model(arguments);
  const auto source =
      open_csv(arguments.positional(1), csv_options(arguments), model->schema(), false);
  const Renderer renderer(model->labels(), arguments.has("proba"));
  OutputFile file(output);
  file.write(renderer.header());
  Prediction result;
  result.family = model->family();
  result.report = score_text(
      *model, *source,
      [&](const ScoredBlock& block, std::string& text) { renderer.render(block, text); },
      [&](const std::string& text) { file.write(text); }, make_context(arguments, bar),
      missing_rows(arguments));
  file.finish();
  result.seconds = watch.seconds();
  result.notes = score_notes(*source, result.report);
  return result;
}

std::string text_as_json(const Prediction& prediction, const std::string& output) {
  return json_text({{"model", prediction.family},
                    {"rows", prediction.report.rows},
                    {"rows_skipped", prediction.report.rows_skipped},
                    {"unseen_levels", prediction.report.unseen_levels},
                    {"seconds", prediction.seconds},
                    {"output", output},
                    {"notes", prediction.notes}});
}

std::string text_for_people(const Prediction& prediction, const std::string& output) {
  FactTable facts;
  facts.add("model", prediction.family);
  facts.add("rows", grouped(prediction.report.rows));
  if (prediction.report.rows_skipped > 0) {
    facts.add("skipped", grouped(prediction.report.rows_skipped) + " (a value is missing)");
  }
  facts.add("seconds", fmt::format("{:.3f}", prediction.seconds));
  facts.add("output", output);
  return facts.text();
}

void run(const Arguments& arguments) {
  check(arguments);
  const std::string output = arguments.has("output") ? arguments.text("output") : "-";
  const Prediction prediction = predict(arguments, output);
  if (arguments.has("json") || (output != "-" && !arguments.has("quiet"))) {
    print_summary(arguments.has("json") ? text_as_json(prediction, output)
                                        : text_for_people(prediction, output),
                  "the predictions were written to " + output);
  }
  print_notes(prediction.notes, arguments.has("quiet"));
}

}  // namespace

Command predict_command() {
  return {.name = "predict",
          .bit = kPredict,
          .summary = "decide the class of every row of a file, as CSV",
          .usage = "MODEL DATA [-o OUT.csv] [--proba]",
          .positionals = {{"MODEL", "model file that 'logodds train' wrote"},
                          {"DATA", "CSV or TSV file, plain, .gz or .zst; - is standard input"}},
          .example = "predict penguins.model new.csv --proba -o predictions.csv",
          .run = run};
}

}  // namespace logodds::app
