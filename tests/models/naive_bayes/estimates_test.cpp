// Estimates against closed forms, brute force and other programs; floors, constant columns, classes
// without values, no smoothing.
#include <algorithm>
#include <functional>
#include <numeric>

#include "logodds/error.hpp"
#include "models/naive_bayes/column_sample.hpp"

using namespace logodds;
using namespace logodds::models::naive_bayes;
using namespace logodds::models::naive_bayes::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

doctest::Approx near(double value, double epsilon = 1e-12) {
  return doctest::Approx(value).epsilon(epsilon);
}

ColumnSample numbers(ColumnKind kind, const std::vector<std::vector<double>>& by_class) {
  ColumnSample sample = empty_sample(kind);
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    for (const double value : by_class[k]) { sample.add(value, k); }
  }
  return sample;
}

std::unique_ptr<ColumnLaw> law_of(const std::string& family, const ColumnSample& sample,
                                  ColumnRule rule = {1.0, 1e-9}) {
  return testing::law_of(find_column_family(family), sample, rule);
}

const std::vector<std::vector<double>> kReal{{1.5, 2.5, 0.25, 4.0}, {7.0, 9.5, 8.25}, {3.0, 3.5}};
const std::vector<std::vector<double>> kCounts{{0, 0, 1, 7, 2, 12, 0}, {3, 3, 4}, {0, 0}};

/// Log likelihood of class k of a sample with other parameters.
using Density = std::function<double(double)>;
double log_likelihood(const ColumnSample& sample, std::size_t k, const Density& log_density) {
  double sum = 0.0;
  for (std::size_t r = 0; r < sample.x.size(); ++r) {
    if (sample.classes[r] == k) { sum += sample.weights[r] * log_density(sample.x[r]); }
  }
  return sum;
}

}  // namespace

TEST_CASE("gaussian: mean and variance of each class, weighted") {
  ColumnSample sample = numbers(ColumnKind::real, kReal);
  sample.weights[0] = 3.0;
  const auto law = law_of("gaussian", sample);
  const double mean = (3 * 1.5 + 2.5 + 0.25 + 4.0) / 6;
  const double variance = (3 * (1.5 - mean) * (1.5 - mean) + (2.5 - mean) * (2.5 - mean) +
                           (0.25 - mean) * (0.25 - mean) + (4.0 - mean) * (4.0 - mean)) /
                          6;
  CHECK(parameter(*law, "mean")[0] == near(mean));
  CHECK(parameter(*law, "sd")[0] == near(std::sqrt(variance)));
  CHECK(law->log_density(0, 2.0) ==
        near(-0.5 * std::log(2 * M_PI * variance) - (2.0 - mean) * (2.0 - mean) / (2 * variance)));
}

TEST_CASE("log-normal is gaussian in ln x") {
  const ColumnSample sample = numbers(ColumnKind::real, kReal);
  ColumnSample logs = sample;
  for (double& x : logs.x) { x = std::log(x); }
  const auto law = law_of("log-normal", sample), gaussian = law_of("gaussian", logs);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(law->log_density(k, 2.2) ==
          near(gaussian->log_density(k, std::log(2.2)) - std::log(2.2)));
  }
}

TEST_CASE("exponential: the mean of each class") {
  const auto law = law_of("exponential", numbers(ColumnKind::real, kReal));
  CHECK(parameter(*law, "mean") == std::vector<double>{2.0625, 8.25, 3.25});
  CHECK(law->log_density(1, 4.125) == near(-std::log(8.25) - 0.5));
}

