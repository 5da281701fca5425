// Axes that rows are projected on, and those that a fit has found.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/models/description.hpp"
#include "logodds/models/model.hpp"

namespace logodds {

class Axes {
 public:
  Axes() = default;
  Axes(const Axes&) = default;
  Axes(Axes&&) = default;
  Axes& operator=(const Axes&) = default;
  Axes& operator=(Axes&&) = default;
  virtual ~Axes() = default;

  [[nodiscard]] virtual std::size_t axis_count() const = 0;
  /// Coordinates on the first `axes` of them, row-major rows x axes. A missing value makes its row
  /// NaN.
  virtual void project(const RowBlock& block, std::size_t axes, std::span<double> out) const = 0;
};

/// M axes over D design columns (numbers, and an indicator a level). Matrices are row-major.
struct AxisSystem {
  std::vector<double> center;      ///< D: the point that is the origin
  std::vector<double> scale;       ///< D: units of the columns; 1 unless they are standardized
  std::vector<double> loadings;    ///< M x D: the axes, in those units
  std::vector<double> directions;  ///< D x M: coordinates z = (x - center) directions
  std::vector<double> back;        ///< M x D: a row is rebuilt as center + z back
  std::vector<double> values;      ///< M: eigenvalues, falling
  double total = 0.0;              ///< sum of all eigenvalues, of axes left out as well
  /// M + 1: the root of the mean squared distance between a row and what is rebuilt of it from the
  /// first 0, 1, ... M axes, in the units of the axes.
  std::vector<double> errors;
  double weight = 0.0;  ///< of the rows
};

/// The words for one method's tables.
struct AxesWords {
  std::string value;      ///< what an eigenvalue is: "variance"
  std::string error;      ///< what is left: "rms error"
  std::string direction;  ///< what the loadings are: "loadings (unit vectors)"
};

class FittedAxes : public Axes {
 public:
  FittedAxes(Design design, AxisSystem system, AxesWords words,
             std::vector<std::pair<std::string, Cell>> facts);

  [[nodiscard]] std::size_t axis_count() const override { return system_.values.size(); }
  void project(const RowBlock& block, std::size_t axes, std::span<double> out) const override;
  /// What the first `axes` axes leave of every row: row-major rows x design columns, in the
  /// columns' own units. A missing value makes its row NaN.
  void reconstruct(const RowBlock& block, std::size_t axes, std::span<double> out) const;
  /// The same from coordinates on the first `axes` axes, row-major rows x axes.
  void rebuild(std::span<const double> coordinates, std::size_t axes, std::span<double> out) const;

  /// "bill_length", "island=Biscoe", ...
  [[nodiscard]] const std::vector<std::string>& column_names() const { return design_.names(); }
  [[nodiscard]] const AxisSystem& system() const { return system_; }
  [[nodiscard]] Description describe() const;
  /// center, scale, loadings, directions, back, eigenvalues, errors; total and weight of shape 1.
  [[nodiscard]] std::vector<NamedArray> arrays() const;

 private:
  Design design_;
  AxisSystem system_;
  AxesWords words_;
  std::vector<std::pair<std::string, Cell>> facts_;
};

}  // namespace logodds
