// What holds for the law of every family.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include "logodds/error.hpp"
#include "models/naive_bayes/column_sample.hpp"

using namespace logodds;
using namespace logodds::models::naive_bayes;
using namespace logodds::models::naive_bayes::testing;

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

bool discrete(const ColumnSample& sample) { return sample.column.kind != ColumnKind::real; }

/// sum or integral of f(x) p(x | C_k).
double expectation(const ColumnLaw& law, const ColumnSample& sample, std::size_t k,
                   const std::function<double(double)>& f) {
  double sum = 0.0;
  if (discrete(sample)) {
    const double end = sample.column.coded() ? static_cast<double>(sample.column.levels.size())
                       : sample.column.kind == ColumnKind::binary ? 2.0
                                                                  : 3000.0;
    for (double x = 0.0; x < end; ++x) { sum += f(x) * std::exp(law.log_density(k, x)); }
    return sum;
  }
  // values are between 0 and 30; a histogram's density is not integrable beyond its range
  const auto [least, most] = std::minmax_element(sample.x.begin(), sample.x.end());
  const bool bins = !law.parameters().empty() && law.parameters().front().first.front() == '[';
  const double low = bins ? *least : -44.0, high = bins ? *most : 396.0;
  constexpr int kSteps = 400'000;  // 0 is between two of them
  const double step = (high - low) / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const double x = low + (i + 0.5) * step;
    sum += f(x) * std::exp(law.log_density(k, x)) * step;
  }
  return sum;
}

/// Values to try: those of the sample, and some that are far or in between.
std::vector<double> probes(const ColumnSample& sample) {
  std::vector<double> x(sample.x.begin(), sample.x.begin() + 40);
  if (sample.column.kind == ColumnKind::real) { x.insert(x.end(), {0.01, 3.3, 40.0, 1e4}); }
  if (sample.column.kind == ColumnKind::count) { x.insert(x.end(), {0, 31, 255, 256, 1000}); }
  if (sample.column.coded()) { x.push_back(kUnseenCode); }
  return x;
}

/// T(x) of a statistic of column "x", from its name alone.
double statistic(const std::string& name, const ColumnSample& sample, double x) {
  if (name == "x") { return x; }
  if (name == "x^2") { return x * x; }
  if (name == "ln x") { return std::log(x); }
  if (name == "(ln x)^2") { return std::log(x) * std::log(x); }
  REQUIRE(name.starts_with("x="));
  if (sample.column.coded()) {
    return x >= 0.0 && "x=" + sample.column.levels[static_cast<std::size_t>(x)] == name ? 1.0 : 0.0;
  }
  char* end = nullptr;
  const double low = std::strtod(name.c_str() + 3, &end);
  const double high = std::strtod(end + 2, &end);
  return x >= low && (x < high || (*end == ']' && x == high)) ? 1.0 : 0.0;
}

std::vector<double> scores_of(const ColumnLaw& law, const ColumnSample& sample,
                              const std::vector<double>& x) {
  std::vector<double> scores(law.classes() * x.size(), 0.0);
  if (sample.column.coded()) {
    std::vector<std::int32_t> codes;
    for (const double value : x) {
      codes.push_back(std::isnan(value) ? kMissingCode : static_cast<std::int32_t>(value));
    }
    law.add_scores(codes, x.size(), scores.data());
  } else {
    law.add_scores(x, x.size(), scores.data());
  }
  return scores;
}

}  // namespace

TEST_CASE("column families: the density of every law adds up to 1") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    const auto law = law_of(family, sample);
    for (std::size_t k = 0; k < 3; ++k) {
      const double total = expectation(*law, sample, k, [](double) { return 1.0; });
      CHECK(total == doctest::Approx(1.0).epsilon(discrete(sample) ? 1e-12 : 1e-4));
    }
  });
}

TEST_CASE("column families: draws have the law's mean, spread and median share") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    const auto law = law_of(family, sample);
    constexpr int kDraws = 20000;
    for (std::size_t k = 0; k < 3; ++k) {
      const double mean = expectation(*law, sample, k, [](double x) { return x; });
      const double variance =
          expectation(*law, sample, k, [&](double x) { return (x - mean) * (x - mean); });
      const double below = expectation(*law, sample, k, [&](double x) { return x < mean ? 1 : 0; });
      double sum = 0.0;
      double count_below = 0.0;
      for (int i = 0; i < kDraws; ++i) {
        random::RowDraws draws(11 + k, static_cast<std::uint64_t>(i));
        const double x = law->draw(k, draws);
        CHECK_FALSE(law->log_density(k, x) == kNothing);
        sum += x;
        count_below += x < mean ? 1.0 : 0.0;
      }
      CHECK(std::fabs(sum / kDraws - mean) < 5.0 * std::sqrt(variance / kDraws) + 1e-4);
      CHECK(std::fabs(count_below / kDraws - below) <
            5.0 * std::sqrt(below * (1.0 - below) / kDraws) + 1e-4);
    }
  });
}

TEST_CASE("column families: the log likelihood is the sum over the rows") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    for (const double alpha : {0.0, 1.0, 2.5}) {
      const auto law = law_of(family, sample, {alpha, 1e-9});
      double sum = 0.0;
      for (std::size_t r = 0; r < sample.x.size(); ++r) {
        sum += sample.weights[r] * law->log_density(sample.classes[r], sample.x[r]);
      }
      CHECK(std::isfinite(sum));
      CHECK(law->log_likelihood(sample.summary()) == doctest::Approx(sum).epsilon(1e-11));
    }
  });
}

