#include "models/noisy_or/cause_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "logodds/error.hpp"

namespace logodds::models::noisy_or {

namespace {

bool is_on(const RowBlock& rows, std::size_t r) { return rows.labels[r] == 1; }

/// Neither numbers nor what a basis makes of them are negative, but for the rounding of a spline.
double not_negative(double feature) { return std::max(0.0, feature); }

/// Sums and ranges of all rows; `on_sums` are still those of all rows that are on.
void sum_rows(const RowBlock& rows, const linear::Features& features, CauseRows& out) {
  std::vector<double> sums(out.causes, 0.0);
  linear::each_row(rows, features, [&](std::size_t r, const linear::FeatureRow& row) {
    const double w = rows.weight(r);
    const bool on = is_on(rows, r);
    out.weight += w;
    (on ? out.on_weight : out.off_weight) += w;
    if (on && row.indices.empty()) { ++out.without_cause; }
    for (std::size_t j = 0; j < row.indices.size(); ++j) {
      const std::size_t i = row.indices[j];
      const double x = not_negative(row.values[j]);
      (on ? out.on_sums : out.off_sums)[i] += w * x;
      sums[i] += w * x;
      out.largest[i] = std::max(out.largest[i], x);
      if (x > 0.0) { out.smallest[i] = std::min(out.smallest[i], x); }
      out.whole = out.whole && x == std::floor(x);
    }
  });
  for (std::size_t i = 0; i < out.causes; ++i) {
    if (out.largest[i] > 0.0) { out.mean_causes += sums[i] / out.largest[i] / out.weight; }
  }
}

void check_sums(const CauseRows& rows, const linear::Features& features) {
  for (std::size_t i = 0; i < rows.causes; ++i) {
    if (std::isfinite(rows.off_sums[i] + rows.on_sums[i])) { continue; }
    throw Error(ErrorCode::numeric, "column '" + features.names()[i] +
                                        "': the values are so large that their sum overflows; "
                                        "give it in larger units");
  }
}

void keep_on_rows(const RowBlock& rows, const linear::Features& features, CauseRows& out) {
  std::ranges::fill(out.on_sums, 0.0);
  out.on_weight = 0.0;
  linear::each_row(rows, features, [&](std::size_t r, const linear::FeatureRow& row) {
    const auto certain = [&](std::uint32_t i) { return out.known[i] == Known::certain; };
    if (!is_on(rows, r) || std::ranges::any_of(row.indices, certain)) { return; }
    const double w = rows.weight(r);
    out.indices.insert(out.indices.end(), row.indices.begin(), row.indices.end());
    std::ranges::transform(row.values, std::back_inserter(out.values), not_negative);
    out.starts.push_back(out.indices.size());
    out.weights.push_back(w);
    out.on_weight += w;
    for (std::size_t j = 0; j < row.indices.size(); ++j) {
      out.on_sums[row.indices[j]] += w * not_negative(row.values[j]);
    }
  });
}

}  // namespace

CauseRows gather_causes(const RowBlock& rows, const linear::Features& features) {
  CauseRows out;
  out.causes = features.size();
  out.known.assign(out.causes, Known::fitted);
  out.off_sums.assign(out.causes, 0.0);
  out.on_sums.assign(out.causes, 0.0);
  out.largest.assign(out.causes, 0.0);
  out.smallest.assign(out.causes, std::numeric_limits<double>::infinity());
  sum_rows(rows, features, out);
  check_sums(out, features);
  for (std::size_t i = 0; i < out.causes; ++i) {
    if (out.off_sums[i] > 0.0) { continue; }
    out.known[i] = out.on_sums[i] > 0.0 ? Known::certain : Known::unseen;
  }
  keep_on_rows(rows, features, out);
  return out;
}

}  // namespace logodds::models::noisy_or
