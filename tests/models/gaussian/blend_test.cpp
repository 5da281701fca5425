// --blend auto: the grid, its losses computed again by training without each fold, and the choice.
#include <doctest/doctest.h>

#include "random/row_draws.hpp"
#include "support/sample.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

const std::vector<double> kLambdas{0.0, 0.1, 0.3, 0.6, 1.0};
const std::vector<double> kGammas{0.0, 0.01, 0.1, 0.5};
constexpr std::size_t kFolds = 10;

/// Small classes in many columns: neither own nor shared covariances are best.
Sample sample() { return made_sample(150, 6, 3, 161); }

OptionMap with(const OptionMap& options, const std::string& blend) {
  OptionMap all = options;
  all["blend"] = blend;
  return all;
}

/// The losses of the table, row by row; infinity for "singular".
std::vector<double> losses_of(const FitReport& report) {
  std::vector<double> losses;
  REQUIRE(report.tables.size() == 1);
  REQUIRE(report.tables[0].rows.size() == kLambdas.size());
  for (std::size_t l = 0; l < kLambdas.size(); ++l) {
    const auto& row = report.tables[0].rows[l];
    REQUIRE(row.size() == 1 + kGammas.size());
    CHECK(std::get<std::string>(row[0]) == format_number(kLambdas[l]));
    for (std::size_t g = 0; g < kGammas.size(); ++g) {
      const auto* const loss = std::get_if<double>(&row[1 + g]);
      losses.push_back(loss != nullptr ? *loss : std::numeric_limits<double>::infinity());
    }
  }
  return losses;
}

std::string pair_of(std::size_t at) {
  return format_number(kLambdas[at / kGammas.size()]) + "," +
         format_number(kGammas[at % kGammas.size()]);
}

std::string best_pair(const std::vector<double>& losses) {
  return pair_of(
      static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin()));
}

/// Class by class, in the order of the random words of row and seed, the rows go to folds 0, 1, ...
/// in turn.
std::vector<std::size_t> folds_of(const Sample& rows, std::uint64_t seed) {
  std::vector<std::size_t> folds(rows.rows());
  std::size_t next = 0;
  for (std::size_t k = 0; k < rows.classes; ++k) {
    std::map<std::uint64_t, std::size_t> members;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (rows.label(r) == k) { members[random::RowDraws(seed, r).bits()] = r; }
    }
    for (const auto& [key, r] : members) { folds[r] = next++ % kFolds; }
  }
  return folds;
}

/// Trains without each fold, and scores it.
double cross_validated_loss(const Sample& rows, const OptionMap& options, std::uint64_t seed) {
  const auto folds = folds_of(rows, seed);
  double loss = 0.0;
  double weight = 0.0;
  for (std::size_t f = 0; f < kFolds; ++f) {
    Sample in = rows.part(0, 0);
    Sample out = in;
    for (std::size_t r = 0; r < rows.rows(); ++r) { (folds[r] == f ? out : in).append(rows, r); }
    const auto posteriors = posteriors_of(*fit(in, options).model, out);
    for (std::size_t r = 0; r < out.rows(); ++r) {
      loss -= out.weight(r) * std::log(posteriors[r * rows.classes + out.label(r)]);
      weight += out.weight(r);
    }
  }
  return loss / weight;
}

}  // namespace

TEST_CASE("blend auto: every cell is the loss of training without each fold") {
  for (const Sample& rows : {sample(), weighted(sample(), 162)}) {
    for (const OptionMap& options :
         {OptionMap{},
          OptionMap{{"blend-target", "spherical"}, {"ridge", "0.1"}, {"priors", "uniform"}}}) {
      const Fit fitted = fit(rows, with(options, "auto"), {.threads = 2, .seed = 5});
      const auto losses = losses_of(fitted.report);
      for (std::size_t at = 0; at < losses.size(); at += 3) {
        CAPTURE(pair_of(at));
        const double expected = cross_validated_loss(rows, with(options, pair_of(at)), 5);
        CHECK(losses[at] == doctest::Approx(expected).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("blend auto: the least loss is chosen, and the model is the one of that pair") {
  const Sample rows = made_sample(60, 6, 3, 161);  // too few for own covariances
  const Fit fitted = fit(rows, with({}, "auto"));
  const std::string best = best_pair(losses_of(fitted.report));
  CHECK(fitted.model->options().text("blend") == best);
  CHECK(best != "0,0");
  CHECK(best != "1,0");
  CHECK(modelfile::to_bytes(*fitted.model) ==
        modelfile::to_bytes(*fit(rows, with({}, best)).model));
  REQUIRE_FALSE(fitted.report.notes.empty());
  CHECK(contains(fitted.report.notes.back(), "blend: " + best));
}

TEST_CASE(
    "blend auto: any number of threads makes the same table; another seed, other folds [threads]") {
  const Sample rows = made_sample(3000, 4, 3, 163);
  const Fit one = fit(rows, with({}, "auto"), {.threads = 1, .seed = 1});
  const Fit seven = fit(rows, with({}, "auto"), {.threads = 7, .seed = 1});
  CHECK(losses_of(one.report) == losses_of(seven.report));
  CHECK(modelfile::to_bytes(*one.model) == modelfile::to_bytes(*seven.model));
  const Fit other = fit(rows, with({}, "auto"), {.threads = 2, .seed = 2});
  CHECK(losses_of(other.report) != losses_of(one.report));
}

TEST_CASE("blend auto: singular corners are marked and passed over") {
  const Sample rows = made_sample(40, 8, 3, 164);  // own covariances are singular in every class
  const Fit fitted = fit(rows, with({}, "auto"));
  const auto losses = losses_of(fitted.report);
  CHECK(std::isinf(losses[0]));
  CHECK(std::isfinite(losses[1]));
  CHECK(fitted.model->options().text("blend") == best_pair(losses));
  Sample constant = rows;
  for (std::size_t r = 0; r < rows.rows(); ++r) { constant.values[8 * r] = 3.0; }
  CHECK(contains(refusal(constant, with({}, "auto")), "every blend is singular"));
}

TEST_CASE(
    "blend auto: a class of one row is never held out; incomplete rows train and are not scored") {
  Sample rows = sample();
  for (std::size_t r = 2; r < rows.rows(); ++r) {
    rows.labels[r] = rows.labels[r] == 1 ? 0 : rows.labels[r];
  }
  const Fit fitted = fit(rows, with({}, "auto"));
  CHECK(fitted.model->labels().size() == 3);
  const Sample gaps = with_gaps(sample(), 0.02, 165);
  const Fit with_missing = fit(gaps, with({}, "auto"));
  CHECK(with_missing.report.rows == gaps.rows());
  CHECK(with_missing.model->options().text("blend") == best_pair(losses_of(with_missing.report)));
}

TEST_CASE("blend auto: needs the rows, which a trained model does not keep") {
  const auto model = fit(sample(), {{"covariance", "own"}}).model;
  CHECK_THROWS_WITH_AS(static_cast<void>(with_options(*model, {{"blend", "auto"}})),
                       doctest::Contains("--blend auto needs the training rows"), Error);
  CHECK(contains(refusal(sample(), with({{"shrinkage", "ledoit-wolf"}}, "auto")),
                 "take one of the two"));
  const Fit chosen = fit(sample(), with({}, "auto"));
  const auto more = update(*chosen.model, *open_matrix(made_sample(30, 6, 3, 166).data()));
  CHECK(more.model->options().text("blend") == chosen.model->options().text("blend"));
}
