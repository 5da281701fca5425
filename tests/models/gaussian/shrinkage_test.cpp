// Shrinkage of each class's covariance, its shares computed again from the rows.
#include <doctest/doctest.h>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// The rows of class k about their mean, divided by `scale`.
std::vector<WideVector> centered(const Sample& sample, std::size_t k, const WideVector& scale) {
  const WideVector mean = class_mean(sample, k);
  std::vector<WideVector> rows;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) == k) {
      rows.emplace_back((row_of(sample, r) - mean).cwiseQuotient(scale));
    }
  }
  return rows;
}

WideMatrix covariance(const std::vector<WideVector>& rows) {
  WideMatrix sum = WideMatrix::Zero(rows[0].size(), rows[0].size());
  for (const auto& row : rows) { sum += row * row.transpose(); }
  return sum / static_cast<Wide>(rows.size());
}

/// Ledoit & Wolf (2004), section 3.2: b^2 / d^2 with d^2 = ||S - m I||^2 and
/// b^2 = min(d^2, 1/n^2 sum_n ||x_n x_n^T - S||^2), m = tr S / p, norms divided by p.
Wide ledoit_wolf_share(const std::vector<WideVector>& rows) {
  const auto n = static_cast<Wide>(rows.size());
  const WideMatrix s = covariance(rows);
  const Wide m = s.trace() / static_cast<Wide>(s.rows());
  const Wide d2 = (s - m * WideMatrix::Identity(s.rows(), s.rows())).squaredNorm();
  Wide b2 = 0.0L;
  for (const auto& row : rows) { b2 += (row * row.transpose() - s).squaredNorm() / (n * n); }
  return std::min(b2, d2) / d2;
}

/// Chen, Wiesel, Eldar & Hero (2010), equation 23, without the terms in 2/p:
/// min(1, (tr S^2 + tr^2 S) / ((n + 1)(tr S^2 - tr^2 S / p))).
Wide oas_share(const WideMatrix& s, Wide n) {
  const auto p = static_cast<Wide>(s.rows());
  const Wide square = (s * s).trace() / (p * p);
  const Wide mean = s.trace() / p;
  return std::min(1.0L, (square + mean * mean) / ((n + 1.0L) * (square - mean * mean / p)));
}

WideMatrix toward_identity(const WideMatrix& s, Wide share) {
  const auto p = static_cast<Wide>(s.rows());
  return (1.0L - share) * s + share * s.trace() / p * WideMatrix::Identity(s.rows(), s.rows());
}

WideVector deviations(const Sample& sample, std::size_t k) {
  return (class_scatter(sample, k) / class_weight(sample, k)).diagonal().cwiseSqrt();
}

/// In standardised columns, and back.
WideMatrix ledoit_wolf(const Sample& sample, std::size_t k) {
  const WideVector scale = deviations(sample, k);
  const auto rows = centered(sample, k, scale);
  const WideMatrix shrunk = toward_identity(covariance(rows), ledoit_wolf_share(rows));
  return scale.asDiagonal() * shrunk * scale.asDiagonal();
}

template <class Covariance>
void check(const Sample& sample, const OptionMap& options, Covariance covariance_of) {
  const Moments moments(sample);
  std::vector<WideMatrix> own;
  WideMatrix pooled = WideMatrix::Zero(index_of(sample.columns), index_of(sample.columns));
  for (std::size_t k = 0; k < sample.classes; ++k) {
    own.push_back(covariance_of(k));
    pooled += own.back() * (moments.weights[k] / moments.weight());
  }
  OptionMap all = options;
  all["covariance"] = "own";
  CHECK(largest_error(posteriors_of(*fit(sample, all).model, sample),
                      OnPaper(moments, own).posteriors(sample)) < 1e-11);
  all["covariance"] = "shared";
  const std::vector<WideMatrix> same(sample.classes, pooled);
  CHECK(largest_error(posteriors_of(*fit(sample, all).model, sample),
                      OnPaper(moments, same).posteriors(sample)) < 1e-11);
}

}  // namespace

