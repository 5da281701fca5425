#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/parallel/blocks.hpp"
#include "models/neighbors/condense.hpp"
#include "models/neighbors/leave_one_out.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

namespace {

/// Adds w f(x - origin) of `Count` rows to the sums of the columns; several at a time, because the
/// additions to one sum wait for each other.
template <std::size_t Count, class F>
void add_rows(const DesignRows& x, const RowBlock& rows, std::size_t first, const double* origin,
              const F& f, std::vector<double>& sums) {
  for (std::size_t i = 0; i < x.columns; ++i) {
    double sum = 0.0;
    for (std::size_t r = first; r < first + Count; ++r) {
      sum += rows.weight(r) * f(x.data[r * x.stride + i] - origin[i]);
    }
    sums[i] += sum;
  }
}

/// By column the sum of w f(x - origin) over the rows; of pieces of the rows first, which do not
/// depend on the threads.
template <class F>
std::vector<double> column_sums(const DesignRows& x, const RowBlock& rows, const double* origin,
                                int threads, const F& f) {
  constexpr std::size_t kPiece = 4096;
  constexpr std::size_t kTogether = 4;
  std::vector<std::vector<double>> parts((x.rows + kPiece - 1) / kPiece);
  parallel::run_lanes(threads, parts.size(), [&](std::size_t piece) {
    std::vector<double> sums(x.columns, 0.0);
    std::size_t r = piece * kPiece;
    const std::size_t end = std::min(x.rows, r + kPiece);
    for (; r + kTogether <= end; r += kTogether) {
      add_rows<kTogether>(x, rows, r, origin, f, sums);
    }
    for (; r < end; ++r) { add_rows<1>(x, rows, r, origin, f, sums); }
    parts[piece] = std::move(sums);
  });
  std::vector<double> sums(x.columns, 0.0);
  for (const auto& part : parts) {
    std::ranges::transform(sums, part, sums.begin(), std::plus<>());
  }
  return sums;
}

/// By column the sum of w (x - mean)^2; the mean from distances to the first row, which a shift of
/// the column does not round.
std::vector<double> squares_of(const DesignRows& x, const RowBlock& rows, double weight,
                               int threads) {
  std::vector<double> means = column_sums(x, rows, x.data, threads, [](double off) { return off; });
  for (std::size_t i = 0; i < x.columns; ++i) { means[i] = x.data[i] + means[i] / weight; }
  return column_sums(x, rows, means.data(), threads, [](double off) { return off * off; });
}

/// The first column with two values, if there is one.
std::optional<std::size_t> varying_column(const DesignRows& x) {
  for (std::size_t i = 0; i < x.columns; ++i) {
    for (std::size_t r = 1; r < x.rows; ++r) {
      if (x.data[r * x.stride + i] != x.data[i]) { return i; }
    }
  }
  return {};
}

/// Throws when squared distances are not of this world; says so when one column decides the
/// distances because its numbers are the largest.
std::string scale_note(const Comparison& comparison, double weight, int threads) {
  constexpr double kDominates = 0.95;
  const auto squares = squares_of(comparison.points(), comparison.rows(), weight, threads);
  const std::vector<std::string>& names = comparison.space().design().names();
  const auto largest = std::max_element(squares.begin(), squares.end());
  auto column = static_cast<std::size_t>(largest - squares.begin());
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  const auto varying =
      sum < std::numeric_limits<double>::min() ? varying_column(comparison.points()) : std::nullopt;
  if (sum == 0.0) { column = varying.value_or(column); }
  const std::string& name = names[column];
  if (!std::isfinite(sum) || varying) {
    throw Error(ErrorCode::numeric, "column '" + name +
                                        "': squared distances overflow or vanish; multiply the "
                                        "column by a constant that brings it near 1");
  }
  const double share = *largest / sum;
  if (squares.size() < 2 || !(share > kDominates)) { return {}; }
  return "column '" + name + "' alone makes up " + std::to_string(static_cast<int>(100.0 * share)) +
         " % of the squared distances; bring the columns to like scales with --standardize if that "
         "is not wanted";
}

void condense(NeighborRows& rows, const Schema& schema, const Wish& wish, const Context& context,
              FitReport& report) {
  const std::size_t all = rows.rows();
  std::vector<std::uint32_t> kept;
  Units units;
  {
    const Comparison comparison(rows, schema, wish, wish.least_k, context.threads);
    kept = condensed(comparison, schema.labels.size(), wish, context);
    units = comparison.space().units();
  }
  rows.keep_rows(kept);
  rows.units = std::move(units);
  report.notes.push_back("condensed: " + std::to_string(kept.size()) + " of " +
                         std::to_string(all) +
                         " rows stay, and decide every training row as all of them do");
}

}  // namespace

NeighborRows NeighborsFamily::start(const Options& options) {
  const Wish wish = read_wish(options);
  return NeighborRows(wish.metric == Metric::cosine && !wish.standardize);
}

void NeighborsFamily::settle(NeighborRows& rows, Options& options, const Schema& schema,
                             const Context& context, FitReport& report) {
  rows.own(context.threads);
  Wish wish = read_wish(options);
  if (wish.open()) {
    const Comparison comparison(rows, schema, wish, wish.most_k, context.threads);
    wish.least_k = wish.most_k = chosen_k(comparison, schema.labels.size(), wish, context, report);
    options.replace("k", std::to_string(wish.least_k));
  }
  if (wish.condense) { condense(rows, schema, wish, context, report); }
}

NeighborsDiscriminant NeighborsFamily::estimate(const NeighborRows& rows, EstimatorInput input) {
  const Wish wish = read_wish(input.options);
  NeighborsDiscriminant discriminant(rows, input.schema, wish, input.context.threads);
  const Comparison& comparison = discriminant.comparison();
  std::vector<std::string>& notes = input.report.notes;
  if (const auto note = comparison.space().design().one_hot_note(); !note.empty()) {
    notes.push_back(note);
  }
  const bool own_units =
      wish.metric == Metric::cosine || wish.metric == Metric::mahalanobis || wish.standardize;
  const auto note = scale_note(comparison, rows.weight(), input.context.threads);
  if (!note.empty() && !own_units) { notes.push_back(note); }
  const auto k = static_cast<double>(wish.least_k);
  if (k > rows.weight()) {
    notes.push_back("k is " + format_number(k) + ", but there are only " +
                    format_number(rows.weight()) + " rows: all of them vote");
  }
  notes.push_back("index: " + comparison.index().name());
  return discriminant;
}

NeighborRows NeighborsFamily::load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                              const Options& options) {
  const Wish wish = read_wish(options);
  if (wish.open()) { reader.fail("its k has not been chosen"); }
  return NeighborRows::load(reader, schema, wish);
}

}  // namespace logodds::models::neighbors
