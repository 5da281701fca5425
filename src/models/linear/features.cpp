#include "models/linear/features.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "models/design_parts.hpp"
#include "models/linear/splines.hpp"

namespace logodds::models::linear {

namespace {

constexpr const char* kCenter = "basis.center";
constexpr const char* kKnots = "basis.knots";

/// Weighted, in two passes: the second adds the mean of what the rounding of the first left over.
double column_mean(const RowBlock& rows, std::size_t column) {
  double mean = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      sum += rows.weight(r) * (rows.numeric[r * rows.numeric_stride + column] - mean);
      weight += rows.weight(r);
    }
    mean += sum / weight;
  }
  return mean;
}

std::vector<double> column_values(const RowBlock& rows, std::size_t column) {
  std::vector<double> values(rows.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    values[r] = rows.numeric[r * rows.numeric_stride + column];
  }
  return values;
}

[[noreturn]] void refuse_overflow(const std::string& feature) {
  throw Error(ErrorCode::numeric,
              "the feature '" + feature +
                  "' that --basis makes overflows: its values are above 1e150; give its columns in "
                  "other units, or take a lower degree");
}

void refuse_sparse() {
  throw Error(ErrorCode::usage,
              "--basis needs rows with all their columns, and these are sparse; leave --basis out, "
              "or give the rows as a table");
}

}  // namespace

OptionSpec basis_option() {
  return {.name = "basis",
          .type = OptionType::text,
          .default_value = "none",
          .help =
              "functions of the columns to take besides the columns themselves: powers and "
              "products up to a degree, natural cubic splines with so many knots between the "
              "ends, or products of two columns",
          .form = "none|polynomial:DEGREE|spline:KNOTS|interactions",
          .canonical = [](const std::string& value) {
            const BasisWish wish = parse_basis(value);
            const std::string name = value.substr(0, value.find(':'));
            const bool numbered = name.size() != value.size();
            return numbered ? name + ":" + std::to_string(wish.number) : value;
          }};
}

Features::Features(const Schema& schema, OneHot one_hot) : design_(schema, one_hot) {
  auto parts = design_parts(schema, design_);
  if (numbers() != schema.columns.size()) { parts_ = std::move(parts.names); }
  of_feature_ = std::move(parts.of_design);
}

Features Features::fitted(const Schema& schema, OneHot one_hot, const std::string& basis,
                          const RowBlock& rows, Centering centering) {
  Features features(schema, one_hot);
  features.wish_ = parse_basis(basis);
  if (features.plain()) { return features; }
  if (rows.is_sparse()) { refuse_sparse(); }
  if (features.wish_.kind == BasisKind::spline) {
    features.fit_splines(schema, rows);
  } else {
    features.products_ = Products(schema, features.design_, features.wish_);
    features.name_products();
    features.fit_products(rows, centering);
  }
  return features;
}

std::size_t Features::numbers() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(design_.columns(), [](const auto& c) { return c.level < 0; }));
}

/// The largest that a product can be is that of the largest values of its columns.
void Features::fit_products(const RowBlock& rows, Centering centering) {
  center_.assign(design_.size(), 0.0);
  std::vector<double> largest(design_.size(), 1.0);
  for (std::size_t c = 0; c < numbers(); ++c) {
    if (centering == Centering::means) { center_[c] = column_mean(rows, c); }
    largest[c] = 0.0;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const double value = rows.numeric[r * rows.numeric_stride + c] - center_[c];
      largest[c] = std::max(largest[c], std::abs(value));
    }
    if (!std::isfinite(center_[c])) { refuse_overflow(design_.names()[c]); }
  }
  std::vector<double> bounds(products_.size());
  products_.fill(largest.data(), bounds.data());
  for (std::size_t t = 0; t < bounds.size(); ++t) {
    if (!(bounds[t] <= kLargestFeature)) { refuse_overflow(names_[design_.size() + t]); }
  }
}

/// A column of 0 and 1, and one of a single value, stays as it is: it has no curve.
void Features::fit_splines(const Schema& schema, const RowBlock& rows) {
  knots_.resize(numbers());
  std::size_t c = 0;
  for (const Column& column : schema.columns) {
    if (!column.number()) { continue; }
    const std::size_t position = c++;
    if (column.kind == ColumnKind::binary) { continue; }
    const auto values = column_values(rows, position);
    knots_[position] = spline_knots(values, rows.weights, wish_.number);
    if (!knots_[position].empty()) {
      const double range = knots_[position].back() - knots_[position].front();
      if (!(range <= kLargestFeature)) { refuse_overflow(column.name + " spline 1"); }
      continue;
    }
    const std::size_t different = count_different(values);
    if (different < 2) { continue; }
    throw Error(ErrorCode::usage,
                "column '" + column.name + "' has " + std::to_string(different) +
                    " different values, too few for the " + std::to_string(wish_.number) +
                    " knots of --basis spline:" + std::to_string(wish_.number) +
                    " between its ends; " +
                    (different > 2 ? "take spline:" + std::to_string(different - 2) +
                                         " or less, or read it as levels with --kinds "
                                   : std::string("read it as levels with --kinds ")) +
                    column.name + "=categorical");
  }
  name_splines();
}

void Features::name_products() {
  names_ = design_.names();
  std::map<std::vector<std::size_t>, std::size_t> together;  // schema columns -> part
  const std::vector<std::string> columns = parts();
  parts_ = columns;
  for (std::size_t t = 0; t < products_.size(); ++t) {
    names_.push_back(products_.name(t, design_.names()));
    std::vector<std::size_t> members;
    for (const std::size_t member : products_.members(t)) {
      members.push_back(of_feature_[member]);
    }
    std::ranges::sort(members);
    const auto rest = std::ranges::unique(members);
    members.erase(rest.begin(), rest.end());
    if (members.size() == 1) {
      of_feature_.push_back(members.front());
      continue;
    }
    const auto [place, is_new] = together.try_emplace(members, parts_.size());
    if (is_new) {
      std::string name;
      for (const std::size_t member : members) {
        name += (name.empty() ? "" : "+") + columns[member];
      }
      parts_.push_back(std::move(name));
    }
    of_feature_.push_back(place->second);
  }
}

