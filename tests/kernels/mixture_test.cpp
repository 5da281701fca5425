#include "kernels/mixture.hpp"

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// Densities around the middle of the rows; poisoned above the diagonals.
struct Densities {
  Densities(std::size_t size, std::size_t classes, bool factored)
      : d(size),
        k(classes),
        means(normal_values(classes * size, 0.5, 0.7)),
        bias(normal_values(classes)) {
    for (std::size_t c = 0; c < k; ++c) {
      const auto diagonal = positive_values(d);
      auto entries = normal_values(d * d, 0.0, 0.3);
      for (std::size_t i = 0; i < d; ++i) {
        entries[i * d + i] = diagonal[i];
        inverse_diagonals.push_back(1.0 / diagonal[i]);
        for (std::size_t j = i + 1; j < d; ++j) {
          entries[i * d + j] = std::numeric_limits<double>::quiet_NaN();
        }
      }
      if (factored) { factors.insert(factors.end(), entries.begin(), entries.end()); }
    }
  }
  [[nodiscard]] MixtureDensities view() const {
    return {d,
            k,
            means.data(),
            factors.empty() ? nullptr : factors.data(),
            inverse_diagonals.data(),
            bias.data()};
  }
  std::size_t d, k;
  std::vector<double> means, factors, inverse_diagonals, bias;
};

struct Sums {
  Sums(const Densities& all, bool full_products)
      : full(full_products),
        weights(all.k, 1.0),  // sums are added to
        sums(all.k * all.d, 2.0),
        products(all.k * all.d * (full ? all.d : 1), 3.0) {}
  MixtureSums view() { return {full, weights.data(), sums.data(), products.data(), 0.0}; }
  bool full;
  std::vector<double> weights, sums, products;
};

double relative_error(const std::vector<double>& a, const std::vector<double>& b, double scale) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i] - b[i]) / scale);
  }
  return largest;
}

void check_mixture(const Rows& rows, std::size_t k, bool factored, bool full,
                   const double* weights) {
  const Densities densities(rows.d, k, factored);
  Sums expected(densities, full), actual(densities, full);
  MixtureSums plain = expected.view(), fast = actual.view();
  reference::mixture_add(rows.first(), rows.n, rows.stride, weights, densities.view(), plain);
  mixture_add(rows.first(), rows.n, rows.stride, weights, densities.view(), fast);
  // Posteriors are as good as the scores, which are sums of about d^2 terms of size 1e4 at most.
  const double scale = 1.0 + static_cast<double>(rows.n) * 30.0;
  CHECK(relative_error(actual.weights, expected.weights, scale) < 1e-10);
  CHECK(relative_error(actual.sums, expected.sums, scale) < 1e-10);
  CHECK(relative_error(actual.products, expected.products, scale) < 1e-10);
  CHECK(std::fabs(fast.log_likelihood - plain.log_likelihood) <=
        1e-10 * (1.0 + std::fabs(plain.log_likelihood)));
}

}  // namespace

TEST_CASE("mixture_add: the same sums as the reference") {
  for_each_level([] {
    for_each_shape([](const Rows& rows) {
      const auto weights = positive_values(rows.n);
      check_mixture(rows, 3, true, true, nullptr);
      check_mixture(rows, 1, true, true, weights.data());
      check_mixture(rows, 2, false, false, weights.data());
      check_mixture(rows, 2, false, true, nullptr);
      check_mixture(rows, 2, true, false, nullptr);
    });
  });
}

TEST_CASE("mixture_add: a row that is too far out for every density is no number") {
  for_each_level([] {
    const Densities densities(2, 2, true);
    Sums sums(densities, true);
    MixtureSums view = sums.view();
    const std::vector<double> rows{1e200, -1e200};
    mixture_add(rows.data(), 1, 2, nullptr, densities.view(), view);
    CHECK_FALSE(std::isfinite(view.log_likelihood));
  });
}

TEST_CASE("mixture_add: shares that vanish leave nothing behind") {
  for_each_level([] {
    const std::vector<double> means{0.0, 1e6}, factors{1.0, 1.0}, inverses{1.0, 1.0},
        bias{0.0, 0.0}, rows{0.5, -0.5, 1e6 + 1.0};
    std::vector<double> weights(2, 0.0), sums(2, 0.0), products(2, 0.0);
    MixtureSums view{true, weights.data(), sums.data(), products.data(), 0.0};
    mixture_add(rows.data(), 3, 1, nullptr,
                {1, 2, means.data(), factors.data(), inverses.data(), bias.data()}, view);
    CHECK(weights == std::vector<double>{2.0, 1.0});
    CHECK(sums == std::vector<double>{0.0, 1.0});
    CHECK(products == std::vector<double>{0.5, 1.0});
  });
}
