// Principal axes: eigenvectors of the covariance, from the scatter of many rows or from the Gram
// matrix of few.
#include <cmath>
#include <string>

#include "linalg/principal.hpp"
#include "logodds/error.hpp"
#include "logodds/stats/variance.hpp"
#include "models/axes/family.hpp"

namespace logodds::models::axes {

namespace {

using Eigen::Index;

/// What both routes end in: D columns, and axes over columns divided by `scale`.
struct Spectrum {
  Eigen::VectorXd center;
  Eigen::VectorXd scale;
  linalg::PrincipalAxes axes;
  std::size_t sums = 0;  ///< terms behind an eigenvalue, for its rounding
  std::string from;      ///< for the user
  std::vector<std::size_t> constant;
};

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::numeric, sentence); }

void check_weight(double weight) {
  if (weight > 1.0) { return; }
  refuse("a weight of " + format_number(weight) + " leaves nothing to divide by (n_samples = " +
         format_number(weight) + "): a variance has the divisor N - 1; give at least two rows");
}

/// Units of the columns: their deviations if those are asked for. A column that does not vary keeps
/// its own.
void take_units(Spectrum& spectrum, const Eigen::VectorXd& variances, bool standardize,
                const std::vector<std::string>& names) {
  spectrum.scale = Eigen::VectorXd::Ones(variances.size());
  for (Index i = 0; i < variances.size(); ++i) {
    if (!std::isfinite(variances(i))) {
      refuse("column '" + names[static_cast<std::size_t>(i)] +
             "': the variance overflows; divide its values by a constant first");
    }
    if (has_no_variance(variances(i), std::abs(spectrum.center(i)))) {
      spectrum.constant.push_back(static_cast<std::size_t>(i));
    } else if (standardize) {
      spectrum.scale(i) = std::sqrt(variances(i));
    }
  }
  if (spectrum.constant.size() == names.size()) {
    refuse("all rows are equal: nothing varies, so there is no axis; give rows that differ");
  }
}

/// Many rows: the D x D covariance out of the scatter.
Spectrum from_moments(const ClassMoments& moments, const Design& design, bool standardize) {
  Spectrum spectrum;
  const auto d = static_cast<Index>(design.size());
  std::vector<std::size_t> picked;
  for (const auto& column : design.columns()) { picked.push_back(moments.position(column)); }
  Eigen::MatrixXd covariance(d, d);
  spectrum.center.resize(d);
  for (Index i = 0; i < d; ++i) {
    const std::size_t a = picked[static_cast<std::size_t>(i)];
    spectrum.center(i) = moments.mean(0, a);
    for (Index j = 0; j < d; ++j) {
      covariance(i, j) =
          moments.scatter(0, a, picked[static_cast<std::size_t>(j)]) / (moments.weight() - 1.0);
    }
  }
  take_units(spectrum, covariance.diagonal(), standardize, design.names());
  const Eigen::VectorXd inverse = spectrum.scale.cwiseInverse();
  spectrum.axes = linalg::principal_axes(inverse.asDiagonal() * covariance * inverse.asDiagonal());
  spectrum.sums = design.size();
  spectrum.from = "the scatter matrix of the columns, " + std::to_string(d) + " x " +
                  std::to_string(d) + " (one pass over the rows)";
  return spectrum;
}

/// No more rows than columns: the N x N Gram matrix of the rows.
Spectrum from_rows(const TrainingRows& rows, const Design& design, bool standardize) {
  Spectrum spectrum;
  const RowBlock block = rows.view();
  std::vector<double> scratch;
  const DesignRows x = design.encode(block, scratch);
  const auto n = static_cast<Index>(x.rows);
  const auto d = static_cast<Index>(x.columns);
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> columns(
      x.data, d, n, Eigen::OuterStride<>(static_cast<Index>(x.stride)));
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
  for (Index r = 0; r < n; ++r) { weights(r) = block.weight(static_cast<std::size_t>(r)); }
  const double weight = weights.sum();
  // Around the first row: a mean as large as a shift of the columns would be rounded by so much
  // that what it leaves could be taken for an axis.
  const Eigen::VectorXd first = columns.col(0);
  const Eigen::MatrixXd off = columns.colwise() - first;
  const Eigen::VectorXd mean = off * (weights / weight);
  spectrum.center = first + mean;
  Eigen::MatrixXd centred = (off.colwise() - mean).transpose();
  centred.array().colwise() *= (weights / (weight - 1.0)).array().sqrt();
  take_units(spectrum, centred.colwise().squaredNorm(), standardize, design.names());
  centred.array().rowwise() /= spectrum.scale.array().transpose();
  spectrum.axes = linalg::principal_axes_of_rows(centred);
  spectrum.sums = static_cast<std::size_t>(d);
  spectrum.from = "the Gram matrix of the rows, " + std::to_string(n) + " x " + std::to_string(n) +
                  " (no more rows than columns)";
  return spectrum;
}

