#include "models/linear/identifiability.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "logodds/stats/variance.hpp"

namespace logodds::models::linear {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// What a column leaves of its variance after those before it, below which it is looked at closely:
/// the products that this comes from are exact to about 1e-15 of it.
constexpr double kSuspicious = 1e-8;
/// What it leaves of its standard deviation when the rows themselves are subtracted.
constexpr double kCollinear = 1e-9;

/// Means and standard deviations of the columns, and which are constant.
void standardize(const RowsView& rows, bool intercept, Identifiability& found) {
  const std::size_t d = rows.columns;
  std::vector<double> sums(d, 0.0);
  double total = 0.0;
  rows.for_blocks([&](std::size_t first, const DesignRows& x) {
    for (std::size_t r = 0; r < x.rows; ++r) {
      const double w = rows.weight(first + r);
      total += w;
      for (std::size_t i = 0; i < d; ++i) { sums[i] += w * x.data[r * x.stride + i]; }
    }
  });
  found.center.assign(d, 0.0);
  for (std::size_t i = 0; i < d && intercept; ++i) { found.center[i] = sums[i] / total; }
  std::vector<double> variance(d, 0.0);
  std::vector<double> farthest(d, 0.0);
  rows.for_blocks([&](std::size_t first, const DesignRows& x) {
    for (std::size_t r = 0; r < x.rows; ++r) {
      const double share = rows.weight(first + r) / total;
      for (std::size_t i = 0; i < d; ++i) {
        const double off = x.data[r * x.stride + i] - found.center[i];
        variance[i] += share * off * off;
        farthest[i] = std::max(farthest[i], std::abs(off));
      }
    }
  });
  constexpr double kRounding = 1e-12;  // of a mean
  for (std::size_t i = 0; i < d; ++i) {
    found.underflows.push_back(variance[i] < std::numeric_limits<double>::min() &&
                               farthest[i] > kRounding * std::abs(found.center[i]));
    found.overflows.push_back(!std::isfinite(variance[i]));
    const bool none =
        !found.overflows[i] && has_no_variance(variance[i], std::abs(found.center[i]));
    found.constant.push_back(none);
    const double scale = none ? 1.0 : 1.0 / std::sqrt(variance[i]);
    found.scale.push_back(std::isnormal(scale) ? scale : 1.0);
  }
}

/// (x - center) scale of one row.
void scaled_row(const double* x, const Identifiability& found, double* out) {
  for (std::size_t i = 0; i < found.center.size(); ++i) {
    out[i] = (x[i] - found.center[i]) * found.scale[i];
  }
}

/// Products of the standardised columns, per unit of weight.
Matrix correlations(const RowsView& rows, const Identifiability& found) {
  const std::size_t d = rows.columns;
  Matrix sums = Matrix::Zero(static_cast<Index>(d), static_cast<Index>(d));
  std::vector<double> z;
  double total = 0.0;
  rows.for_blocks([&](std::size_t first, const DesignRows& x) {
    z.resize(x.rows * d);
    for (std::size_t r = 0; r < x.rows; ++r) {
      scaled_row(x.data + r * x.stride, found, z.data() + r * d);
      total += rows.weight(first + r);
    }
    kernels::scatter_add(z.data(), x.rows, d, d,
                         rows.weights == nullptr ? nullptr : rows.weights + first, sums.data());
  });
  sums /= total;
  return sums.selfadjointView<Eigen::Lower>();
}

/// Regression of a column on those that are kept, from products, and again on what is left.
struct Regression {
  Vector weights;     ///< of the kept columns
  double left = 0.0;  ///< standard deviation of the rest, the column's own being 1
};

Regression regress(const RowsView& rows, const Identifiability& found, std::size_t column,
                   const Matrix& kept_products, const Vector& products) {
  const Eigen::LDLT<Matrix> solver(kept_products);
  Regression result{.weights = solver.solve(products)};
  const auto m = static_cast<Index>(found.kept.size());
  std::vector<double> z(rows.columns);
  for (int round = 0; round < 2; ++round) {
    Vector rest_products = Vector::Zero(m);
    double squares = 0.0;
    double total = 0.0;
    rows.for_blocks([&](std::size_t first, const DesignRows& x) {
      for (std::size_t r = 0; r < x.rows; ++r) {
        scaled_row(x.data + r * x.stride, found, z.data());
        double rest = z[column];
        for (Index i = 0; i < m; ++i) {
          rest -= result.weights(i) * z[found.kept[static_cast<std::size_t>(i)]];
        }
        const double w = rows.weight(first + r);
        total += w;
        squares += w * rest * rest;
        for (Index i = 0; i < m; ++i) {
          rest_products(i) += w * rest * z[found.kept[static_cast<std::size_t>(i)]];
        }
      }
    });
    result.left = std::sqrt(squares / total);
    if (round == 0) { result.weights += solver.solve(Vector(rest_products / total)); }
  }
  return result;
}

/// The columns, and the constant, that a combination needs.
Identifiability::Relation relation_of(const Identifiability& found, std::size_t column,
                                      const Vector& weights, bool intercept) {
  constexpr double kNone = 1e-6;
  Identifiability::Relation relation{.column = column, .others = {}, .constant = false};
  double offset = found.center[column] * found.scale[column];
  double size = std::abs(offset);
  for (std::size_t i = 0; i < found.kept.size(); ++i) {
    const double weight = weights(static_cast<Index>(i));
    if (std::abs(weight) <= kNone) { continue; }
    relation.others.push_back(found.kept[i]);
    const double part = weight * found.center[found.kept[i]] * found.scale[found.kept[i]];
    offset -= part;
    size += std::abs(part);
  }
  relation.constant = intercept && std::abs(offset) > kNone * std::max(size, 1e-300);
  return relation;
}

Matrix of_kept(const Matrix& products, const std::vector<std::size_t>& kept) {
  const auto m = static_cast<Index>(kept.size());
  Matrix part(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      part(i, j) = products(static_cast<Index>(kept[static_cast<std::size_t>(i)]),
                            static_cast<Index>(kept[static_cast<std::size_t>(j)]));
    }
  }
  return part;
}

