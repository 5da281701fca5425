#include "linalg/wide_least_squares.hpp"

#include <cmath>

namespace logodds::linalg {

namespace {

/// R by its columns: column c holds R_0c, ..., R_cc, and the last is Q^T y without its length.
using Columns = std::vector<std::vector<DoubleDouble>>;

/// R_0c, ..., of a column, and what is left of its square.
std::vector<DoubleDouble> eliminated(const Products& products, const std::vector<std::size_t>& kept,
                                     const Columns& r, std::size_t column, DoubleDouble& left) {
  std::vector<DoubleDouble> entries;
  left = products(column, column);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    DoubleDouble entry = products(kept[k], column);
    for (std::size_t e = 0; e < k; ++e) { entry = entry - r[k][e] * entries[e]; }
    entry = entry / r[k][k];
    left = left - entry * entry;
    entries.push_back(entry);
  }
  return entries;
}

/// R b = q from the last to the first.
std::vector<DoubleDouble> solved(const Columns& r, std::vector<DoubleDouble> q) {
  for (std::size_t i = q.size(); i-- > 0;) {
    q[i] = q[i] / r[i][i];
    for (std::size_t k = 0; k < i; ++k) { q[k] = q[k] - r[i][k] * q[i]; }
  }
  return q;
}

/// Lengths of the rows of R^-1, whose column c solves R z = e_c.
std::vector<double> inverse_rows(const Columns& r) {
  std::vector<DoubleDouble> squares(r.size());
  for (std::size_t c = 0; c < r.size(); ++c) {
    std::vector<DoubleDouble> unit(c + 1);
    unit[c] = {1.0, 0.0};
    const auto column = solved(r, std::move(unit));
    for (std::size_t i = 0; i <= c; ++i) { squares[i] = squares[i] + column[i] * column[i]; }
  }
  std::vector<double> lengths;
  for (const auto& square : squares) { lengths.push_back(sqrt(square).value()); }
  return lengths;
}

}  // namespace

WideFit least_squares(const Products& products, const WideTask& task) {
  constexpr double kRounding = 0x1p-104;
  const std::size_t m = task.regressors.size();
  WideFit fit{.coefficients = std::vector<double>(m, 0.0),
              .roots = std::vector<double>(m, 0.0),
              .identifiable = std::vector<int>(m, 0)};
  Columns r;
  std::vector<std::size_t> kept;    // columns
  std::vector<std::size_t> places;  // among the regressors
  DoubleDouble left;
  for (std::size_t j = 0; j < m; ++j) {
    const std::size_t column = task.regressors[j];
    auto entries = eliminated(products, kept, r, column, left);
    const double least = task.tolerance * task.tolerance * products(column, column).value();
    if (!(left.value() > least)) { continue; }
    entries.push_back(sqrt(left));
    r.push_back(std::move(entries));
    kept.push_back(column);
    places.push_back(j);
    fit.identifiable[j] = 1;
  }
  fit.rank = kept.size();
  fit.squares = products(task.response, task.response).value();
  const auto q = eliminated(products, kept, r, task.response, left);
  const double rounding = 64.0 * static_cast<double>(m + 1) * kRounding * fit.squares;
  fit.residual_squares = left.value() > rounding ? left.value() : 0.0;
  const bool first = !kept.empty() && places.front() == 0;
  const DoubleDouble around =
      products(task.response, task.response) - (first ? q.front() * q.front() : DoubleDouble{});
  fit.first_squares = around.value() > rounding ? around.value() : 0.0;
  const auto b = solved(r, q);
  const auto roots = inverse_rows(r);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    fit.coefficients[places[k]] = b[k].value();
    fit.roots[places[k]] = roots[k];
  }
  return fit;
}

}  // namespace logodds::linalg
