// Cross products to lines.
#include <cmath>
#include <limits>
#include <numbers>

#include "linalg/wide_least_squares.hpp"
#include "logodds/error.hpp"
#include "models/line/family.hpp"
#include "models/line/tails.hpp"

namespace logodds::models::line {

namespace {

using linalg::DoubleDouble;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Which columns of the statistic are regressed on which, and what they are called.
struct Task {
  linalg::WideTask columns;
  std::vector<std::string> names;  ///< of the regressors
  std::string response;
  bool intercept = true;
};

void check_range(const CrossProducts& products, const Task& task) {
  constexpr double kLeast = 1e-280;  // below, the second halves of the products are lost
  const auto check = [&](std::size_t column, const std::string& name) {
    const double square = products.at(column, column).value();
    const double sum = products.at(0, column).value();
    const bool small = square < kLeast * products.weight() && (square > 0.0 || sum != 0.0);
    if (std::isfinite(square) && std::isfinite(sum) && !small) { return; }
    throw Error(ErrorCode::numeric, "the values of column '" + name + "' are too " +
                                        (small ? "small" : "large") +
                                        " to be squared; give the column in another unit");
  };
  for (std::size_t j = task.intercept ? 1 : 0; j < task.names.size(); ++j) {
    check(task.columns.regressors[j], task.names[j]);
  }
  check(task.columns.response, task.response);
}

RegressionTerm term_of(const std::string& name, const linalg::WideFit& found, std::size_t j,
                       double deviation, double df) {
  RegressionTerm term{.name = name,
                      .coefficient = found.coefficients[j],
                      .standard_error = kNone,
                      .t = kNone,
                      .p = kNone,
                      .identifiable = found.identifiable[j] != 0};
  if (!term.identifiable || !(df > 0.0)) { return term; }
  term.standard_error = deviation * found.roots[j];
  if (term.standard_error > 0.0 || term.coefficient != 0.0) {
    term.t = term.coefficient / term.standard_error;
    term.p = student_two_sided(term.t, df);
  }
  return term;
}

/// F = (explained squares / explaining terms) / (residual squares / degrees of freedom).
void add_f(RegressionFit& fit, double total, double explaining) {
  fit.f = fit.f_p = kNone;
  if (!(fit.degrees_of_freedom > 0.0) || !(explaining > 0.0) || !(total > 0.0)) { return; }
  const double explained = std::max(total - fit.residual_squares, 0.0);
  fit.f = (explained / explaining) / (fit.residual_squares / fit.degrees_of_freedom);
  fit.f_p = fisher_upper(fit.f, explaining, fit.degrees_of_freedom);
}

RegressionFit regressed(const CrossProducts& products, const Task& task) {
  const auto found = linalg::least_squares(
      [&](std::size_t i, std::size_t j) { return products.at(i, j); }, task.columns);
  RegressionFit fit;
  fit.response = task.response;
  fit.weight = products.weight();
  fit.degrees_of_freedom = fit.weight - static_cast<double>(found.rank);
  fit.residual_squares = found.residual_squares;
  const double df = fit.degrees_of_freedom;
  fit.residual_deviation = df > 0.0 ? std::sqrt(fit.residual_squares / df) : kNone;
  const double total = task.intercept ? found.first_squares : found.squares;
  fit.r_squared = total > 0.0 ? 1.0 - fit.residual_squares / total : kNone;
  for (std::size_t j = 0; j < task.names.size(); ++j) {
    fit.terms.push_back(term_of(task.names[j], found, j, fit.residual_deviation, df));
  }
  add_f(fit, total, static_cast<double>(found.rank) - (task.intercept ? 1.0 : 0.0));
  return fit;
}

/// sum of w (a - mean)(b - mean) of two columns.
DoubleDouble centred(const CrossProducts& products, std::size_t a, std::size_t b) {
  return products.at(a, b) - products.at(0, a) * products.at(0, b) / products.at(0, 0);
}

double degrees(double radians) { return radians * (180.0 / std::numbers::pi); }

LinePair pair_of(const CrossProducts& products, std::size_t x, std::size_t y, const Task& back) {
  LinePair pair;
  pair.x_on_y = regressed(products, back);
  const DoubleDouble xx = centred(products, x, x);
  const DoubleDouble yy = centred(products, y, y);
  const DoubleDouble xy = centred(products, x, y);
  pair.correlation = (xy / sqrt(xx) / sqrt(yy)).value();
  // The lines run along (1, xy / xx) and (xy / yy, 1).
  const double across = (xx * yy - xy * xy).value();
  const double along = ((xx + yy) * xy).value();
  pair.angle = degrees(std::atan2(std::max(across, 0.0), std::abs(along)));
  pair.standard_angle = std::max(90.0 - 2.0 * degrees(std::atan(std::abs(pair.correlation))), 0.0);
  return pair;
}

bool varies(const CrossProducts& products, std::size_t column) {
  const double square = products.at(column, column).value();
  return centred(products, column, column).value() >
         linalg::kDependent * linalg::kDependent * square;
}

/// A single regressor that does not vary leaves no line of y on x: the points stand above each
/// other.
void check_varies(const CrossProducts& products, const Task& task) {
  if (!task.intercept || task.names.size() != 2) { return; }
  const std::size_t x = task.columns.regressors[1];
  if (varies(products, x)) { return; }
  const std::string value = format_number((products.at(0, x) / products.at(0, 0)).value());
  if (!varies(products, task.columns.response)) {
    throw Error(ErrorCode::numeric, "all rows are equal ('" + task.names[1] + "' is " + value +
                                        "), and one point tells no line; give rows that differ");
  }
  throw Error(ErrorCode::numeric, "'" + task.names[1] + "' is " + value +
                                      " in every row: the points lie on a vertical line, so '" +
                                      task.response + "' is no function of it; swap --x and --y");
}

Task task_of(const CrossProducts& products, const Schema& schema, const Design& design,
             bool intercept) {
  Task task;
  task.intercept = intercept;
  task.response = schema.columns.back().name;
  task.columns.response = products.position({.position = schema.numeric_count() - 1});
  if (intercept) {
    task.columns.regressors.push_back(0);
    task.names.emplace_back("(intercept)");
  }
  for (std::size_t i = 0; i < design.size(); ++i) {
    task.columns.regressors.push_back(products.position(design.columns()[i]));
    task.names.push_back(design.names()[i]);
  }
  return task;
}

/// The same columns the other way round.
Task reversed(const Task& task) {
  Task back = task;
  std::swap(back.columns.regressors[1], back.columns.response);
  std::swap(back.names[1], back.response);
  return back;
}

void note_dependent(const RegressionFit& fit, std::vector<std::string>& notes) {
  std::string names;
  std::size_t count = 0;
  for (const auto& term : fit.terms) {
    if (term.identifiable) { continue; }
    names += (count++ == 0 ? "'" : ", '") + term.name + "'";
  }
  if (count == 0) { return; }
  notes.push_back(names + (count == 1 ? " is constant or a linear function of the columns before "
                                        "it, so its coefficient is not identifiable and is "
                                        "taken as 0"
                                      : " are constant or linear functions of the columns before "
                                        "them, so their coefficients are not identifiable and "
                                        "are taken as 0"));
}

void note_freedom(const RegressionFit& fit, std::vector<std::string>& notes) {
  if (fit.degrees_of_freedom > 0.0) { return; }
  notes.push_back(
      "there are no more rows than coefficients, so the fit is exact and tells no "
      "standard errors");
}

}  // namespace

FittedLine LineFamily::estimate(const CrossProducts& statistics, EstimatorInput input) {
  const Schema& schema = input.schema;
  if (!schema.columns.back().number()) {
    throw Error(ErrorCode::usage, "column '" + schema.columns.back().name +
                                      "' (--y) holds words, and a line needs numbers; name a "
                                      "column of numbers");
  }
  Design design(regressors_of(schema), OneHot::reference);
  auto& notes = input.report.notes;
  if (const auto note = design.one_hot_note(); !note.empty()) { notes.push_back(note); }
  const Task task = task_of(statistics, schema, design, !input.options.flag("no-intercept"));
  check_range(statistics, task);
  check_varies(statistics, task);
  RegressionFit fit = regressed(statistics, task);
  note_dependent(fit, notes);
  note_freedom(fit, notes);
  std::optional<LinePair> pair;
  const bool two = task.intercept && design.size() == 1 && design.columns().front().level < 0;
  if (two && varies(statistics, task.columns.response)) {
    pair = pair_of(statistics, task.columns.regressors[1], task.columns.response, reversed(task));
  } else if (two) {
    notes.push_back("'" + task.response +
                    "' does not vary, so there is no line of the other column on it and no "
                    "correlation");
  }
  std::vector<std::pair<std::string, Cell>> facts{{"weight", statistics.weight()}};
  return {std::move(design), std::move(fit), std::move(pair), std::move(facts)};
}

}  // namespace logodds::models::line