/// Cholesky's factorisation column by column: the square of a diagonal element is what the columns
/// before leave of the variance. A column that is a combination is passed over.
void find_relations(const RowsView& rows, bool intercept, Identifiability& found) {
  const Matrix products = correlations(rows, found);
  const auto d = static_cast<Index>(rows.columns);
  Matrix factor = Matrix::Zero(d, d);  // row i: column kept[i]'s, and then that of the present one
  for (Index column = 0; column < d; ++column) {
    const auto c = static_cast<std::size_t>(column);
    if (found.constant[c]) { continue; }
    const auto m = static_cast<Index>(found.kept.size());
    Vector right(m);
    for (Index i = 0; i < m; ++i) {
      right(i) = products(column, static_cast<Index>(found.kept[static_cast<std::size_t>(i)]));
    }
    const Vector solved = factor.topLeftCorner(m, m).triangularView<Eigen::Lower>().solve(right);
    const double left = products(column, column) - solved.squaredNorm();
    if (left < kSuspicious) {
      const auto regression = regress(rows, found, c, of_kept(products, found.kept), right);
      if (regression.left <= kCollinear) {
        found.relations.push_back(relation_of(found, c, regression.weights, intercept));
        continue;
      }
    }
    factor.row(m).head(m) = solved.transpose();
    factor(m, m) = std::sqrt(std::max(left, 1e-18));
    found.kept.push_back(c);
  }
}

/// Columns of sparse rows that hold nothing but 0.
std::vector<bool> never_met(const RowsView& rows) {
  std::vector<bool> result(rows.columns, true);
  for (std::size_t i = rows.sparse.starts[0]; i < rows.sparse.starts[rows.rows]; ++i) {
    if (rows.sparse.values[i] != 0.0) { result[rows.sparse.indices[i]] = false; }
  }
  return result;
}

/// Columns whose values are all those of the first row (without an intercept: 0).
std::vector<bool> always_equal(const RowsView& rows, bool intercept) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < rows.columns; ++i) { left.push_back(i); }
  for (std::size_t r = 0; r < rows.rows && !left.empty(); ++r) {
    const double* const row = rows.x.data + r * rows.x.stride;
    std::erase_if(left,
                  [&](std::size_t i) { return row[i] != (intercept ? rows.x.data[i] : 0.0); });
  }
  std::vector<bool> result(rows.columns, false);
  for (const std::size_t i : left) { result[i] = true; }
  return result;
}

}  // namespace

std::vector<bool> Identifiability::involved() const {
  std::vector<bool> result(constant.size() + 1, false);
  std::copy(constant.begin(), constant.end(), result.begin());
  for (const Relation& relation : relations) {
    result[relation.column] = true;
    for (const std::size_t other : relation.others) { result[other] = true; }
    if (relation.constant) { result.back() = true; }
  }
  return result;
}

Identifiability identify(const RowsView& rows, bool intercept) {
  Identifiability found;
  standardize(rows, intercept, found);
  find_relations(rows, intercept, found);
  return found;
}

Identifiability identify_constants(const RowsView& rows, bool intercept) {
  Identifiability found;
  found.constant = rows.is_sparse() ? never_met(rows) : always_equal(rows, intercept);
  for (std::size_t i = 0; i < rows.columns; ++i) {
    if (!found.constant[i]) { found.kept.push_back(i); }
  }
  return found;
}

std::string quoted_names(const std::vector<std::string>& names,
                         const std::vector<std::size_t>& which) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(which.size(), kShown); ++i) {
    const bool last = i + 1 == which.size();
    text += (i == 0 ? "'" : last ? " and '" : ", '") + names[which[i]] + "'";
  }
  if (which.size() > kShown) { text += " and " + std::to_string(which.size() - kShown) + " more"; }
  return text;
}

std::vector<std::string> identifiability_notes(const Identifiability& found,
                                               const std::vector<std::string>& names,
                                               bool dropped) {
  std::vector<std::string> notes;
  std::vector<std::size_t> constant;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (found.constant[i]) { constant.push_back(i); }
  }
  if (!constant.empty()) {
    const bool one = constant.size() == 1;
    notes.push_back(std::string(one ? "the column " : "the columns ") +
                    quoted_names(names, constant) +
                    (one ? " is constant: its coefficient is not identifiable"
                         : " are constant: their coefficients are not identifiable") +
                    (!dropped ? ""
                     : one    ? " and was set to 0"
                              : " and were set to 0"));
  }
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; dropped && i < std::min(found.relations.size(), kShown); ++i) {
    const auto& relation = found.relations[i];
    notes.push_back(
        "the column '" + names[relation.column] + "' is collinear: a linear combination of " +
        quoted_names(names, relation.others) + (relation.constant ? " and a constant" : "") +
        "; its coefficient is not identifiable and was set to 0 (a --decay shares it "
        "among them)");
  }
  if (dropped && found.relations.size() > kShown) {
    notes.push_back("so are " + std::to_string(found.relations.size() - kShown) +
                    " further columns; inspect --coefficients marks them");
  }
  return notes;
}

}  // namespace logodds::models::linear