TEST_CASE("gamma: no other shape and scale are more likely") {
  ColumnSample sample = numbers(ColumnKind::real, {kReal[0], kReal[1], {0.001, 20.0, 3.0}});
  sample.weights[1] = 2.5;
  const auto law = law_of("gamma", sample);
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = parameter(*law, "shape")[k], b = parameter(*law, "scale")[k];
    const auto of = [&](double shape, double scale) {
      return log_likelihood(sample, k, [&](double x) {
        return (shape - 1) * std::log(x) - x / scale - std::lgamma(shape) - shape * std::log(scale);
      });
    };
    const double best = of(a, b);
    CHECK(best ==
          near(log_likelihood(sample, k, [&](double x) { return law->log_density(k, x); })));
    for (const double up : {0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0}) {
      for (const double right : {0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0}) {
        CHECK(of(a * up, b * right) <= best + 1e-12);
      }
    }
    // central differences: the gradient is 0
    const double step = 1e-5;
    CHECK(std::fabs(of(a * (1 + step), b) - of(a * (1 - step), b)) / (2 * step) < 1e-5);
    CHECK(std::fabs(of(a, b * (1 + step)) - of(a, b * (1 - step))) / (2 * step) < 1e-5);
  }
}

TEST_CASE("gamma: a class whose values hardly differ is as narrow as a normal law") {
  const ColumnSample sample =
      numbers(ColumnKind::real, {{5.0, 5.0 + 1e-7, 5.0 - 1e-7}, {1.0, 9.0}, {4.0, 4.0}});
  const auto law = law_of("gamma", sample, {1.0, 1e-30});
  const auto gaussian = law_of("gaussian", sample, {1.0, 1e-30});
  CHECK(law->log_density(0, 5.0) == near(gaussian->log_density(0, 5.0), 1e-5));
  CHECK(law->log_density(0, 5.0 + 2e-7) == near(gaussian->log_density(0, 5.0 + 2e-7), 1e-5));
}

TEST_CASE("negative-binomial: no other size is more likely at the class's own mean") {
  ColumnSample sample = numbers(ColumnKind::count, {kCounts[0], {3, 3, 4}, {900, 0, 2, 55, 1234}});
  sample.weights[3] = 1.5;
  const auto law = law_of("negative-binomial", sample, {0.0, 1e-9});
  const std::vector<double> sizes = parameter(*law, "size");
  CHECK(sizes[1] == kInfinity);  // less spread than Poisson
  for (const std::size_t k : {0UL, 2UL}) {
    const double mean = parameter(*law, "mean")[k];
    const auto of = [&](double r) {
      return log_likelihood(sample, k, [&](double x) {
        return std::lgamma(x + r) - std::lgamma(r) - std::lgamma(x + 1) +
               r * std::log(r / (r + mean)) + (x > 0 ? x * std::log(mean / (r + mean)) : 0.0);
      });
    };
    const double best = of(sizes[k]);
    CHECK(best ==
          near(log_likelihood(sample, k, [&](double x) { return law->log_density(k, x); })));
    for (double factor = 1e-3; factor < 1e3; factor *= 1.07) {
      CHECK(of(sizes[k] * factor) <= best + 1e-11);
    }
    const double step = 1e-5;
    CHECK(std::fabs(of(sizes[k] * (1 + step)) - of(sizes[k] * (1 - step))) / (2 * step) < 1e-5);
  }
}

TEST_CASE("negative-binomial: hardly more spread than Poisson's is nearly Poisson") {
  std::mt19937_64 generator(3);
  ColumnSample sample = empty_sample(ColumnKind::count);
  for (int i = 0; i < 3000; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      sample.add(std::poisson_distribution<int>(4.0)(generator), k);
    }
  }
  const auto law = law_of("negative-binomial", sample), poisson = law_of("poisson", sample);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(parameter(*law, "size")[k] > 50.0);
    for (const double x : {0.0, 4.0, 11.0}) {
      CHECK(law->log_density(k, x) == near(poisson->log_density(k, x), 0.05));
    }
    CHECK(law->log_likelihood(sample.summary()) >= poisson->log_likelihood(sample.summary()));
  }
}

