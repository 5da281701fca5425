#include "plots/plane_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "models/lists.hpp"
#include "plots/separation.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kMostCandidates = 40;  // columns whose pairs are compared
constexpr std::size_t kMostRows = 20000;     // of which pairs are compared

std::size_t find_number(const Schema& schema, const std::string& name, const std::string& option) {
  const std::vector<std::string> names = number_names(schema);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) { return static_cast<std::size_t>(found - names.begin()); }
  const bool other = std::ranges::any_of(schema.columns,
                                         [&](const Column& column) { return column.name == name; });
  throw Error(ErrorCode::usage, "option --" + option + ": '" + name + "' is no column " +
                                    (other ? "of numbers" : "of the model") +
                                    did_you_mean(name, names));
}

/// Rows and their classes that columns are compared by: every n-th of many.
struct ComparedRows {
  ComparedRows(const PlaneRows& rows, std::size_t columns)
      : numbers(rows.rows.numbers.data()), stride(columns * thinning(rows.rows.rows, kMostRows)) {
    const std::size_t every = thinning(rows.rows.rows, kMostRows);
    for (std::size_t r = 0; r < rows.rows.rows; r += every) { classes.push_back(rows.classes[r]); }
  }
  [[nodiscard]] double at(std::size_t r, std::size_t c) const { return numbers[r * stride + c]; }

  const double* numbers;
  std::size_t stride;
  std::vector<std::int32_t> classes{};
};

/// Scatter of two columns: sums of squares and products.
struct Scatter {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
};

/// Over the rows of one class that have both, in one pass (Welford 1962).
struct ClassScatter {
  double count = 0.0;
  double x = 0.0;  ///< means
  double y = 0.0;
  Scatter squares{};

  void add(double new_x, double new_y) {
    count += 1.0;
    const double step_x = new_x - x;
    const double step_y = new_y - y;
    x += step_x / count;
    y += step_y / count;
    squares.xx += step_x * (new_x - x);
    squares.xy += step_x * (new_y - y);
    squares.yy += step_y * (new_y - y);
  }
};

/// |W + B + e D| / |W + e D| with W and B the scatter within and between classes, D the diagonal of
/// W + B and e next to nothing: finite where a column is one number in each class, which then
/// counts as e^-1, and the ratio of one column where the other says the same. 0 where a column does
/// not vary.
double wilks_ratio(std::span<const ClassScatter> classes) {
  constexpr double kNothing = 1e-9;
  ClassScatter all;
  Scatter within;
  Scatter between;
  for (const ClassScatter& one : classes) {  // Chan, Golub & LeVeque (1983)
    if (one.count == 0.0) { continue; }
    const double step_x = one.x - all.x;
    const double step_y = one.y - all.y;
    const double weight = all.count * one.count / (all.count + one.count);
    between.xx += weight * step_x * step_x;
    between.xy += weight * step_x * step_y;
    between.yy += weight * step_y * step_y;
    within.xx += one.squares.xx;
    within.xy += one.squares.xy;
    within.yy += one.squares.yy;
    all.count += one.count;
    all.x += step_x * one.count / all.count;
    all.y += step_y * one.count / all.count;
  }
  const auto determinant = [&](double share) {
    const double xx = within.xx + share * between.xx + kNothing * (within.xx + between.xx);
    const double yy = within.yy + share * between.yy + kNothing * (within.yy + between.yy);
    const double xy = within.xy + share * between.xy;
    return xx * yy - xy * xy;
  };
  const double inside = determinant(0.0);
  return inside > 0.0 ? determinant(1.0) / inside : 0.0;
}

double separation_by(const ComparedRows& rows, std::size_t i, std::size_t j, std::size_t classes) {
  std::vector<ClassScatter> scatter(classes);
  for (std::size_t r = 0; r < rows.classes.size(); ++r) {
    const double x = rows.at(r, i);
    const double y = rows.at(r, j);
    if (rows.classes[r] < 0 || !std::isfinite(x) || !std::isfinite(y)) { continue; }
    scatter[static_cast<std::size_t>(rows.classes[r])].add(x, y);
  }
  return wilks_ratio(scatter);
}

/// The columns that separate the classes best by themselves, in schema order.
std::vector<std::size_t> candidates(const ComparedRows& rows, std::size_t numeric,
                                    std::size_t classes) {
  constexpr std::size_t kAtOnce = 256;  // columns, times classes in memory
  std::vector<std::size_t> all(numeric);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (numeric <= kMostCandidates) { return all; }
  std::vector<double> ratios;
  for (std::size_t first = 0; first < numeric; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, numeric - first);
    ColumnSeparation separation(count, classes);
    separation.add({.rows = rows.classes.size(),
                    .numeric = rows.numbers + first,
                    .numeric_columns = count,
                    .numeric_stride = rows.stride,
                    .codes = {}},
                   rows.classes);
    const std::vector<double> found = separation.ratios();
    ratios.insert(ratios.end(), found.begin(), found.end());
  }
  std::ranges::stable_sort(all, std::greater<>{}, [&](std::size_t c) { return ratios[c]; });
  all.resize(kMostCandidates);
  std::ranges::sort(all);
  return all;
}

/// The best pair among the columns, with `fixed` as one of them where there is one.
std::pair<std::size_t, std::size_t> best_pair(const PlaneRows& plane_rows, std::size_t numeric,
                                              std::size_t classes,
                                              std::optional<std::size_t> fixed) {
  const ComparedRows rows(plane_rows, numeric);
  std::vector<std::size_t> columns = candidates(rows, numeric, classes);
  if (fixed && std::ranges::find(columns, *fixed) == columns.end()) { columns.push_back(*fixed); }
  std::pair<std::size_t, std::size_t> best{0, 1};
  double most = -1.0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      if (fixed && columns[i] != *fixed && columns[j] != *fixed) { continue; }
      const double separation = separation_by(rows, columns[i], columns[j], classes);
      if (separation > most) {
        most = separation;
        best = {columns[i], columns[j]};
      }
    }
  }
  return best;
}

