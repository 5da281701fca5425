// Structures and regularisers, each against its formula.
#include <doctest/doctest.h>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

constexpr double kRounding = 1e-11;

using Rule = WideMatrix (*)(const Moments&, std::size_t);  ///< Sigma_k

WideMatrix diagonal_of(const WideMatrix& sigma) { return sigma.diagonal().asDiagonal(); }

WideMatrix spherical_of(const WideMatrix& sigma) {
  const Wide mean = sigma.trace() / static_cast<Wide>(sigma.rows());
  return mean * WideMatrix::Identity(sigma.rows(), sigma.rows());
}

WideMatrix own(const Moments& m, std::size_t k) { return m.scatters[k] / m.weights[k]; }
WideMatrix shared(const Moments& m, std::size_t /*k*/) { return m.pooled() / m.weight(); }
WideMatrix grouped(const Moments& m, std::size_t k) {  // c0 + c2, c1
  if (k == 1) { return own(m, 1); }
  return (m.scatters[0] + m.scatters[2]) / (m.weights[0] + m.weights[2]);
}

template <class Covariance>
OnPaper on_paper(const Sample& sample, Covariance covariance) {
  const Moments moments(sample);
  std::vector<WideMatrix> sigmas;
  for (std::size_t k = 0; k < sample.classes; ++k) { sigmas.push_back(covariance(moments, k)); }
  return {moments, std::move(sigmas)};
}

/// The covariance of class k as the model shows it.
WideMatrix shown_covariance(const Classifier& model, std::size_t k, std::size_t d) {
  const auto sigmas = array_of(model, "covariances");
  const auto owner = static_cast<std::size_t>(array_of(model, "covariance_of_class")[k]);
  WideMatrix sigma(index_of(d), index_of(d));
  for (std::size_t e = 0; e < d * d; ++e) {
    sigma(index_of(e / d), index_of(e % d)) = wide(sigmas[owner * d * d + e]);
  }
  return sigma;
}

/// Parameters and posteriors of the model trained with these options.
template <class Covariance>
void check(const Sample& sample, const OptionMap& options, Covariance covariance) {
  std::string name;
  for (const auto& [option, value] : options) { name += " --" + option + " " + value; }
  CAPTURE(name);
  const OnPaper expected = on_paper(sample, covariance);
  const auto model = fit(sample, options).model;
  for (std::size_t k = 0; k < sample.classes; ++k) {
    const WideMatrix off = shown_covariance(*model, k, sample.columns) - expected.sigmas[k];
    CHECK(static_cast<double>(off.cwiseAbs().maxCoeff()) < kRounding);
    for (std::size_t i = 0; i < sample.columns; ++i) {
      CHECK(array_of(*model, "means")[k * sample.columns + i] ==
            doctest::Approx(static_cast<double>(expected.means[k](index_of(i)))).epsilon(1e-12));
    }
  }
  CHECK(largest_error(posteriors_of(*model, sample), expected.posteriors(sample)) < kRounding);
}

const Sample& sample() {
  static const Sample made = weighted(made_sample(150, 3, 3, 41), 42);
  return made;
}

}  // namespace

TEST_CASE("covariances: the seven structures") {
  for (const Sample& rows : {sample(), made_sample(90, 4, 3, 43)}) {
    check(rows, {{"covariance", "shared"}}, shared);
    check(rows, {{"covariance", "own"}}, own);
    check(rows, {{"covariance", "groups"}, {"groups", "c0+c2,c1"}}, grouped);
    check(rows, {{"covariance", "groups"}, {"groups", "c2+c0"}}, grouped);  // others have their own
    check(rows, {{"covariance", "diagonal"}},
          [](const Moments& m, std::size_t k) { return diagonal_of(own(m, k)); });
    check(rows, {{"covariance", "shared-diagonal"}},
          [](const Moments& m, std::size_t k) { return diagonal_of(shared(m, k)); });
    check(rows, {{"covariance", "spherical"}},
          [](const Moments& m, std::size_t k) { return spherical_of(own(m, k)); });
    check(rows, {{"covariance", "shared-spherical"}},
          [](const Moments& m, std::size_t k) { return spherical_of(shared(m, k)); });
  }
}