TEST_CASE("kernel: bandwidths are those of R's bw.nrd0") {
  // by its formula: quartiles 1.1875 and 2.875; equal quartiles, so the sd; one value, so its size
  const ColumnSample sample =
      numbers(ColumnKind::real, {{1.5, 2.5, 0.25, 4.0}, {5, 5, 5, 5, 5, 5, 9}, {-6.0}});
  const std::vector<double> widths = parameter(*law_of("kernel", sample), "bandwidth");
  const double quartiles = (2.875 - 1.1875) / 1.34;
  CHECK(widths[0] == near(0.9 * quartiles * std::pow(4.0, -0.2)));
  CHECK(widths[1] == near(0.9 * std::sqrt(96.0 / 7 / 6) * std::pow(7.0, -0.2)));
  CHECK(widths[2] == near(0.9 * 6.0));
}

TEST_CASE("kernel: the density is the plain sum, and finite however far") {
  std::mt19937_64 generator(5);
  ColumnSample sample = empty_sample(ColumnKind::real);
  for (int i = 0; i < 300; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      sample.add(std::normal_distribution<double>(static_cast<double>(3 * k), 1.0)(generator), k,
                 1.0 + i % 5);
    }
  }
  const auto law = law_of("kernel", sample);
  for (std::size_t k = 0; k < 3; ++k) {
    const double h = parameter(*law, "bandwidth")[k];
    for (const double x : {-1.0, 0.3, 2.0, 4.75, 12.0, -9.0}) {
      std::vector<double> exponents;
      double weight = 0.0;
      for (std::size_t r = 0; r < sample.x.size(); ++r) {
        if (sample.classes[r] != k) { continue; }
        const double z = (x - sample.x[r]) / h;
        exponents.push_back(std::log(sample.weights[r]) - 0.5 * z * z);
        weight += sample.weights[r];
      }
      const double top = *std::max_element(exponents.begin(), exponents.end());
      double sum = 0.0;
      for (const double exponent : exponents) { sum += std::exp(exponent - top); }
      const double expected =
          top + std::log(sum) - std::log(weight) - std::log(h * std::sqrt(2 * M_PI));
      CAPTURE(x);
      CHECK(law->log_density(k, x) == near(expected));
    }
    double last = law->log_density(k, 100.0);
    for (const double x : {1e3, 1e6, 1e9, 1e12, 1e100}) {
      const double log = law->log_density(k, x);
      CHECK(std::isfinite(log));
      CHECK(log < last);
      last = log;
    }
    CHECK(std::isfinite(law->log_density(k, 1e308)));
    CHECK(std::isfinite(law->log_density(k, -1e308)));
  }
}

TEST_CASE("kernel: scores of a column are log densities, equal neighbors and gaps or none") {
  const ColumnSample sample =
      numbers(ColumnKind::real, {{1.5, 2.5, 0.25, 4.0}, {5, 5, 5, 5, 5, 5, 9}, {-6.0}});
  const auto law = law_of("kernel", sample);
  const std::vector<double> x{1.0, 1.0, kMissing, 1.0, -0.0, 0.0, 7.5, kMissing, kMissing, 7.5};
  std::vector<double> scores(3 * x.size(), 2.0);
  law->add_scores(x, x.size(), scores.data());
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t r = 0; r < x.size(); ++r) {
      const double added = std::isnan(x[r]) ? 0.0 : law->log_density(k, x[r]);
      CHECK(scores[k * x.size() + r] == 2.0 + added);
    }
  }
}

TEST_CASE("histogram: bins of Freedman and Diaconis, smoothed shares, an empty bin outside") {
  // quartiles of 0, 1, ..., 26 are 6.5 and 19.5: width 2 * 13 / 3, so ceil(26 / 8.67) = 3 bins
  ColumnSample sample = empty_sample(ColumnKind::real);
  for (int i = 0; i < 27; ++i) { sample.add(i, i < 18 ? 0 : 1); }
  const auto law = law_of("histogram", sample, {0.5, 1e-9});
  REQUIRE(law->parameters().size() == 3);
  const double width = 26.0 / 3;
  // 0 to 8, 9 to 17, 18 to 26
  CHECK(law->log_density(0, 3.0) == near(std::log(9.5 / (19.5 * width))));
  CHECK(law->log_density(0, 26.0) == near(std::log(0.5 / (19.5 * width))));
  CHECK(law->log_density(1, 26.0) == near(std::log(9.5 / (10.5 * width))));
  CHECK(law->log_density(1, 26.5) == near(std::log(0.5 / (10.5 * width))));
  CHECK(law->log_density(1, -1e9) == near(std::log(0.5 / (10.5 * width))));
  CHECK(law_of("histogram", sample, {0.0, 1e-9})->log_density(1, 27.0) == -kInfinity);
}