double mean_of(const PlaneRows& rows, std::size_t numeric, std::size_t column) {
  double mean = 0.0;
  double count = 0.0;
  for (std::size_t r = 0; r < rows.rows.rows; ++r) {
    const double value = rows.rows.numbers[r * numeric + column];
    if (!std::isfinite(value)) { continue; }
    count += 1.0;
    mean += (value - mean) / count;
  }
  return mean;
}

std::int32_t most_frequent(const std::vector<std::int32_t>& codes, std::size_t levels) {
  std::vector<std::size_t> counts(levels, 0);
  for (const std::int32_t code : codes) {
    if (code >= 0) { ++counts[static_cast<std::size_t>(code)]; }
  }
  return static_cast<std::int32_t>(std::ranges::max_element(counts) - counts.begin());
}

/// A column's position among those of its kind.
std::size_t position_of(const Schema& schema, const Column& column) {
  std::size_t position = 0;
  for (const Column& other : schema.columns) {
    if (&other == &column) { break; }
    if (other.coded() == column.coded() && other.text() == column.text()) { ++position; }
  }
  return position;
}

void set_value(const Schema& schema, const std::string& entry, Standing& standing) {
  const std::vector<std::string> sides = models::split(entry, '=');
  if (sides.size() != 2) {
    throw Error(ErrorCode::usage, "option --at: '" + entry +
                                      "' is not COLUMN=VALUE; write --at "
                                      "\"age=40,island=Biscoe\"");
  }
  const std::string name = models::unescaped(sides[0]);
  const std::string value = models::unescaped(sides[1]);
  const auto column = std::ranges::find(schema.columns, name, &Column::name);
  if (column == schema.columns.end() || column->text()) {
    std::vector<std::string> names;
    for (const Column& known : schema.columns) {
      if (!known.text()) { names.push_back(known.name); }
    }
    throw Error(ErrorCode::usage, "option --at: '" + name + "' is no column of numbers or levels" +
                                      " of the model" + did_you_mean(name, names));
  }
  const std::size_t position = position_of(schema, *column);
  if (!column->coded()) {
    const auto number = parse_number(value);
    if (!number) {
      throw Error(ErrorCode::usage,
                  "option --at: '" + value + "' is no number, as column '" + name + "' has them");
    }
    standing.numbers[position] = *number;
    return;
  }
  const auto level = std::ranges::find(column->levels, value);
  if (level == column->levels.end()) {
    throw Error(ErrorCode::usage, "option --at: column '" + name + "' has no level '" + value +
                                      "'" + did_you_mean(value, column->levels));
  }
  standing.codes[position] = static_cast<std::int32_t>(level - column->levels.begin());
}

}  // namespace

std::vector<std::string> number_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    if (column.number()) { names.push_back(column.name); }
  }
  return names;
}

std::pair<std::size_t, std::size_t> chosen_pair(const Schema& schema, const PlaneRows& rows,
                                                const Options& options) {
  const std::string& x_name = options.text("x");
  const std::string& y_name = options.text("y");
  std::optional<std::size_t> x;
  std::optional<std::size_t> y;
  if (!x_name.empty()) { x = find_number(schema, x_name, "x"); }
  if (!y_name.empty()) { y = find_number(schema, y_name, "y"); }
  if (x && y) {
    if (*x == *y) {
      throw Error(ErrorCode::usage,
                  "options --x and --y name the same column, '" + x_name + "'; name two");
    }
    return {*x, *y};
  }
  const std::size_t numeric = schema.numeric_count();
  auto pair = numeric == 2 ? std::pair<std::size_t, std::size_t>{0, 1}
                           : best_pair(rows, numeric, schema.labels.size(), x ? x : y);
  if ((x && pair.first != *x) || (y && pair.second != *y)) { std::swap(pair.first, pair.second); }
  return pair;
}

Standing standing_values(const Schema& schema, const PlaneRows& rows, const std::string& at) {
  Standing standing;
  const std::size_t numeric = schema.numeric_count();
  for (const Column& column : schema.columns) {
    if (column.number()) {
      const double mean = mean_of(rows, numeric, standing.numbers.size());
      const bool whole = column.kind == ColumnKind::count || column.kind == ColumnKind::binary;
      standing.numbers.push_back(whole ? std::round(mean) : mean);
    } else if (column.coded()) {
      standing.codes.push_back(
          most_frequent(rows.rows.codes[standing.codes.size()], column.levels.size()));
    }
  }
  if (!at.empty()) {
    for (const std::string& entry : models::split(at, ',')) { set_value(schema, entry, standing); }
  }
  return standing;
}

std::string standing_text(const Schema& schema, const Standing& standing,
                          const std::vector<bool>& free) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  std::size_t named = 0;
  for (const Column& column : schema.columns) {
    const std::size_t position = position_of(schema, column);
    if (column.text() || (column.number() && free[position])) { continue; }
    if (++named > kMostNamed) { continue; }
    text += (text.empty() ? "" : ", ") + column.name + " = " +
            (column.coded() ? column.levels[static_cast<std::size_t>(standing.codes[position])]
                            : draw::short_text(standing.numbers[position]));
  }
  if (named > kMostNamed) {
    text += " and " + std::to_string(named - kMostNamed) + " more columns at their " +
            "means or most frequent levels";
  }
  return text;
}

}  // namespace logodds::plots