TEST_CASE("shrinkage: a fixed share, towards the mean variance times the identity") {
  const Sample sample = weighted(made_sample(120, 3, 3, 61), 62);
  const Moments moments(sample);
  for (const std::string share : {"0", "0.25", "1"}) {
    check(sample, {{"shrinkage", share}}, [&](std::size_t k) {
      return toward_identity(moments.scatters[k] / moments.weights[k], wide(*parse_number(share)));
    });
  }
}

TEST_CASE("shrinkage: oas, by its formula for each class") {
  for (const std::size_t rows : {std::size_t{30}, std::size_t{300}}) {
    const Sample sample = made_sample(rows, 4, 2, 63);
    const Moments moments(sample);
    check(sample, {{"shrinkage", "oas"}}, [&](std::size_t k) {
      const WideMatrix s = moments.scatters[k] / moments.weights[k];
      return toward_identity(s, oas_share(s, moments.weights[k]));
    });
  }
}

TEST_CASE("shrinkage: ledoit-wolf, its share summed over the rows of each class") {
  for (const std::size_t rows : {std::size_t{25}, std::size_t{400}}) {
    const Sample sample = made_sample(rows, 4, 2, 64);
    check(sample, {{"shrinkage", "ledoit-wolf"}},
          [&](std::size_t k) { return ledoit_wolf(sample, k); });
  }
}

TEST_CASE("shrinkage: ledoit-wolf does not depend on the units of the columns") {
  const Sample sample = made_sample(40, 3, 2, 65);
  Sample scaled = sample;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    scaled.values[3 * r] = 1e6 * sample.at(r, 0) + 1e7;
    scaled.values[3 * r + 2] = 1e-6 * sample.at(r, 2);
  }
  const OptionMap options{{"shrinkage", "ledoit-wolf"}, {"covariance", "own"}};
  CHECK(largest_error(posteriors_of(*fit(scaled, options).model, scaled),
                      posteriors_of(*fit(sample, options).model, sample)) < 1e-8);
}

TEST_CASE("shrinkage: ledoit-wolf after rows were added and forgotten is that of the rows left") {
  const Sample sample = made_sample(90, 3, 2, 66);
  const Sample first = sample.part(0, 60);
  const Sample rest = sample.part(20, 90);
  const OptionMap options{{"shrinkage", "ledoit-wolf"}, {"covariance", "own"}};
  const auto more = update(*fit(first, options).model, *open_matrix(sample.part(60, 90).data()));
  const auto less = forget(*more.model, *open_matrix(sample.part(0, 20).data()));
  CHECK(largest_error(posteriors_of(*less.model, rest),
                      posteriors_of(*fit(rest, options).model, rest)) < 1e-10);
}

TEST_CASE("shrinkage: one column has nothing to shrink; a constant one is cured") {
  const Sample line = made_sample(30, 1, 2, 67);
  for (const std::string kind : {"oas", "ledoit-wolf", "0.5"}) {
    CHECK(largest_error(
              posteriors_of(*fit(line, {{"covariance", "own"}, {"shrinkage", kind}}).model, line),
              posteriors_of(*fit(line, {{"covariance", "own"}}).model, line)) < 1e-12);
  }
  Sample plane = made_sample(30, 2, 2, 68);
  for (std::size_t r = 0; r < plane.rows(); ++r) { plane.values[2 * r + 1] = 7.0; }
  CHECK(refusal(plane, {{"shrinkage", "0.1"}}).empty());
  CHECK(refusal(plane, {{"shrinkage", "oas"}}).empty());
  CHECK(contains(refusal(plane, {{"shrinkage", "ledoit-wolf"}, {"components", "1"}}),
                 "--shrinkage ledoit-wolf is not computed from principal components"));
}
