// Option `components`: a Gaussian model of the leading principal components.
#include <doctest/doctest.h>

#include "support/definitions.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// All rows about their mean, and the eigenvectors of their covariance.
struct Components {
  WideVector mean;
  WideMatrix axes;  ///< D x M, leading ones first

  Components(const Sample& sample, std::size_t count)
      : axes(index_of(sample.columns), index_of(count)) {
    Wide weight = 0.0L;
    mean = WideVector::Zero(index_of(sample.columns));
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      weight += wide(sample.weight(r));
      mean += wide(sample.weight(r)) * row_of(sample, r);
    }
    mean /= weight;
    WideMatrix sigma = WideMatrix::Zero(mean.size(), mean.size());
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const WideVector off = row_of(sample, r) - mean;
      sigma += wide(sample.weight(r)) / weight * off * off.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<WideMatrix> solver(sigma);
    for (std::size_t m = 0; m < count; ++m) {
      axes.col(index_of(m)) = solver.eigenvectors().col(mean.size() - 1 - index_of(m));
    }
  }
  [[nodiscard]] Sample scores(Sample sample) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const WideVector z = axes.transpose() * (row_of(sample, r) - mean);
      for (Eigen::Index m = 0; m < z.size(); ++m) { values.push_back(static_cast<double>(z(m))); }
    }
    sample.values = std::move(values);
    sample.columns = static_cast<std::size_t>(axes.cols());
    return sample;
  }
};

}  // namespace

TEST_CASE("components: the model of the projected rows, whatever the structure and regularisers") {
  const Sample sample = weighted(made_sample(150, 5, 3, 71), 72);
  const std::vector<OptionMap> all{{},
                                   {{"covariance", "own"}},
                                   {{"covariance", "diagonal"}},
                                   {{"covariance", "spherical"}, {"priors", "uniform"}},
                                   {{"covariance", "own"}, {"ridge", "0.3"}, {"divisor", "n-1"}},
                                   {{"shrinkage", "oas"}, {"wishart", "3"}},
                                   {{"blend", "0.4,0.2"}, {"ridge-relative", "0.1"}}};
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{5}}) {
    const Sample projected = Components(sample, count).scores(sample);
    for (const auto& options : all) {
      OptionMap with = options;
      with["components"] = std::to_string(count);
      const auto model = fit(sample, with).model;
      CHECK(largest_error(posteriors_of(*model, sample),
                          posteriors_of(*fit(projected, options).model, projected)) < 1e-10);
    }
  }
}

TEST_CASE("components: all of them are a rotation, which changes no full covariance") {
  const Sample sample = made_sample(100, 4, 2, 73);
  for (const std::string covariance : {"shared", "own"}) {
    const OptionMap plain{{"covariance", covariance}};
    const OptionMap rotated{{"covariance", covariance}, {"components", "4"}};
    CHECK(largest_error(posteriors_of(*fit(sample, rotated).model, sample),
                        posteriors_of(*fit(sample, plain).model, sample)) < 1e-10);
  }
}

TEST_CASE("components: the axes that the model shows are orthonormal and its own") {
  const Sample sample = made_sample(100, 4, 2, 74);
  const auto model = fit(sample, {{"components", "2"}}).model;
  const auto axes = array_of(*model, "projection_axes");
  const Components expected(sample, 2);
  for (std::size_t m = 0; m < 2; ++m) {
    double along = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      along += axes[2 * i + m] * static_cast<double>(expected.axes(index_of(i), index_of(m)));
    }
    CHECK(std::abs(along) == doctest::Approx(1.0).epsilon(1e-12));
  }
  CHECK_FALSE(model->takes_missing());
  CHECK(array_of(*model, "means").size() == 4);
}

TEST_CASE("components: more than vary are refused, D > N works with fewer") {
  Sample sample = made_sample(60, 3, 2, 75);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[3 * r + 2] = sample.at(r, 0) - sample.at(r, 1);
  }
  CHECK(contains(refusal(sample, {{"components", "3"}}),
                 "only 2 of the 3 principal components vary"));
  CHECK(contains(refusal(sample, {{"components", "9"}}), "--components 9"));
  CHECK(refusal(sample, {{"components", "2"}}).empty());
  CHECK(refusal(made_sample(12, 20, 2, 76), {{"components", "3"}}).empty());
}
