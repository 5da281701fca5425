#include "plots/plane_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "models/lists.hpp"

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

/// Weights, means and scatter of some columns by class, over the rows that have them all.
struct Moments {
  std::size_t size = 0;
  std::vector<double> within;   ///< size x size
  std::vector<double> between;  ///< size x size

  [[nodiscard]] double separation(std::size_t i, std::size_t j) const {
    const double inside = determinant(i, j, 0.0);
    const double scale = within[i * size + i] * within[j * size + j];
    if (!(inside > 1e-12 * scale)) { return 0.0; }  // one column twice
    return determinant(i, j, 1.0) / inside;
  }
  /// |W + share B| in two columns.
  [[nodiscard]] double determinant(std::size_t i, std::size_t j, double share) const {
    const auto at = [&](std::size_t r, std::size_t c) {
      return within[r * size + c] + share * between[r * size + c];
    };
    return at(i, i) * at(j, j) - at(i, j) * at(i, j);
  }
  [[nodiscard]] double separation(std::size_t i) const {
    return within[i * size + i] > 0.0 ? between[i * size + i] / within[i * size + i] : 0.0;
  }
};

class MomentsMaker {
 public:
  MomentsMaker(const PlaneRows& rows, std::size_t numeric, std::vector<std::size_t> columns)
      : rows_(rows), numeric_(numeric), columns_(std::move(columns)) {}

  Moments make(std::size_t classes) {
    const std::size_t d = columns_.size();
    weights_.assign(classes, 0.0);
    means_.assign(classes * d, 0.0);
    for_rows([&](std::size_t k, const std::vector<double>& x) {
      weights_[k] += 1.0;
      for (std::size_t i = 0; i < d; ++i) {
        means_[k * d + i] += (x[i] - means_[k * d + i]) / weights_[k];
      }
    });
    Moments moments{d, std::vector<double>(d * d), std::vector<double>(d * d)};
    for_rows([&](std::size_t k, const std::vector<double>& x) {
      add_square(moments.within, 1.0, [&](std::size_t i) { return x[i] - means_[k * d + i]; });
    });
    const std::vector<double> mean = overall_mean();
    for (std::size_t k = 0; k < classes; ++k) {
      add_square(moments.between, weights_[k],
                 [&](std::size_t i) { return means_[k * d + i] - mean[i]; });
    }
    return moments;
  }

 private:
  template <class Use>
  void for_rows(const Use& use) const {
    std::vector<double> x(columns_.size());
    const std::size_t every = thinning(rows_.rows.rows, kMostRows);
    for (std::size_t r = 0; r < rows_.rows.rows; r += every) {
      if (rows_.classes[r] < 0) { continue; }
      bool complete = true;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = rows_.rows.numbers[r * numeric_ + columns_[i]];
        complete = complete && std::isfinite(x[i]);
      }
      if (complete) { use(static_cast<std::size_t>(rows_.classes[r]), x); }
    }
  }

  template <class Value>
  void add_square(std::vector<double>& square, double weight, const Value& value) const {
    const std::size_t d = columns_.size();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) { square[i * d + j] += weight * value(i) * value(j); }
    }
  }

  [[nodiscard]] std::vector<double> overall_mean() const {
    const std::size_t d = columns_.size();
    std::vector<double> mean(d, 0.0);
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (std::size_t k = 0; k < weights_.size() && total > 0.0; ++k) {
      for (std::size_t i = 0; i < d; ++i) { mean[i] += weights_[k] / total * means_[k * d + i]; }
    }
    return mean;
  }

  const PlaneRows& rows_;
  std::size_t numeric_;
  std::vector<std::size_t> columns_;
  std::vector<double> weights_;
  std::vector<double> means_;
};

/// The columns that separate the classes best by themselves, in schema order.
std::vector<std::size_t> candidates(const PlaneRows& rows, std::size_t numeric,
                                    std::size_t classes) {
  std::vector<std::size_t> all(numeric);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (numeric <= kMostCandidates) { return all; }
  std::vector<double> separations;
  for (const std::size_t column : all) {
    separations.push_back(MomentsMaker(rows, numeric, {column}).make(classes).separation(0));
  }
  std::ranges::stable_sort(all, std::greater<>{}, [&](std::size_t c) { return separations[c]; });
  all.resize(kMostCandidates);
  std::ranges::sort(all);
  return all;
}

/// The best pair among the columns, with `fixed` as one of them where there is one.
std::pair<std::size_t, std::size_t> best_pair(const PlaneRows& rows, std::size_t numeric,
                                              std::size_t classes,
                                              std::optional<std::size_t> fixed) {
  std::vector<std::size_t> columns = candidates(rows, numeric, classes);
  if (fixed && std::ranges::find(columns, *fixed) == columns.end()) { columns.push_back(*fixed); }
  const Moments moments = MomentsMaker(rows, numeric, columns).make(classes);
  std::pair<std::size_t, std::size_t> best{0, 1};
  double most = -1.0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      if (fixed && columns[i] != *fixed && columns[j] != *fixed) { continue; }
      const double separation = moments.separation(i, j);
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