TEST_CASE("histogram: Sturges where the quartiles are equal") {
  ColumnSample sample = empty_sample(ColumnKind::real);
  for (int i = 0; i < 64; ++i) {
    sample.add(i < 60 ? 1.0 : 2.0 + i, static_cast<std::size_t>(i % 3));
  }
  CHECK(law_of("histogram", sample)->parameters().size() == 7);
}

TEST_CASE("bernoulli: the same law for 0 and 1 and for two levels") {
  ColumnSample sample = empty_sample(ColumnKind::binary);
  for (const double x : {1.0, 1.0, 0.0, 1.0}) { sample.add(x, 0, 2.0); }
  sample.add(0.0, 1);
  ColumnSample coded = sample;
  coded.column.levels = {"no", "yes"};
  for (const double alpha : {0.0, 1.0, 0.3}) {
    const auto law = law_of("bernoulli", sample, {alpha, 0.0});
    const auto levels = law_of("bernoulli", coded, {alpha, 0.0});
    CHECK(law->log_density(0, 1.0) == near(std::log((6.0 + alpha) / (8.0 + 2 * alpha))));
    CHECK(law->log_density(0, 0.0) == near(std::log((2.0 + alpha) / (8.0 + 2 * alpha))));
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double x : {0.0, 1.0}) {
        CHECK(std::exp(law->log_density(k, x)) == near(std::exp(levels->log_density(k, x))));
      }
    }
  }
  const auto none = law_of("bernoulli", sample, {0.0, 0.0});
  CHECK(none->log_density(1, 1.0) == -kInfinity);
  CHECK(std::exp(none->log_density(2, 1.0)) == near(6.0 / 9.0));  // of all classes together
  CHECK(law_of("bernoulli", sample)->log_density(2, 1.0) == near(std::log(0.5)));
  CHECK_FALSE(none->natural().has_value());
}

TEST_CASE("categorical: smoothed shares, the mass of an unseen level, no smoothing") {
  ColumnSample sample = empty_sample(ColumnKind::categorical, {"p", "q", "r"});
  for (const double x : {0.0, 0.0, 1.0}) { sample.add(x, 0); }
  for (const double x : {2.0, 2.0, 1.0, 2.0}) { sample.add(x, 1, 0.5); }
  const auto law = law_of("categorical", sample, {2.0, 0.0});
  CHECK(law->log_density(0, 0) == near(std::log(4.0 / 9)));
  CHECK(law->log_density(0, 2) == near(std::log(2.0 / 9)));
  CHECK(law->log_density(0, kUnseenCode) == near(std::log(2.0 / 9)));
  CHECK(law->log_density(1, 2) == near(std::log(3.5 / 8)));
  CHECK(law->log_density(2, 1) == near(std::log(1.0 / 3)));
  CHECK(law->log_density(2, kUnseenCode) == near(std::log(1.0 / 3)));
  const auto none = law_of("categorical", sample, {0.0, 0.0});
  CHECK(none->log_density(0, 2) == -kInfinity);
  CHECK(none->log_density(0, kUnseenCode) == 0.0);
  CHECK(none->log_density(2, 0) == near(std::log(2.0 / 5)));
  const std::vector<std::int32_t> codes{2, kMissingCode, kUnseenCode};
  std::vector<double> scores(9, 0.0);
  none->add_scores(codes, 3, scores.data());
  CHECK(scores[0] == -kInfinity);
  for (const std::size_t i : {1UL, 2UL, 4UL, 5UL}) { CHECK(scores[i] == 0.0); }
}

