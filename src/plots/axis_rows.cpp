#include "plots/axis_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plots/class_marks.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kMostAxes = 2;
constexpr std::size_t kMostArrows = 12;

/// Coordinates and columns of the rows that lack nothing, as blocks hand them out.
class Gatherer {
 public:
  Gatherer(AxisRows& found, const RowClasses& classes, std::size_t columns)
      : found_(found), classes_(classes), columns_(columns <= kMostArrows ? columns : 0) {}

  void add(const RowBlock& block, std::span<const double> values) {
    for (std::size_t r = 0; r < block.rows; ++r, ++row_) {
      const auto z = values.subspan(r * found_.axes, found_.axes);
      if (std::isnan(z.front())) {
        ++incomplete_;
        continue;
      }
      found_.coordinates.insert(found_.coordinates.end(), z.begin(), z.end());
      found_.classes.push_back(classes_.any() ? classes_.of_row[row_] : kNoClass);
      const double* const x = block.numeric + r * block.numeric_stride;
      numbers_.insert(numbers_.end(), x, x + columns_);
    }
  }

  void finish() {
    if (found_.rows() == 0) {
      throw Error(ErrorCode::input, "every row lacks a value, so none has a place on the axes");
    }
    found_.loadings.resize(columns_ * found_.axes);
    for (std::size_t c = 0; c < columns_; ++c) {
      for (std::size_t a = 0; a < found_.axes; ++a) {
        found_.loadings[c * found_.axes + a] = correlation(c, a);
      }
    }
    if (columns_ == 0) { found_.columns.clear(); }
    add_left_out(found_.notes, incomplete_, "a value is missing");
  }

 private:
  /// 0 where either does not vary.
  [[nodiscard]] double correlation(std::size_t column, std::size_t axis) const {
    const std::size_t rows = found_.rows();
    const auto x = [&](std::size_t r) { return numbers_[r * columns_ + column]; };
    const auto z = [&](std::size_t r) { return found_.coordinates[r * found_.axes + axis]; };
    double mean_x = 0.0;
    double mean_z = 0.0;
    for (std::size_t r = 0; r < rows; ++r) {
      mean_x += (x(r) - mean_x) / static_cast<double>(r + 1);
      mean_z += (z(r) - mean_z) / static_cast<double>(r + 1);
    }
    double xx = 0.0;
    double zz = 0.0;
    double xz = 0.0;
    for (std::size_t r = 0; r < rows; ++r) {
      xx += (x(r) - mean_x) * (x(r) - mean_x);
      zz += (z(r) - mean_z) * (z(r) - mean_z);
      xz += (x(r) - mean_x) * (z(r) - mean_z);
    }
    return xx > 0.0 && zz > 0.0 ? xz / std::sqrt(xx) / std::sqrt(zz) : 0.0;
  }

  AxisRows& found_;
  const RowClasses& classes_;
  std::size_t columns_;
  std::size_t row_ = 0;
  std::size_t incomplete_ = 0;
  std::vector<double> numbers_{};  ///< rows x columns_
};

struct AxisWords {
  std::string axis;   ///< "principal axis"
  std::string share;  ///< "of the variance"
};

void take_shares(AxisRows& found, std::span<const double> values, double total,
                 const AxisWords& words) {
  found.axes = std::min(kMostAxes, values.size());
  for (std::size_t a = 0; a < found.axes; ++a) {
    found.shares.push_back(total > 0.0 ? values[a] / total : 0.0);
    found.titles.push_back(words.axis + " " + std::to_string(a + 1) + " (" +
                           draw::percent(found.shares[a]) + " " + words.share + ")");
  }
}

AxisRows rows_on(const FittedAxes& axes, const PlotInput& input, const AxisWords& words,
                 const Context& context) {
  const RowClasses classes = classes_of_rows(input, context);
  AxisRows found;
  found.names = classes.names;
  found.columns = number_columns(input.model->schema());
  take_shares(found, axes.system().values, axes.system().total, words);
  add_class_notes(found.notes, classes);
  Gatherer gatherer(found, classes, found.columns.size());
  const auto source = input.open_rows();
  project(
      axes, *source, found.axes,
      [&](const RowBlock& block, std::span<const double> z) { gatherer.add(block, z); }, context);
  gatherer.finish();
  return found;
}

/// The columns of numbers of all rows, row-major.
std::vector<double> all_numbers(const PlotInput& input, std::size_t columns) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 27U;  // 1 GiB
  std::vector<double> numbers;
  visit_rows(input, [&](const RowBlock& block) {
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const row = block.numeric + r * block.numeric_stride;
      numbers.insert(numbers.end(), row, row + columns);
    }
    if (numbers.size() > kMostNumbers) {
      throw Error(ErrorCode::usage,
                  "the rows are too many to find their axes here; make a file of the axes with "
                  "'logodds project DATA --method pca -o FILE' and draw that");
    }
  });
  return numbers;
}

