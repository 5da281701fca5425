#include "logodds/plots/plots.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "plots/support.hpp"

namespace logodds::plots {

#define LOGODDS_PLOT(name) PlotRecord name##_plot();
#include "plots/kinds.def"
#undef LOGODDS_PLOT

namespace {

void check_needs(const PlotRecord& record, const PlotInput& input) {
  if (record.needs == Needs::tables) {
    if (input.tables.empty()) {
      throw Error(ErrorCode::usage,
                  "plot " + record.name + " draws tables; give at least one file");
    }
    return;
  }
  if (input.model == nullptr) {
    throw Error(ErrorCode::usage, "plot " + record.name + " draws a model; give its file");
  }
  const bool rows = record.needs == Needs::rows || record.needs == Needs::labels_optional ||
                    (record.needs == Needs::labels && input.evaluation == nullptr);
  if (rows && !input.open_rows) {
    throw Error(ErrorCode::usage, "plot " + record.name +
                                      " needs rows beside the model; give a file of them: logodds "
                                      "plot " +
                                      record.example);
  }
}

}  // namespace

const std::vector<PlotRecord>& plot_kinds() {
  static const std::vector<PlotRecord> records{
#define LOGODDS_PLOT(name) name##_plot(),
#include "plots/kinds.def"
#undef LOGODDS_PLOT
  };
  return records;
}

const PlotRecord& find_plot(std::string_view name) {
  const auto found = std::ranges::find(plot_kinds(), name, &PlotRecord::name);
  if (found != plot_kinds().end()) { return *found; }
  std::vector<std::string> names;
  std::string list;
  for (const PlotRecord& record : plot_kinds()) {
    names.push_back(record.name);
    list += (list.empty() ? "" : ", ") + record.name;
  }
  throw Error(ErrorCode::usage, "there is no kind of picture '" + std::string(name) + "'; take " +
                                    list + did_you_mean(name, names));
}

Plot plot(std::string_view kind, const PlotInput& input,
          const std::map<std::string, std::string>& options, const PageWish& page,
          const Context& context) {
  const PlotRecord& record = find_plot(kind);
  const Options checked(record.options, options);
  check_needs(record, input);
  return record.draw(input, checked, page, context);
}

}  // namespace logodds::plots