TEST_CASE("categorical: one level, and no rows at all") {
  ColumnSample sample = empty_sample(ColumnKind::categorical, {"only"});
  sample.add(0, 0);
  sample.add(0, 1);
  for (const double alpha : {0.0, 1.0}) {
    for (const char* family : {"categorical", "bernoulli"}) {
      const auto law = law_of(family, sample, {alpha, 0.0});
      for (std::size_t k = 0; k < 3; ++k) { CHECK(law->log_density(k, 0) == 0.0); }
      CHECK(law->parameter_count() == 0.0);
      random::RowDraws draws(1, 1);
      CHECK(law->draw(2, draws) == 0.0);
    }
  }
  const ColumnSample empty = empty_sample(ColumnKind::categorical, {"p", "q"});
  CHECK(law_of("categorical", empty, {0.0, 0.0})->log_density(1, 0) == near(std::log(0.5)));
}

TEST_CASE("counts: alpha rows of the overall mean join each class") {
  const ColumnSample sample = numbers(ColumnKind::count, kCounts);
  const double overall = 32.0 / 12;
  for (const double alpha : {0.0, 1.0, 0.5}) {
    const auto poisson = law_of("poisson", sample, {alpha, 0.0});
    const auto geometric = law_of("geometric", sample, {alpha, 0.0});
    const double rate = (22 + alpha * overall) / (7 + alpha);
    CHECK(parameter(*poisson, "rate")[0] == near(rate));
    CHECK(parameter(*geometric, "p")[0] == near(1 / (1 + rate)));
    CHECK(parameter(*law_of("negative-binomial", sample, {alpha, 0.0}), "mean")[0] == near(rate));
    CHECK(poisson->log_density(0, 5) == near(5 * std::log(rate) - rate - std::log(120.0)));
    CHECK(geometric->log_density(0, 5) ==
          near(5 * std::log(rate / (1 + rate)) - std::log(1 + rate)));
    CHECK(poisson->log_density(2, 0) == near(-alpha * overall / (2 + alpha)));
  }
}

TEST_CASE("counts: a class of zeros without smoothing has no other values, and no NaN") {
  const ColumnSample sample = numbers(ColumnKind::count, kCounts);
  for (const char* family : {"poisson", "geometric", "negative-binomial"}) {
    CAPTURE(family);
    const auto law = law_of(family, sample, {0.0, 0.0});
    CHECK(law->log_density(2, 0) == 0.0);
    CHECK(law->log_density(2, 1) == -kInfinity);
    CHECK_FALSE(law->natural().has_value());
    CHECK(std::isfinite(law->log_likelihood(sample.summary())));
    const std::vector<double> x{0.0, 3.0, kMissing};
    std::vector<double> scores(9, 0.0);
    law->add_scores(x, 3, scores.data());
    CHECK(std::isfinite(scores[6]));
    CHECK(scores[7] == -kInfinity);
    CHECK(scores[8] == 0.0);
    CHECK(std::isfinite(scores[1]));
    random::RowDraws draws(1, 2);
    CHECK(law->draw(2, draws) == 0.0);
  }
}

TEST_CASE("a variance is at least a share of the column's own") {
  const ColumnSample sample = numbers(ColumnKind::real, {{2, 2, 2}, {2, 10, 6}, {3, 3}});
  const double mean = 30.0 / 8;
  double scatter = 0.0;
  for (const double x : sample.x) { scatter += (x - mean) * (x - mean); }
  const double floor = 0.01 * scatter / 8;
  const auto law = law_of("gaussian", sample, {1.0, 0.01});
  CHECK(parameter(*law, "sd")[0] == near(std::sqrt(floor)));
  CHECK(parameter(*law, "sd")[1] == near(std::sqrt(32.0 / 3)));
  CHECK(parameter(*law_of("gamma", sample, {1.0, 0.01}), "shape")[2] == near(9.0 / floor));
  CHECK(parameter(*law_of("kernel", sample, {1.0, 9.0}), "bandwidth")[1] ==
        near(std::sqrt(9.0 * scatter / 8)));
  const ColumnSample zeros = numbers(ColumnKind::real, {{0, 0}, {1, 3}});
  CHECK(parameter(*law_of("exponential", zeros, {1.0, 0.01}), "mean")[0] == near(0.01));
  for (const char* family : {"gaussian", "log-normal", "gamma"}) {
    CHECK_THROWS_WITH_AS(law_of(family, sample, {1.0, 0.0}), doctest::Contains("--variance-floor"),
                         Error);
  }
  CHECK_THROWS_WITH_AS(law_of("exponential", zeros, {1.0, 0.0}),
                       doctest::Contains("--variance-floor"), Error);
}

