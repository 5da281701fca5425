// logodds sample: rows drawn from the densities of a model, as CSV.
#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "csv_writing.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "logodds/parallel/blocks.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "scoring.hpp"

namespace logodds::app {

namespace {

/// Rows of a block as lines: the label, then the columns of the schema.
class SampleLines {
 public:
  explicit SampleLines(const Schema& schema) : schema_(schema) {
    for (const std::string& label : schema.labels) { labels_.push_back(csv_field(label)); }
    for (const Column& column : schema.columns) {
      if (!column.coded()) { continue; }
      levels_.emplace_back();
      for (const std::string& level : column.levels) { levels_.back().push_back(csv_field(level)); }
    }
  }

  [[nodiscard]] std::string header() const {
    std::string line = csv_field(schema_.target.empty() ? "class" : schema_.target);
    for (const Column& column : schema_.columns) { line += "," + csv_field(column.name); }
    return line + "\n";
  }

  void render(const RowBlock& block, std::string& text) const {
    for (std::size_t r = 0; r < block.rows; ++r) {
      text += labels_[static_cast<std::size_t>(block.labels[r])];
      render_features(block, r, text);
      text += '\n';
    }
  }

 private:
  void render_features(const RowBlock& block, std::size_t row, std::string& text) const {
    const double* number = block.numeric + row * block.numeric_stride;
    std::size_t coded = 0;
    for (const Column& column : schema_.columns) {
      text += ',';
      if (column.coded()) {
        text += levels_[coded][static_cast<std::size_t>(block.codes[coded][row])];
        ++coded;
      } else {
        append_number(text, *number++);
      }
    }
  }

  const Schema& schema_;
  std::vector<std::string> labels_;
  std::vector<std::vector<std::string>> levels_;  ///< one a coded column
};

struct DrawnBlock {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  RowBuffer buffer;
  std::string text;
};

void draw(const Classifier& model, const Generative& generative, std::size_t rows,
          const Context& context, OutputFile& file) {
  const SampleLines lines(model.schema());
  file.write(lines.header());
  std::size_t taken = 0;
  parallel::run_blocks<DrawnBlock>(
      context.threads, 1,
      [&](DrawnBlock& block) {
        block.first_row = taken;
        block.rows = std::min(kBlockRows, rows - taken);
        taken += block.rows;
        if (context.progress) {
          const double share = static_cast<double>(taken) / static_cast<double>(rows);
          context.progress({.what = "drawing", .fraction = share, .rows = taken});
        }
        return block.rows > 0;
      },
      [&](DrawnBlock& block) {
        generative.sample(context.seed, block.first_row, block.rows, block.buffer);
        block.text.clear();
        lines.render(block.buffer.view(), block.text);
      },
      [&](DrawnBlock& block, std::size_t) { file.write(block.text); });
}

void report(const Arguments& arguments, const Classifier& model, const std::string& output,
            double seconds) {
  const auto rows = static_cast<std::size_t>(arguments.integer("rows"));
  FactTable facts;
  facts.add("model", model.family());
  facts.add("rows", grouped(rows));
  facts.add("seed", arguments.text("seed"));
  facts.add("seconds", fmt::format("{:.3f}", seconds));
  facts.add("output", output);
  print_summary(arguments.has("json") ? json_text({{"model", model.family()},
                                                   {"rows", rows},
                                                   {"seed", arguments.integer("seed")},
                                                   {"seconds", seconds},
                                                   {"output", output}})
                                      : facts.text(),
                "the rows were written to " + output);
}

void check_drawable(const Classifier& model) {
  for (const Column& column : model.schema().columns) {
    if (!column.text()) { continue; }
    throw Error(ErrorCode::usage,
                fmt::format("column '{}' holds documents, and documents cannot be drawn from a bag "
                            "of words; take a model without text",
                            column.name));
  }
}

void run(const Arguments& arguments) {
  require_flag(sample_command(), arguments, "rows");
  const std::string output = table_output(arguments, "the rows");
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet") && output != "-");
  const auto model = load_model(arguments);
  check_drawable(*model);
  const Generative& generative = require_generative(*model, "'logodds sample'");
  OutputFile file(output);
  draw(*model, generative, static_cast<std::size_t>(arguments.integer("rows")),
       make_context(arguments, bar), file);
  file.finish();
  bar.erase();
  if (arguments.has("json") || (output != "-" && !arguments.has("quiet"))) {
    report(arguments, *model, output, watch.seconds());
  }
}

}  // namespace

Command sample_command() {
  return {.name = "sample",
          .bit = kSample,
          .summary = "draw labelled rows from the densities of a model, as CSV",
          .usage = "MODEL -n N [--seed S] [-o OUT.csv]",
          .positionals = {{"MODEL", "model file with densities, such as gaussian"}},
          .example = "sample penguins.model -n 1000 --seed 7 -o drawn.csv",
          .run = run};
}

}  // namespace logodds::app