TEST_CASE("column families: natural parameters give the differences between classes") {
  std::vector<std::string> without;
  for_each_family([&](const ColumnFamily& family, const ColumnSample& sample) {
    const auto law = law_of(family, sample);
    const auto form = law->natural();
    if (!form) {
      without.emplace_back(family.name());
      return;
    }
    const std::size_t width = form->statistics.size();
    REQUIRE(form->parameters.size() == 3 * width);
    REQUIRE(form->log_partitions.size() == 3);
    for (const double x : probes(sample)) {
      std::vector<double> logs;
      for (std::size_t k = 0; k < 3; ++k) {
        logs.push_back(-form->log_partitions[k]);
        for (std::size_t t = 0; t < width; ++t) {
          logs[k] += form->parameters[k * width + t] * statistic(form->statistics[t], sample, x);
        }
      }
      for (std::size_t k = 1; k < 3; ++k) {
        CAPTURE(x);
        CHECK(logs[k] - logs[0] == doctest::Approx(law->log_density(k, x) - law->log_density(0, x))
                                       .epsilon(1e-9)
                                       .scale(1.0));
      }
    }
  });
  CHECK(without == std::vector<std::string>{"kernel", "negative-binomial"});
}

TEST_CASE("column families: scores are log densities but for a constant of the row") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    const auto law = law_of(family, sample);
    std::vector<double> x = probes(sample);
    x.insert(x.begin() + 3, kMissing);
    const std::vector<double> scores = scores_of(*law, sample, x);
    for (std::size_t r = 0; r < x.size(); ++r) {
      CAPTURE(x[r]);
      for (std::size_t k = 0; k < 3; ++k) {
        if (std::isnan(x[r])) {
          CHECK(scores[k * x.size() + r] == 0.0);
          continue;
        }
        CHECK(scores[k * x.size() + r] - scores[r] ==
              doctest::Approx(law->log_density(k, x[r]) - law->log_density(0, x[r]))
                  .epsilon(1e-10)
                  .scale(1.0));
      }
    }
  });
}

TEST_CASE("column families: a value that the family refuses is impossible in every class") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    if (sample.column.coded()) { return; }
    const auto law = law_of(family, sample);
    for (const double x : {-3.0, 0.0, 0.5, 1.0, 2.0, 1e15 + 0.5}) {
      const std::vector<double> around{sample.x[0], x, sample.x[1]};
      const std::vector<double> scores = scores_of(*law, sample, around);
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::isfinite(scores[k * 3]));
        CHECK(std::isfinite(scores[k * 3 + 2]));
        CHECK(std::isfinite(law->log_density(k, x)) == family.refusal(x).empty());
        CHECK(std::isfinite(scores[k * 3 + 1]) == family.refusal(x).empty());
      }
    }
  });
}

TEST_CASE("column families: doubling every weight changes nothing without smoothing") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    ColumnSample twice = sample;
    for (double& weight : twice.weights) { weight *= 2.0; }
    const auto once = law_of(family, sample, {0.0, 1e-9});
    const auto doubled = law_of(family, twice, {0.0, 1e-9});
    for (const double x : probes(sample)) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double expected = once->log_density(k, x);
        if (expected == kNothing) {
          CHECK(doubled->log_density(k, x) == kNothing);
        } else {
          CHECK(doubled->log_density(k, x) == doctest::Approx(expected).epsilon(1e-11));
        }
      }
    }
  });
}

TEST_CASE("column families: free parameters") {
  std::map<std::string, double> counts;
  for_each_family([&](const ColumnFamily& family, const ColumnSample& sample) {
    counts[std::string(family.name())] = law_of(family, sample)->parameter_count();
  });
  CHECK(counts["gaussian"] == 6.0);
  CHECK(counts["exponential"] == 3.0);
  CHECK(counts["bernoulli"] == 3.0);
  CHECK(counts["categorical"] == 6.0);
  CHECK(counts["negative-binomial"] == 6.0);
  CHECK(counts["kernel"] > 9.0);
  CHECK(counts["kernel"] < 60.0);
}

TEST_CASE("column families: only a family that says so gives a possible value probability 0") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& sample) {
    // without smoothing, a class of one value
    ColumnSample narrow = sample;
    for (std::size_t r = 0; r < narrow.x.size(); ++r) {
      if (narrow.classes[r] == 0) {
        narrow.x[r] = sample.column.kind == ColumnKind::real ? 1.0 : 0.0;
      }
    }
    const auto law = law_of(family, narrow, {0.0, 1e-9});
    bool zeros = false;
    for (const double x : narrow.x) { zeros = zeros || law->log_density(0, x) == kNothing; }
    CHECK(zeros == family.excludes());
  });
}

TEST_CASE("column families: names, kinds and defaults") {
  CHECK(default_family(ColumnKind::real).name() == "gaussian");
  CHECK(default_family(ColumnKind::binary).name() == "bernoulli");
  CHECK(default_family(ColumnKind::categorical).name() == "categorical");
  CHECK(default_family(ColumnKind::count).name() == "poisson");
  CHECK_THROWS_AS(static_cast<void>(default_family(ColumnKind::text)), Error);
  CHECK(find_column_family("log-normal").name() == "log-normal");
  CHECK_THROWS_WITH_AS(static_cast<void>(find_column_family("possion")),
                       doctest::Contains("did you mean 'poisson'?"), Error);
  CHECK(find_column_family("poisson").refusal(-1.0) == "is negative");
  CHECK(find_column_family("poisson").refusal(1.5) == "is not a whole number");
  CHECK(find_column_family("gamma").refusal(0.0) == "is not positive");
  CHECK(find_column_family("exponential").refusal(0.0).empty());
  CHECK(find_column_family("bernoulli").refusal(2.0) == "is neither 0 nor 1");
}
