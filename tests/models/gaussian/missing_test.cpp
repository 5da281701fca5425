// Rows that lack values: available cases, skipped, refused; and prediction by the marginal density.
#include <doctest/doctest.h>

#include <limits>

#include "support/definitions.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool seen(const Sample& sample, std::size_t r, std::size_t k, std::size_t i, std::size_t j) {
  return sample.label(r) == k && !std::isnan(sample.at(r, i)) && !std::isnan(sample.at(r, j));
}

/// Means over the rows that have the column, covariances over those that have both.
OnPaper available_cases(const Sample& sample) {
  OnPaper model;
  Wide total = 0.0L;
  for (std::size_t r = 0; r < sample.rows(); ++r) { total += wide(sample.weight(r)); }
  for (std::size_t k = 0; k < sample.classes; ++k) {
    const auto sum = [&](std::size_t i, std::size_t j, auto term) {
      Wide weight = 0.0L;
      Wide value = 0.0L;
      for (std::size_t r = 0; r < sample.rows(); ++r) {
        if (!seen(sample, r, k, i, j)) { continue; }
        weight += wide(sample.weight(r));
        value += wide(sample.weight(r)) * term(r);
      }
      return value / weight;
    };
    const std::size_t d = sample.columns;
    WideVector mean(index_of(d));
    WideMatrix sigma(index_of(d), index_of(d));
    for (std::size_t i = 0; i < d; ++i) {
      mean(index_of(i)) = sum(i, i, [&](std::size_t r) { return wide(sample.at(r, i)); });
    }
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        sigma(index_of(i), index_of(j)) = sum(i, j, [&](std::size_t r) {
          return (wide(sample.at(r, i)) - mean(index_of(i))) *
                 (wide(sample.at(r, j)) - mean(index_of(j)));
        });
      }
    }
    model.priors.push_back(class_weight(sample, k) / total);
    model.means.push_back(mean);
    model.sigmas.push_back(sigma);
  }
  return model;
}

std::string message_of(const std::string& csv, const OptionMap& options) {
  try {
    static_cast<void>(
        train(*open_csv_bytes(csv, "table", {.target = "class"}), "gaussian", options));
  } catch (const Error& error) { return error.what(); }
  return {};
}

}  // namespace

TEST_CASE("missing: available cases are the direct sums") {
  for (const Sample& rows :
       {made_sample(150, 3, 2, 121), weighted(made_sample(150, 3, 2, 122), 1)}) {
    Sample sample = with_gaps(rows, 0.2, 123);
    for (std::size_t i = 0; i < 3; ++i) { sample.values[i] = kNone; }
    OnPaper expected = available_cases(sample);
    const auto own = fit(sample, {{"covariance", "own"}, {"missing", "available"}});
    CHECK_FALSE(own.report.trace.has_value());
    CHECK(largest_error(posteriors_of(*own.model, sample), expected.posteriors(sample)) < 1e-11);

    OnPaper pooled = expected;
    pooled.sigmas.assign(
        2, expected.priors[0] * expected.sigmas[0] + expected.priors[1] * expected.sigmas[1]);
    const auto shared = fit(sample, {{"missing", "available"}});
    CHECK(largest_error(posteriors_of(*shared.model, sample), pooled.posteriors(sample)) < 1e-11);

    for (auto& sigma : expected.sigmas) { sigma = WideMatrix(sigma.diagonal().asDiagonal()); }
    const auto naive = fit(sample, {{"covariance", "diagonal"}, {"missing", "available"}});
    CHECK(largest_error(posteriors_of(*naive.model, sample), expected.posteriors(sample)) < 1e-11);
    // For variances alone, what is available is also what EM finds.
    const auto em = fit(sample, {{"covariance", "diagonal"}, {"missing", "em"}});
    CHECK(largest_error(posteriors_of(*em.model, sample), expected.posteriors(sample)) < 1e-8);
  }
}

TEST_CASE("missing: prediction takes the marginal density of what is there") {
  const Sample whole = made_sample(200, 4, 3, 124);
  const Sample sample = with_gaps(whole, 0.5, 125);
  const Moments moments(whole);
  std::vector<WideMatrix> own;
  for (std::size_t k = 0; k < 3; ++k) { own.push_back(moments.scatters[k] / moments.weights[k]); }
  const std::vector<WideMatrix> shared(3, moments.pooled() / moments.weight());
  CHECK(largest_error(posteriors_of(*fit(whole, {{"covariance", "own"}}).model, sample),
                      OnPaper(moments, own).posteriors(sample)) < 1e-11);
  CHECK(largest_error(posteriors_of(*fit(whole).model, sample),
                      OnPaper(moments, shared).posteriors(sample)) < 1e-11);
}