TEST_CASE("covariances: divisor n-1, and n minus the number of classes that are pooled") {
  const auto unbiased_own = [](const Moments& m, std::size_t k) {
    return WideMatrix(m.scatters[k] / (m.weights[k] - 1.0L));
  };
  check(sample(), {{"covariance", "own"}, {"divisor", "n-1"}}, unbiased_own);
  check(sample(), {{"divisor", "n-1"}},
        [](const Moments& m, std::size_t) { return WideMatrix(m.pooled() / (m.weight() - 3.0L)); });
  check(sample(), {{"covariance", "groups"}, {"groups", "c0+c2"}, {"divisor", "n-1"}},
        [&](const Moments& m, std::size_t k) {
          if (k == 1) { return unbiased_own(m, k); }
          return WideMatrix((m.scatters[0] + m.scatters[2]) / (m.weights[0] + m.weights[2] - 2.0L));
        });
  check(sample(), {{"covariance", "diagonal"}, {"divisor", "n-1"}},
        [&](const Moments& m, std::size_t k) { return diagonal_of(unbiased_own(m, k)); });
}

TEST_CASE("covariances: the worked example") {
  Sample rows{.columns = 3, .classes = 1, .values = {}, .labels = {}, .weights = {}};
  rows.values = {4.0, 2.0, .60, 4.2, 2.1, .59, 3.9, 2.0, .58, 4.3, 2.1, .62, 4.1, 2.2, .63};
  rows.labels.assign(5, 0);
  const auto model = fit(rows, {{"covariance", "own"}, {"divisor", "n-1"}}).model;
  const std::vector<double> mean{4.10, 2.08, .604};
  const std::vector<double> sigma{.025,   .0075,  .00175, .0075, .0070,
                                  .00135, .00175, .00135, .00043};
  CHECK(largest_error(array_of(*model, "means"), mean) < 1e-15);
  for (std::size_t e = 0; e < 9; ++e) {
    CHECK(array_of(*model, "covariances")[e] == doctest::Approx(sigma[e]).epsilon(1e-12));
  }
}

TEST_CASE("covariances: ridge, absolute and relative to the mean variance") {
  for (const std::string structure : {"own", "shared", "diagonal", "spherical"}) {
    const auto plain = [&](const Moments& m, std::size_t k) {
      if (structure == "own") { return own(m, k); }
      if (structure == "shared") { return shared(m, k); }
      return structure == "diagonal" ? diagonal_of(own(m, k)) : spherical_of(own(m, k));
    };
    const WideMatrix identity = WideMatrix::Identity(3, 3);
    check(sample(), {{"covariance", structure}, {"ridge", "0.25"}},
          [&](const Moments& m, std::size_t k) {
            return WideMatrix(plain(m, k) + 0.25L * identity);
          });
    check(sample(), {{"covariance", structure}, {"ridge", "0.5"}, {"ridge-relative", "0.125"}},
          [&](const Moments& m, std::size_t k) {
            return WideMatrix(plain(m, k) + (0.5L + 0.125L * m.mean_variance()) * identity);
          });
  }
}

TEST_CASE("covariances: Wishart, pseudo-count times a scale matrix joins the scatter") {
  const WideMatrix identity = WideMatrix::Identity(3, 3);
  check(sample(), {{"covariance", "own"}, {"wishart", "7"}}, [&](const Moments& m, std::size_t k) {
    return WideMatrix((m.scatters[k] + 7.0L * m.mean_variance() * identity) /
                      (m.weights[k] + 7.0L));
  });
  check(
      sample(), {{"covariance", "shared"}, {"wishart", "2.5"}}, [&](const Moments& m, std::size_t) {
        return WideMatrix((m.pooled() + 2.5L * m.mean_variance() * identity) / (m.weight() + 2.5L));
      });
  WideMatrix scale(3, 3);
  scale << 2.0L, 0.5L, 0.0L, 0.5L, 1.0L, -0.25L, 0.0L, -0.25L, 4.0L;
  const OptionMap file{{"wishart", "4"},
                       {"wishart-scale", "2, 0.5, 0\n0.5, 1, -0.25\n0,-0.25,4\n"}};
  OptionMap options = file;
  options["covariance"] = "own";
  const auto scaled = [&](const Moments& m, std::size_t k) {
    return WideMatrix((m.scatters[k] + 4.0L * scale) / (m.weights[k] + 4.0L));
  };
  check(sample(), options, scaled);
  options["covariance"] = "diagonal";
  check(sample(), options,
        [&](const Moments& m, std::size_t k) { return diagonal_of(scaled(m, k)); });
  options["covariance"] = "own";
  options["divisor"] = "n-1";
  check(sample(), options, [&](const Moments& m, std::size_t k) {
    return WideMatrix((m.scatters[k] + 4.0L * scale) / (m.weights[k] - 1.0L + 4.0L));
  });
  CHECK(
      contains(refusal(made_sample(20, 2, 2, 1), file), "--wishart-scale: the matrix is not of 2"));
}
