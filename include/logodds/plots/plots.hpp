// Pictures of models and of what they say about rows: one record a kind.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/draw/drawing.hpp"
#include "logodds/models/model.hpp"
#include "logodds/registry/options.hpp"

namespace logodds {
struct Evaluation;
}

namespace logodds::plots {

/// What a picture is made of.
struct PlotInput {
  /// A Classifier or a DescriptiveModel; null for kinds that take tables alone.
  const Model* model = nullptr;
  /// Opens the rows, read against the model's schema, with their labels where they have some; each
  /// call from the first row on. Null: there are no rows.
  std::function<std::unique_ptr<BlockSource>()> open_rows{};
  /// What evaluate() says of the rows, where it is known already: kinds that draw measures
  /// (Needs::labels) then need no rows. All but confusion ask for MeasureOptions::keep_rows, and
  /// calibration for as many bins as it shows; an evaluation without them, or of decisions other
  /// than the options ask for, is made again from the rows. Null: likewise.
  std::shared_ptr<const Evaluation> evaluation{};
  /// Files of tables, for kinds that draw those (Needs::tables), with the names to show.
  std::vector<std::pair<std::string, std::string>> tables{};
};

/// A finished picture, and what it shows as numbers.
struct Plot {
  draw::Drawing drawing;
  std::vector<std::string> notes;  ///< sentences for the user: points left out, rows skipped
  /// What is drawn, in the units of the data: "boundary 1" (points x 2), "areas", ...
  std::vector<NamedArray> arrays;
};

enum class Needs : std::uint8_t { nothing, rows_optional, rows, labels_optional, labels, tables };

/// How large the page is, and what stands on it instead of the kind's own title; 0 and empty: as
/// the kind likes it.
struct PageWish {
  double width = 0.0;
  double height = 0.0;
  std::string title{};
};

struct PlotRecord {
  std::string name;
  std::string summary;  ///< one line, no full stop
  Needs needs = Needs::nothing;
  std::vector<OptionSpec> options;
  std::string example;  ///< what follows "logodds plot ": "regions penguins.model penguins.csv ..."
  Plot (*draw)(const PlotInput& input, const Options& options, const PageWish& page,
               const Context& context) = nullptr;
};

/// All kinds, in the order of src/plots/kinds.def.
[[nodiscard]] const std::vector<PlotRecord>& plot_kinds();
/// Throws Error(usage) with the nearest name when there is no such kind.
[[nodiscard]] const PlotRecord& find_plot(std::string_view name);

/// Checks the options against the kind's, and that there are the rows that it needs. Throws
/// Error(usage) with the kinds that fit where the model cannot be drawn like that.
[[nodiscard]] Plot plot(std::string_view kind, const PlotInput& input,
                        const std::map<std::string, std::string>& options = {},
                        const PageWish& page = {}, const Context& context = {});

}  // namespace logodds::plots