TEST_CASE("a column of numbers that is constant says nothing, with a note") {
  ColumnSample sample = empty_sample(ColumnKind::count);
  for (std::size_t i = 0; i < 21; ++i) {
    sample.add(0.1, i % 3, 0.1 + 0.3 * static_cast<double>(i));
  }
  for (const ColumnFamily* family : column_families()) {
    const auto kinds = family->kinds();
    if (std::find(kinds.begin(), kinds.end(), ColumnKind::count) == kinds.end()) { continue; }
    std::vector<std::string> notes;
    const auto law = family->estimate(sample.summary(), {1.0, 0.0}, notes);
    CHECK(notes ==
          std::vector<std::string>{"column 'x' has the same value in every row and says nothing"});
    CHECK(law->log_density(1, 77.0) == 0.0);
    CHECK(law->log_likelihood(sample.summary()) == 0.0);
    CHECK(law->parameter_count() == 0.0);
    const std::vector<double> x{0.1, 5.0, kMissing};
    std::vector<double> scores(9, 0.0);
    law->add_scores(x, 3, scores.data());
    CHECK(scores == std::vector<double>(9, 0.0));
    random::RowDraws draws(1, 1);
    CHECK(law->draw(0, draws) == near(0.1));
  }
}

TEST_CASE("a class without a value has the law of all classes together") {
  const ColumnSample sample = numbers(ColumnKind::real, {kReal[0], {}, kReal[1]});
  ColumnSample together = sample;
  std::fill(together.classes.begin(), together.classes.end(), 1);
  for (const ColumnFamily* family : column_families()) {
    if (family->kinds().front() != ColumnKind::real) { continue; }
    const std::string name{family->name()};
    CAPTURE(name);
    const auto law = testing::law_of(*family, sample);
    const auto all = testing::law_of(*family, together);
    for (const double x : {0.5, 3.0, 8.0, 20.0}) {
      CHECK(law->log_density(1, x) == near(all->log_density(1, x)));
    }
    CHECK(std::isfinite(law->log_likelihood(sample.summary())));
  }
  const ColumnSample counts = numbers(ColumnKind::count, {kCounts[0], {}, kCounts[1]});
  for (const char* family : {"poisson", "geometric", "negative-binomial"}) {
    for (const double alpha : {0.0, 1.0}) {
      const auto law = law_of(family, counts, {alpha, 0.0});
      double mean = 0.0;
      for (double x = 0; x < 3000; ++x) { mean += x * std::exp(law->log_density(1, x)); }
      CHECK(mean == near(3.2, 1e-9));
    }
  }
}

TEST_CASE("no rows at all: every family says nothing or is uniform, and no NaN") {
  for_each_family([](const ColumnFamily& family, const ColumnSample& some) {
    ColumnSample none = some;
    none.x.clear();
    none.classes.clear();
    none.weights.clear();
    for (const double alpha : {0.0, 1.0}) {
      const auto law = testing::law_of(family, none, {alpha, 0.0});
      CHECK(law->log_density(1, 1.0) == law->log_density(0, 1.0));
      CHECK(std::isfinite(law->log_density(1, 1.0)));
      CHECK(law->log_likelihood(none.summary()) == 0.0);
    }
  });
}

TEST_CASE("values whose squares overflow are refused") {
  const ColumnSample sample = numbers(ColumnKind::real, {{1e200, 2e200}, {1.0, 2.0}});
  CHECK_THROWS_WITH_AS(law_of("gaussian", sample), doctest::Contains("squares overflow"), Error);
}