AxisRows principal_rows_of_data(const PlotInput& input, const Context& context) {
  const RowClasses classes = classes_of_rows(input, context);
  AxisRows found;
  found.names = classes.names;
  found.columns = number_columns(input.model->schema());
  if (found.columns.empty()) {
    throw Error(ErrorCode::usage,
                std::string("plot pca draws columns of numbers, and the model has none; take ") +
                    (input.model->schema().text_count() > 0 ? "plot words" : "plot confusion"));
  }
  const std::size_t width = found.columns.size();
  const std::vector<double> numbers = all_numbers(input, width);
  const MatrixData data{.features = row_major(numbers.data(), numbers.size() / width, width),
                        .names = found.columns,
                        .allow_missing = true};
  const auto training = open_matrix(data);
  const DescriptiveFit fit = describe(*training, "pca", {{"standardize", "true"}}, context);
  const FittedAxes& axes = *fit.model->axes();
  take_shares(found, axes.system().values, axes.system().total,
              {"principal axis", "of the variance"});
  add_class_notes(found.notes, classes);
  found.about = "principal axes of these rows, columns in units of their deviations";
  Gatherer gatherer(found, classes, width);
  const auto source = open_matrix(data, fit.model->schema());
  project(
      axes, *source, found.axes,
      [&](const RowBlock& block, std::span<const double> z) { gatherer.add(block, z); }, context);
  gatherer.finish();
  return found;
}

/// The variance of the class means on every axis, classes weighted by their rows: what canonical
/// axes order themselves by, as these rows have it.
class SpreadOfMeans {
 public:
  SpreadOfMeans(std::size_t axes, const RowClasses& classes)
      : axes_(axes),
        classes_(classes),
        sums_(classes.names.size() * axes),
        counts_(classes.names.size()) {}

  void add(const RowBlock& block, std::span<const double> values) {
    for (std::size_t r = 0; r < block.rows; ++r, ++row_) {
      const std::int32_t k = classes_.of_row[row_];
      if (k < 0 || std::isnan(values[r * axes_])) { continue; }
      const auto place = static_cast<std::size_t>(k);
      counts_[place] += 1.0;
      for (std::size_t a = 0; a < axes_; ++a) { sums_[place * axes_ + a] += values[r * axes_ + a]; }
    }
  }

  [[nodiscard]] std::vector<double> variances() const {
    const double total = std::accumulate(counts_.begin(), counts_.end(), 0.0);
    std::vector<double> found(axes_, 0.0);
    for (std::size_t a = 0; a < axes_; ++a) {
      double mean = 0.0;
      for (std::size_t k = 0; k < counts_.size(); ++k) { mean += sums_[k * axes_ + a] / total; }
      for (std::size_t k = 0; k < counts_.size(); ++k) {
        if (counts_[k] == 0.0) { continue; }
        const double step = sums_[k * axes_ + a] / counts_[k] - mean;
        found[a] += counts_[k] / total * step * step;
      }
    }
    return found;
  }

 private:
  std::size_t axes_;
  const RowClasses& classes_;
  std::vector<double> sums_;  ///< classes x axes
  std::vector<double> counts_;
  std::size_t row_ = 0;
};

const Geometry& geometry_of(const Classifier& model) {
  const Geometry* const geometry = model.geometry();
  if (geometry == nullptr || geometry->axis_count() == 0) {
    throw Error(ErrorCode::usage,
                "plot canonical draws a model of family gaussian with at least two classes, or "
                "axes that 'logodds project DATA --target C --method canonical -o FILE' wrote, and "
                "this model of family " +
                    model.family() + " has no canonical axes; take plot pca");
  }
  return *geometry;
}

const FittedAxes* fitted_axes(const PlotInput& input, std::string_view kind) {
  const DescriptiveModel* const description = descriptive_of(input);
  if (description == nullptr) { return nullptr; }
  if (description->axes() == nullptr) {
    throw Error(ErrorCode::usage, "plot " + std::string(kind) +
                                      " draws axes, and this model is a line; take plot lines");
  }
  if (input.model->family() != kind) {
    throw Error(ErrorCode::usage, "the axes of this model are those of " + input.model->family() +
                                      "; take plot " + input.model->family());
  }
  return description->axes();
}

}  // namespace

AxisRows principal_rows(const PlotInput& input, const Context& context) {
  if (const FittedAxes* const axes = fitted_axes(input, "pca")) {
    return rows_on(*axes, input, {"principal axis", "of the variance"}, context);
  }
  return principal_rows_of_data(input, context);
}

AxisRows canonical_rows(const PlotInput& input, const Context& context) {
  const AxisWords words{"canonical axis", "of the spread between classes"};
  if (const FittedAxes* const axes = fitted_axes(input, "canonical")) {
    return rows_on(*axes, input, words, context);
  }
  const Geometry& geometry = geometry_of(classifier_of(input, "canonical"));
  const RowClasses classes = classes_of_rows(input, context);
  const std::size_t count = geometry.axis_count();
  SpreadOfMeans spread(count, classes);
  AxisRows found;
  found.names = classes.names;
  found.columns = number_columns(input.model->schema());
  found.axes = std::min(kMostAxes, count);
  add_class_notes(found.notes, classes);
  Gatherer gatherer(found, classes, found.columns.size());
  const auto source = input.open_rows();
  std::vector<double> first;
  project(
      geometry, *source, count,
      [&](const RowBlock& block, std::span<const double> z) {
        spread.add(block, z);
        first.clear();
        for (std::size_t r = 0; r < block.rows; ++r) {
          const auto row = z.subspan(r * count, found.axes);
          first.insert(first.end(), row.begin(), row.end());
        }
        gatherer.add(block, first);
      },
      context);
  const std::vector<double> variances = spread.variances();
  take_shares(found, variances, std::accumulate(variances.begin(), variances.end(), 0.0), words);
  gatherer.finish();
  return found;
}

}  // namespace logodds::plots
