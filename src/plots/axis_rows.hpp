// Rows on the first two axes of a model, for plot pca and plot canonical.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/class_rows.hpp"

namespace logodds::plots {

struct AxisRows {
  std::size_t axes = 0;               ///< 1 or 2
  std::vector<std::string> titles;    ///< of the axes, with their shares
  std::vector<double> shares;         ///< of the axes in what all of them explain
  std::vector<double> coordinates;    ///< rows x axes
  std::vector<std::int32_t> classes;  ///< of the rows: an index of `names`, or kNoClass
  std::vector<std::string> names;     ///< of the classes; empty: there are none
  /// Correlations of the columns of numbers with the axes, columns x axes; empty where there are
  /// too many columns to draw.
  std::vector<double> loadings;
  std::vector<std::string> columns;
  std::string about;               ///< what the axes are of
  std::vector<std::string> notes;  ///< rows left out, and so on
  [[nodiscard]] std::size_t rows() const { return classes.size(); }
};

/// On principal axes: those of a model of them, or of the rows themselves for one that decides.
[[nodiscard]] AxisRows principal_rows(const PlotInput& input, const Context& context);
/// On axes that separate classes: of a model of them, or of a classifier that has some.
[[nodiscard]] AxisRows canonical_rows(const PlotInput& input, const Context& context);

}  // namespace logodds::plots
