// logodds plot: draws a picture of a model, and of what it says about rows.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/logodds.hpp"
#include "logodds/plots/plots.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"

namespace logodds::app {

namespace {

using plots::Needs;
using plots::PlotInput;
using plots::PlotRecord;

const PlotRecord& kind_of(const Arguments& arguments) {
  return plots::find_plot(arguments.positional(0));
}

/// The flags that are options of some kind, as they were given.
std::map<std::string, std::string> kind_options(const Arguments& arguments) {
  std::map<std::string, std::string> given;
  for (const PlotRecord& record : plots::plot_kinds()) {
    for (const OptionSpec& spec : record.options) {
      if (arguments.has(spec.name)) { given.emplace(spec.name, arguments.text(spec.name)); }
    }
  }
  return given;
}

LabelUse label_use(const Arguments& arguments, const PlotRecord& record) {
  if (record.needs == Needs::labels || arguments.has("target")) { return LabelUse::required; }
  const bool optional =
      record.needs == Needs::labels_optional || record.needs == Needs::rows_optional;
  return optional ? LabelUse::if_there : LabelUse::unread;
}

std::unique_ptr<BlockSource> open_rows_for(const Arguments& arguments, const Model& model,
                                           const PlotRecord& record) {
  const std::string& path = arguments.positional(2);
  if (const auto* const classifier = dynamic_cast<const Classifier*>(&model)) {
    return open_bound(arguments, *classifier, path, label_use(arguments, record));
  }
  const CsvOptions options = csv_options(arguments);
  return label_use(arguments, record) == LabelUse::unread
             ? open_csv(path, options, model.schema(), false)
             : open_csv_labels_if_there(path, options, model.schema());
}

PlotInput input_of(const Arguments& arguments, const PlotRecord& record, const Model* model) {
  PlotInput input{.model = model};
  if (record.needs == Needs::tables) {
    for (std::size_t i = 1; i < arguments.positionals().size(); ++i) {
      input.tables.emplace_back(arguments.positional(i), arguments.positional(i));
    }
    return input;
  }
  if (arguments.positionals().size() > 2) {
    check_format_flags(arguments, arguments.positional(2));
    input.open_rows = [&arguments, model, &record] {
      return open_rows_for(arguments, *model, record);
    };
  }
  return input;
}

void check(const Arguments& arguments, const PlotRecord& record) {
  const std::size_t given = arguments.positionals().size();
  if (given < 2) {
    throw Error(ErrorCode::usage,
                fmt::format("{} is missing; example: logodds plot {}",
                            record.needs == Needs::tables ? "TABLE" : "MODEL", record.example));
  }
  if (record.needs != Needs::tables && given > 3) {
    throw Error(ErrorCode::usage,
                fmt::format("argument '{}' is one too many; example: logodds plot {}",
                            arguments.positional(3), record.example));
  }
  if (!arguments.has("terminal") && !arguments.has("output")) {
    throw Error(ErrorCode::usage,
                fmt::format("give -o FILE (.svg, .html, .png or .pdf), or --terminal to see it "
                            "here; example: logodds plot {}",
                            record.example));
  }
  if (arguments.has("terminal") && arguments.has("json")) {
    throw Error(ErrorCode::usage,
                "--terminal and --json both print to standard output; give one of them, and a "
                "picture beside --json with -o FILE");
  }
  if (!arguments.has("output")) { return; }
  static_cast<void>(draw::format_of(arguments.text("output")));
  for (std::size_t i = 1; i < given; ++i) {
    refuse_same_file(arguments.text("output"), arguments.positional(i));
  }
  refuse_option_files(arguments.text("output"), arguments);
  check_place(arguments.text("output"));
}

std::size_t terminal_columns(const Arguments& arguments) {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kMost = 160;
  if (arguments.has("characters")) {
    return static_cast<std::size_t>(arguments.integer("characters"));
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) { return kUsual; }
  return std::min<std::size_t>(size.ws_col, kMost);
}

/// COLORTERM is where terminals say that they know 24 bits.
draw::TerminalColors terminal_colors() {
  if (!colored()) { return draw::TerminalColors::none; }
  const char* const value = std::getenv("COLORTERM");
  const std::string_view depth = value == nullptr ? "" : value;
  return depth == "truecolor" || depth == "24bit" ? draw::TerminalColors::full
                                                  : draw::TerminalColors::indexed;
}

void show_in_terminal(const Arguments& arguments, const draw::Drawing& drawing) {
  print(draw::terminal(drawing,
                       {.columns = terminal_columns(arguments), .colors = terminal_colors()}));
}

void write_file(const Arguments& arguments, const draw::Drawing& drawing) {
  const std::string path = arguments.text("output");
  OutputFile file(path);
  file.write(draw::render(drawing, draw::format_of(path)));
  file.finish();
}

Json arrays_json(const std::vector<NamedArray>& arrays) {
  Json object = Json::object();
  for (const NamedArray& array : arrays) {
    object[array.name] = {{"shape", array.shape}, {"values", array.values}};
  }
  return object;
}

void report(const Arguments& arguments, const plots::Plot& plot, double seconds) {
  const std::string path = arguments.text("output");
  if (arguments.has("json")) {
    print_json({{"kind", arguments.positional(0)},
                {"file", path},
                {"title", plot.drawing.title},
                {"arrays", arrays_json(plot.arrays)},
                {"seconds", seconds},
                {"notes", plot.notes}});
  } else if (!arguments.has("quiet") && !path.empty()) {
    print_summary(fmt::format("wrote {}\n", printable(path)), path);
  }
  print_notes(plot.notes, arguments.has("quiet"));
}

void run(const Arguments& arguments) {
  const PlotRecord& record = kind_of(arguments);
  check(arguments, record);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto model = record.needs == Needs::tables ? nullptr : load_any(arguments.positional(1));
  const plots::PageWish page{.width = arguments.real("width"),
                             .height = arguments.real("height"),
                             .title = arguments.text("title")};
  const plots::Plot plot = plots::plot(record.name, input_of(arguments, record, model.get()),
                                       kind_options(arguments), page, make_context(arguments, bar));
  bar.erase();
  if (arguments.has("output")) { write_file(arguments, plot.drawing); }
  if (arguments.has("terminal")) { show_in_terminal(arguments, plot.drawing); }
  report(arguments, plot, watch.seconds());
}

}  // namespace

Command plot_command() {
  return {
      .name = "plot",
      .bit = kPlot,
      .summary = "draw a picture of a model, and of what it says about rows",
      .usage = "KIND MODEL [DATA] -o FILE.svg|.html|.png|.pdf | --terminal",
      .positionals = {{"KIND", "what to draw; 'logodds plot KIND --help' tells its own options"},
                      {"MODEL", "model file", false},
                      {"DATA", "rows: a CSV or TSV file, or what --format says, plain, .gz or .zst",
                       false, true}},
      .example = "plot regions penguins.model penguins.csv -o regions.svg",
      .run = run};
}

}  // namespace logodds::app