std::vector<double> row_major(const Eigen::MatrixXd& matrix) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
  return {rows.data(), rows.data() + rows.size()};
}

AxisSystem system_of(const Spectrum& spectrum, std::size_t count, double weight, bool whiten) {
  const auto m = static_cast<Index>(count);
  const Eigen::MatrixXd vectors = spectrum.axes.vectors.leftCols(m);
  const Eigen::VectorXd& values = spectrum.axes.values;
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(m);  // of a coordinate
  if (whiten) { unit = values.head(m).cwiseSqrt(); }
  // An axis along which nothing varies has no unit: its whitened coordinate is 0.
  const Eigen::VectorXd inverse =
      (unit.array() > 0.0).select(unit.cwiseInverse(), Eigen::VectorXd::Zero(m));
  AxisSystem system;
  system.center.assign(spectrum.center.begin(), spectrum.center.end());
  system.scale.assign(spectrum.scale.begin(), spectrum.scale.end());
  system.loadings = row_major(vectors.transpose());
  system.directions =
      row_major(spectrum.scale.cwiseInverse().asDiagonal() * vectors * inverse.asDiagonal());
  system.back = row_major(unit.asDiagonal() * vectors.transpose() * spectrum.scale.asDiagonal());
  system.values.assign(values.data(), values.data() + m);
  system.total = values.sum();
  for (Index left = 0; left <= m; ++left) {
    const double variance = values.tail(values.size() - left).sum();
    system.errors.push_back(std::sqrt(variance * ((weight - 1.0) / weight)));
  }
  system.weight = weight;
  return system;
}

void note_constants(const Spectrum& spectrum, const Design& design,
                    std::vector<std::string>& notes) {
  constexpr std::size_t kShown = 5;
  if (spectrum.constant.empty()) { return; }
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, spectrum.constant.size()); ++i) {
    names += (i == 0 ? "'" : ", '") + design.names()[spectrum.constant[i]] + "'";
  }
  if (spectrum.constant.size() > kShown) {
    names += " and " + std::to_string(spectrum.constant.size() - kShown) + " more";
  }
  const bool one = spectrum.constant.size() == 1;
  notes.push_back((one ? "column " : "columns ") + names +
                  (one ? " does not vary, so it has no part in any axis"
                       : " do not vary, so they have no part in any axis"));
}

}  // namespace

FittedAxes PrincipalFamily::estimate(const AxesStatistics& statistics, EstimatorInput input) {
  const bool standardize = input.options.flag("standardize");
  const double weight = statistics.weight();
  check_weight(weight);
  Design design(input.schema, OneHot::full);
  if (const auto note = design.one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  const Spectrum spectrum = statistics.rows() != nullptr
                                ? from_rows(*statistics.rows(), design, standardize)
                                : from_moments(*statistics.moments(), design, standardize);
  note_constants(spectrum, design, input.report.notes);
  const Eigen::VectorXd& values = spectrum.axes.values;
  const std::size_t varying = spectrum.axes.varying(spectrum.sums);
  const std::size_t count = ComponentCount(input.options.text("components"))
                                .chosen({values.data(), static_cast<std::size_t>(values.size())},
                                        varying, values.sum(), "principal");
  std::vector<std::pair<std::string, Cell>> facts{
      {"weight", weight},
      {"computed from", spectrum.from},
      {"axes", std::to_string(count) + " of " + std::to_string(varying) + " that vary"},
      {"total variance", values.sum()}};
  return {std::move(design),
          system_of(spectrum, count, weight, input.options.flag("whiten")),
          {.value = "variance",
           .error = "rms error",
           .direction = standardize ? "loadings: unit vectors over the columns in units of their "
                                      "deviations"
                                    : "loadings: unit vectors over the columns"},
          std::move(facts)};
}

}  // namespace logodds::models::axes