void Features::name_splines() {
  names_ = design_.names();
  for (std::size_t c = 0; c < knots_.size(); ++c) {
    for (std::size_t k = 1; k + 1 < knots_[c].size(); ++k) {
      names_.push_back(design_.names()[c] + " spline " + std::to_string(k));
      of_feature_.push_back(of_feature_[c]);
    }
  }
  if (names_.size() > kMostFeatures) {
    throw Error(ErrorCode::usage, "--basis spline:" + std::to_string(wish_.number) + " makes " +
                                      std::to_string(names_.size()) + " features of " +
                                      std::to_string(design_.size()) + " columns, more than the " +
                                      std::to_string(kMostFeatures) +
                                      " that a model can have; take fewer knots, or leave columns "
                                      "out with --ignore");
  }
}

bool Features::takes_sparse() const { return plain() && numbers() == design_.size(); }

namespace {

DesignRows spread_out(const RowBlock& block, std::vector<double>& scratch) {
  scratch.assign(block.rows * block.numeric_columns, 0.0);
  for (std::size_t r = 0; r < block.rows; ++r) {
    double* const row = scratch.data() + r * block.numeric_columns;
    for (std::size_t i = block.sparse.starts[r]; i < block.sparse.starts[r + 1]; ++i) {
      row[block.sparse.indices[i]] = block.sparse.values[i];
    }
  }
  return {scratch.data(), block.rows, block.numeric_columns, block.numeric_columns};
}

}  // namespace

DesignRows Features::encode(const RowBlock& block, std::vector<double>& scratch) const {
  if (plain()) {
    return block.is_sparse() ? spread_out(block, scratch) : design_.encode(block, scratch);
  }
  std::vector<double> design_scratch;
  const DesignRows rows =
      block.is_sparse() ? spread_out(block, design_scratch) : design_.encode(block, design_scratch);
  scratch.resize(block.rows * size());
  std::vector<double> centered(design_.size());
  for (std::size_t r = 0; r < block.rows; ++r) {
    expand(rows.data + r * rows.stride, centered, scratch.data() + r * size());
  }
  return {scratch.data(), block.rows, size(), size()};
}

void Features::expand(const double* design, std::vector<double>& centered, double* out) const {
  std::copy_n(design, design_.size(), out);
  out += design_.size();
  if (wish_.kind != BasisKind::spline) {
    for (std::size_t i = 0; i < design_.size(); ++i) { centered[i] = design[i] - center_[i]; }
    products_.fill(centered.data(), out);
    return;
  }
  for (std::size_t c = 0; c < knots_.size(); ++c) {
    if (knots_[c].empty()) { continue; }
    natural_splines(design[c], knots_[c], out);
    out += knots_[c].size() - 2;
  }
}

void Features::save(modelfile::Writer& writer) const {
  if (plain()) { return; }
  if (wish_.kind != BasisKind::spline) {
    writer.tensor(kCenter, center_, {center_.size()});
    return;
  }
  const std::size_t width = wish_.number + 2;
  std::vector<double> all(knots_.size() * width, 0.0);  // 0 for a column that stays as it is
  for (std::size_t c = 0; c < knots_.size(); ++c) {
    std::ranges::copy(knots_[c], all.begin() + static_cast<std::ptrdiff_t>(c * width));
  }
  writer.tensor(kKnots, all, {knots_.size(), width});
}

namespace {

std::vector<double> read_knots(const modelfile::Reader& reader, std::span<const double> row) {
  if (std::ranges::all_of(row, [](double knot) { return knot == 0.0; })) { return {}; }
  for (std::size_t k = 0; k < row.size(); ++k) {
    const bool ascends = k == 0 || row[k - 1] < row[k];
    if (!std::isfinite(row[k]) || !ascends) { reader.fail("its knots do not ascend"); }
  }
  return {row.begin(), row.end()};
}

}  // namespace

Features Features::load(const modelfile::Reader& reader, const Schema& schema, OneHot one_hot,
                        const std::string& basis) {
  Features features(schema, one_hot);
  features.wish_ = parse_basis(basis);
  if (features.plain()) { return features; }
  if (features.wish_.kind != BasisKind::spline) {
    features.products_ = Products(schema, features.design_, features.wish_);
    features.name_products();
    features.center_ = reader.doubles(kCenter, {features.design_.size()});
    if (!std::ranges::all_of(features.center_, [](double c) { return std::isfinite(c); })) {
      reader.fail("the centers of its basis are not finite");
    }
    return features;
  }
  const std::size_t width = features.wish_.number + 2;
  const auto all = reader.doubles(kKnots, {features.numbers(), width});
  for (std::size_t c = 0; c < features.numbers(); ++c) {
    features.knots_.push_back(read_knots(reader, std::span(all).subspan(c * width, width)));
  }
  features.name_splines();
  return features;
}

void check_matrix_fits(const Features& features, const std::string& model) {
  constexpr std::size_t kMost = 4096;
  if (features.size() <= kMost) { return; }
  throw Error(ErrorCode::numeric, "there are " + std::to_string(features.size()) +
                                      " features, and --model " + model + " takes at most " +
                                      std::to_string(kMost) +
                                      ", because it needs a matrix of them; leave columns out with "
                                      "--ignore, or take --model softmax");
}

}  // namespace logodds::models::linear