TEST_CASE("missing: a row without any value has the priors for posteriors") {
  Sample nothing = made_sample(1, 4, 1, 126);
  nothing.values.assign(4, kNone);
  for (const std::string covariance : {"shared", "own", "diagonal", "spherical"}) {
    const auto model = fit(made_sample(100, 4, 3, 127), {{"covariance", covariance}}).model;
    CHECK(largest_error(posteriors_of(*model, nothing), array_of(*model, "priors")) < 1e-14);
  }
}

TEST_CASE("missing: skip and error are as they say, and are counted") {
  const Sample sample = with_gaps(made_sample(120, 3, 2, 128), 0.1, 129);
  Sample kept{.columns = 3, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const WideVector row = row_of(sample, r);
    if (!row.hasNaN()) { kept.append(sample, r); }
  }
  const Fit skipped = fit(sample, {{"missing", "skip"}});
  CHECK(skipped.report.rows == kept.rows());
  CHECK(skipped.report.rows_skipped == sample.rows() - kept.rows());
  CHECK(largest_error(posteriors_of(*skipped.model, kept), posteriors_of(*fit(kept).model, kept)) <
        1e-13);
  const Fit used = fit(sample);
  CHECK(used.report.rows == sample.rows());
  CHECK(used.report.rows_incomplete == sample.rows() - kept.rows());
  CHECK(refusal(sample, {{"missing", "error"}}) != "");
}

TEST_CASE("missing: a column without any value in a class is an error that names both") {
  Sample sample = made_sample(60, 3, 2, 130);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.labels[r] == 1) { sample.values[3 * r + 1] = kNone; }
  }
  for (const std::string way : {"em", "available"}) {
    for (const std::string covariance : {"shared", "own", "diagonal"}) {
      const auto message = refusal(sample, {{"missing", way}, {"covariance", covariance}});
      CHECK(contains(message, "class 'c1': column 'x2' has no value in any row"));
      CHECK(contains(message, "--ignore"));
    }
  }
}

TEST_CASE("missing: a lacking level is a lacking value of all its indicators") {
  Table table = made_table(400, 2, 131);
  const std::size_t color = table.column("color");
  for (std::size_t r = 0; r < table.rows.size(); r += 7) { table.rows[r][color] = ""; }
  // Naive and by available cases: the rows that have a level alone tell its indicators' moments.
  Table without = table;
  for (auto& row : without.rows) { row[color] = row[color].empty() ? "blue" : row[color]; }
  const OptionMap options{{"covariance", "diagonal"}, {"missing", "available"}};
  const auto model = train_table(table, "gaussian", options).model;
  const auto names = model->geometry()->column_names();
  const auto means = array_of(*model, "means");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].starts_with("color=")) { continue; }
    for (std::size_t k = 0; k < 2; ++k) {
      double rows = 0.0;
      double hits = 0.0;
      for (const auto& row : table.rows) {
        if (row[0] != "class" + std::to_string(k) || row[color].empty()) { continue; }
        rows += 1.0;
        hits += "color=" + row[color] == names[i] ? 1.0 : 0.0;
      }
      CHECK(means[k * names.size() + i] == doctest::Approx(hits / rows).epsilon(1e-13));
    }
  }
  for (const std::string covariance : {"shared", "own"}) {
    const Fit em = train_table(table, "gaussian", {{"covariance", covariance}});
    CHECK(em.report.rows_incomplete == (table.rows.size() + 6) / 7);
    const auto all = posteriors_of(*em.model, table);
    const Fit whole = train_table(without, "gaussian", {{"covariance", covariance}});
    CHECK(largest_difference(all, posteriors_of(*whole.model, table)) < 0.2);
    for (const double p : all) { REQUIRE((p >= 0.0 && p <= 1.0)); }
  }
}

TEST_CASE("missing: rows of empty cells only, and a class of such rows") {
  const std::string rows = "class,x,y\na,1,2\na,2,1\na,4,2\nb,5,6\nb,7,6\nb,6,9\n";
  CHECK(message_of(rows + "a,,\nb,,\n", {}).empty());
  CHECK(contains(message_of(rows + "c,,\nc,,\n", {}), "class 'c': column 'x' has no value"));
}
