// The optimum of the stated objective, whatever the way to it: checked by the gradient of that
// objective in the user's units, taken by plain loops.
#include "models/softmax/solve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "logodds/error.hpp"
#include "models/softmax/by_rows.hpp"
#include "models/softmax/sampled.hpp"
#include "models/softmax/sparse_objective.hpp"

using namespace logodds;
using namespace logodds::models;
using namespace logodds::models::softmax;

namespace {

/// Columns of unlike scales, correlated, and classes that overlap.
struct Data {
  Data(std::size_t n, std::size_t d, std::size_t k, bool weighted = false, double zeros = 0.0)
      : rows(n), columns(d), classes(k) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (std::size_t r = 0; r < n; ++r) {
      const double common = normal(random);
      std::vector<double> scores(k, 0.0);
      for (std::size_t i = 0; i < d; ++i) {
        const double z = uniform(random) < zeros ? 0.0 : normal(random) + 0.5 * common;
        x.push_back(zeros > 0.0 ? z : 3.0 + std::pow(3.0, static_cast<double>(i % 4) - 1.0) * z);
        for (std::size_t c = 0; c < k; ++c) {
          scores[c] += z * std::sin(static_cast<double>(1 + i * k + c));
        }
      }
      std::size_t best = 0;
      for (std::size_t c = 0; c < k; ++c) {
        scores[c] += 2.0 * normal(random);
        if (scores[c] > scores[best]) { best = c; }
      }
      labels.push_back(static_cast<std::int32_t>(best));
      weights.push_back(weighted ? 0.5 + uniform(random) : 1.0);
      weight += weights.back();
    }
    set_sparse();
  }

  /// To be called when x has been changed.
  void set_sparse() {
    starts.assign(1, 0);
    indices.clear();
    values.clear();
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < columns; ++i) {
        if (x[r * columns + i] == 0.0) { continue; }
        indices.push_back(static_cast<std::uint32_t>(i));
        values.push_back(x[r * columns + i]);
      }
      starts.push_back(values.size());
    }
  }

  [[nodiscard]] FitRows dense(int threads = 1) const {
    return {.x = {x.data(), rows, columns, columns},
            .rows = rows,
            .columns = columns,
            .classes = classes,
            .labels = labels.data(),
            .weights = weights.data(),
            .weight = weight,
            .threads = threads};
  }
  [[nodiscard]] FitRows sparse(int threads = 1) const {
    FitRows fit = dense(threads);
    fit.x = {};
    fit.sparse = {starts.data(), indices.data(), values.data()};
    return fit;
  }

  std::size_t rows, columns, classes;
  std::vector<double> x, weights, values;
  std::vector<std::int32_t> labels;
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> indices;
  double weight = 0.0;
};

double deviation(const Data& data, std::size_t i) {
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t r = 0; r < data.rows; ++r) {
    mean += data.weights[r] * data.x[r * data.columns + i] / data.weight;
  }
  for (std::size_t r = 0; r < data.rows; ++r) {
    const double off = data.x[r * data.columns + i] - mean;
    square += data.weights[r] * off * off / data.weight;
  }
  return std::sqrt(square);
}

/// The largest violation of the optimality conditions, per unit of weight, and the objective.
struct Verdict {
  double violation = 0.0;
  double objective = 0.0;
};

Verdict judged(const Data& data, const Wish& wish, const Solution& solution) {
  const std::size_t k = data.classes;
  std::vector<double> gradient((data.columns + 1) * k, 0.0);
  Verdict verdict;
  for (std::size_t r = 0; r < data.rows; ++r) {
    std::vector<double> p(k);
    double sum = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      double a = solution.bias[c];
      for (std::size_t i = 0; i < data.columns; ++i) {
        a += solution.coefficients[i * k + c] * (data.x[r * data.columns + i] - solution.center[i]);
      }
      p[c] = std::exp(a);
      sum += p[c];
    }
    const auto label = static_cast<std::size_t>(data.labels[r]);
    verdict.objective -= data.weights[r] * std::log(p[label] / sum);
    for (std::size_t c = 0; c < k; ++c) {
      const double residual = data.weights[r] * (p[c] / sum - (c == label ? 1.0 : 0.0));
      for (std::size_t i = 0; i < data.columns; ++i) {
        gradient[i * k + c] += residual * data.x[r * data.columns + i];
      }
      gradient[data.columns * k + c] += residual;
    }
  }
  for (std::size_t i = 0; i <= data.columns; ++i) {
    const double unit = wish.standardize && i < data.columns ? deviation(data, i) : 1.0;
    for (std::size_t c = k == 2 ? 1 : 0; c < k; ++c) {
      double g = gradient[i * k + c];
      if (i < data.columns) {
        const double theta = solution.coefficients[i * k + c];
        const double l1 = wish.l1 * unit;
        verdict.objective += wish.decay * unit * unit * theta * theta + l1 * std::abs(theta);
        g += 2.0 * wish.decay * unit * unit * theta;
        g = theta == 0.0 ? std::max(0.0, std::abs(g) - l1) : g + std::copysign(l1, theta);
      } else if (!wish.intercept) {
        g = 0.0;
      }
      verdict.violation = std::max(verdict.violation, std::abs(g) / data.weight);
    }
  }
  return verdict;
}

Solution solved(const FitRows& rows, const Wish& wish, const Start& start = {}) {
  const Context context;
  linear::FitTrace trace(context);
  return solve(rows, wish, start, trace);
}

template <class Solver>
Solution solved_by(Solver solver, const FitRows& rows, const Wish& wish) {
  const Context context;
  linear::FitTrace trace(context);
  if constexpr (requires { solver(rows, wish, trace); }) {
    return solver(rows, wish, trace);
  } else {
    return solver(rows, wish, Start{}, trace);
  }
}

void check_optimal(const Data& data, const Wish& wish, const Solution& solution, double within) {
  CAPTURE(solution.optimizer);
  const Verdict verdict = judged(data, wish, solution);
  CHECK(verdict.violation <= within);
  CHECK(solution.objective == doctest::Approx(verdict.objective).epsilon(1e-9));
}

}  // namespace

TEST_CASE("softmax solver: every optimizer ends at the optimum of the stated objective") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(120, 3, classes, true);
    for (const char* name : {"auto", "newton", "irls", "bfgs", "lbfgs", "line-search"}) {
      const Wish wish{.decay = 0.3, .optimizer = name};
      const auto solution = solved(data.dense(), wish);
      CHECK(solution.converged);
      check_optimal(data, wish, solution, 3e-7);
    }
    const Wish exact{.decay = 0.3};
    CHECK(judged(data, exact, solved(data.dense(), exact)).violation <= 1e-12);
    const Wish fixed{.decay = 0.3, .optimizer = "gradient-descent", .step = 2.0};
    check_optimal(data, fixed, solved(data.dense(), fixed), 3e-7);
  }
}

TEST_CASE("softmax solver: iterative scaling agrees with the others without a decay and with one") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(60, 2, classes);
    for (const double decay : {0.0, 0.5}) {
      const Wish wish{
          .decay = decay, .optimizer = "iis", .tolerance = 1e-5, .max_iterations = 3000};
      const auto solution = solved(data.dense(), wish);
      const auto best = solved(data.dense(), {.decay = decay});
      CHECK(solution.objective == doctest::Approx(best.objective).epsilon(1e-4));
      check_optimal(data, wish, solution, 3e-3);
    }
  }
}

TEST_CASE("softmax solver: stochastic gradients come near the optimum, by the seed alone") {
  const Data data(200, 3, 3);
  Wish wish{.decay = 0.3, .optimizer = "sgd", .step = 1.0};
  const auto solution = solved(data.dense(), wish);
  const auto best = solved(data.dense(), {.decay = 0.3});
  CHECK(solution.objective <= best.objective * 1.002);
  CHECK(solved(data.dense(), wish).coefficients == solution.coefficients);
  wish.seed = 1;
  CHECK(solved(data.dense(), wish).coefficients != solution.coefficients);
}

TEST_CASE("softmax solver: stochastic gradients heed weights, in batches of any size") {
  Data data(200, 3, 2, false, 0.3);
  for (std::size_t r = 0; r < data.rows; ++r) {
    if (data.labels[r] == 0) { data.weights[r] = 10.0; }
  }
  data.weight = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  for (const auto& rows : {data.dense(), data.sparse()}) {
    const auto best = solved(rows, {.decay = 0.3});
    for (const std::size_t batch : {1UL, 16UL}) {
      const auto solution = solved(rows, {.decay = 0.3,
                                          .optimizer = "sgd",
                                          .step = 0.01 * static_cast<double>(batch),
                                          .batch = batch,
                                          .passes = 100});
      CHECK(solution.objective <= best.objective * 1.01);
    }
  }
}

TEST_CASE("softmax solver: absolute values, alone and with squares, to exact zeros") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(150, 6, classes, true);
    for (const char* name : {"auto", "lbfgs"}) {
      for (const double decay : {0.0, 0.2}) {
        for (const bool standardize : {false, true}) {
          const Wish wish{.decay = decay,
                          .l1 = 8.0,
                          .standardize = standardize,
                          .optimizer = name,
                          .tolerance = 1e-9};
          const auto solution = solved(data.dense(), wish);
          CHECK(solution.converged);
          check_optimal(data, wish, solution, 1e-7);
          CHECK(std::ranges::count(solution.coefficients, 0.0) > 6);
        }
      }
    }
    CHECK_THROWS_AS(static_cast<void>(solved(data.dense(), {.l1 = 1.0, .optimizer = "bfgs"})),
                    Error);
  }
}

TEST_CASE("softmax solver: without an intercept, and with penalties on standardized columns") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(150, 4, classes, true);
    for (const bool standardize : {false, true}) {
      for (const bool intercept : {false, true}) {
        const Wish wish{.decay = 0.7, .standardize = standardize, .intercept = intercept};
        check_optimal(data, wish, solved(data.dense(), wish), 1e-11);
        check_optimal(data, wish, solved_by(solve_sampled, data.dense(), wish), 1e-6);
      }
    }
  }
}

TEST_CASE("softmax solver: sparse rows, by coefficients and in the span of the rows") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(40, 60, classes, true, 0.8);
    for (const bool standardize : {false, true}) {
      for (const bool intercept : {false, true}) {
        const Wish wish{.decay = 0.2, .standardize = standardize, .intercept = intercept};
        check_optimal(data, wish, solved(data.sparse(), wish), 1e-7);
        check_optimal(data, wish, solved_by(solve_sparse, data.sparse(), wish), 1e-6);
        check_optimal(data, wish, solved_by(solve_by_rows, data.sparse(), wish), 1e-7);
      }
    }
    const Data blocks(700, 900, classes, true, 0.99);
    const Wish plain{.decay = 0.2};
    check_optimal(blocks, plain, solved_by(solve_sparse, blocks.sparse(2), plain), 1e-6);
    check_optimal(blocks, plain, solved_by(solve_by_rows, blocks.sparse(2), plain), 1e-7);
    const Wish lasso{.decay = 0.1, .l1 = 0.5};
    check_optimal(data, lasso, solved_by(solve_sparse, data.sparse(), lasso), 1e-6);
  }
}

TEST_CASE("softmax solver: sparse rows whose floats say little end where dense ones do") {
  const auto check = [](Data data, const Wish& wish, const char* what) {
    CAPTURE(what);
    data.set_sparse();
    const auto sparse = solved_by(solve_by_rows, data.sparse(2), wish);
    const auto dense = solved(data.dense(2), wish);
    CAPTURE(sparse.optimizer);
    CHECK(sparse.converged);
    CHECK(sparse.objective == doctest::Approx(dense.objective).epsilon(1e-8));
    CHECK(sparse.objective == doctest::Approx(judged(data, wish, sparse).objective).epsilon(1e-9));
  };
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data plain(80, 120, classes, false, 0.8);
    for (const bool intercept : {true, false}) {
      for (const double far : {300.0, 1e6}) {
        Data off = plain;
        for (std::size_t r = 0; r < off.rows; ++r) { off.x[r * off.columns] += far; }
        check(off, {.decay = 1.0, .intercept = intercept}, "a column far from 0");
      }
    }
    Data few = plain;  // of rank 3
    for (std::size_t r = 3; r < few.rows; ++r) {
      for (std::size_t i = 0; i < few.columns; ++i) {
        few.x[r * few.columns + i] = 0.0;
        for (std::size_t s = 0; s < 3; ++s) {
          few.x[r * few.columns + i] +=
              std::sin(static_cast<double>(3 * r + s)) * plain.x[s * few.columns + i];
        }
      }
    }
    check(few, {.decay = 0.01}, "rows of rank 3");
    Data equal = plain;
    for (std::size_t r = 0; r < equal.rows; ++r) {
      std::copy_n(plain.x.data() + r / 10 * plain.columns, plain.columns,
                  equal.x.data() + r * plain.columns);
    }
    check(equal, {.decay = 1e-3}, "every row ten times");
    Data small = plain;
    for (double& value : small.x) { value *= 1e-5; }
    check(small, {.decay = 1e-10}, "small units");
  }
}

TEST_CASE("softmax solver: a start at the optimum leaves nothing to do") {
  for (const std::size_t classes : {2UL, 3UL}) {
    const Data data(150, 4, classes);
    const Wish wish{.decay = 0.4};
    const auto first = solved(data.dense(), wish);
    Start start{first.coefficients, first.bias};
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t i = 0; i < 4; ++i) {
        start.intercepts[c] -= first.coefficients[i * classes + c] * first.center[i];
      }
    }
    CHECK(solved(data.dense(), {.decay = 0.4, .optimizer = "lbfgs"}, start).iterations == 0);
    CHECK(solved(data.dense(), {.decay = 0.4, .optimizer = "lbfgs"}).iterations > 2);
  }
}

TEST_CASE("softmax solver [threads]: the same bits for 1, 2 and 7") {
  const Data many(2500, 3, 3);
  const Data wide(700, 900, 3, false, 0.99);  // some blocks of rows
  const auto runs = [&](int threads) {
    return std::vector<Solution>{solved_by(solve_sampled, many.dense(threads), {.decay = 0.1}),
                                 solved(many.dense(threads), {.decay = 0.1}),
                                 solved_by(solve_by_rows, wide.sparse(threads), {.decay = 0.1}),
                                 solved_by(solve_sparse, wide.sparse(threads), {.decay = 0.1})};
  };
  const auto one = runs(1);
  for (const int threads : {2, 7}) {
    const auto more = runs(threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      CAPTURE(i);
      CHECK(more[i].coefficients == one[i].coefficients);
      CHECK(more[i].bias == one[i].bias);
    }
  }
}

TEST_CASE("softmax solver [threads]: rows picked for pairs of classes leave few passes") {
  const Wish wish{.decay = 0.5};
  Data plain(30000, 6, 5);
  Data collinear(30000, 6, 5);
  Data apart(30000, 6, 5);  // classes that hardly overlap
  for (std::size_t r = 0; r < plain.rows; ++r) {
    double* const x = collinear.x.data() + 6 * r;
    x[5] = x[0] + x[1] + 1e-5 * static_cast<double>(r % 11);
    for (std::size_t i = 0; i < 6; ++i) {
      apart.x[6 * r + i] += i == static_cast<std::size_t>(apart.labels[r]) ? 40.0 : 0.0;
    }
  }
  struct Case {
    const Data& data;
    std::size_t most;  ///< iterations
  };
  for (const auto& [data, most] : {Case{plain, 9}, Case{collinear, 12}, Case{apart, 60}}) {
    CAPTURE(most);
    const auto one = solved_by(solve_sampled, data.dense(1), wish);
    CHECK(one.converged);
    CHECK(one.iterations <= most);
    check_optimal(data, wish, one, 1e-6);
    for (const int threads : {2, 7}) {
      const auto more = solved_by(solve_sampled, data.dense(threads), wish);
      CHECK(more.coefficients == one.coefficients);
      CHECK(more.bias == one.bias);
    }
  }
}

TEST_CASE("softmax solver [threads]: many parameters, in rounds with the blocks of the Hessian") {
  const Data data(700, 105, 10, true);
  const Wish wish{.decay = 0.5};
  const auto one = solved_by(solve_sampled, data.dense(1), wish);
  CHECK(one.converged);
  CHECK(one.iterations > 5);  // more than the first round
  check_optimal(data, wish, one, 1e-6);
  const auto two = solved_by(solve_sampled, data.dense(2), wish);
  CHECK(two.coefficients == one.coefficients);
  CHECK(two.iterations == one.iterations);
  const auto few = solved_by(solve_sampled, data.dense(2), {.decay = 0.5, .max_iterations = 7});
  CHECK(few.iterations == 7);
  CHECK_FALSE(few.converged);
}

TEST_CASE(
    "softmax solver: scales by a sample of many rows, unless a column varies in few of them") {
  const Wish wish{.decay = 0.1};
  for (const bool rare : {false, true}) {
    CAPTURE(rare);
    Data data(40000, 3, 2);
    for (std::size_t r = 0; rare && r < data.rows; ++r) {
      data.x[3 * r] = r % 10007 == 5 ? 50.0 : 0.0;  // in four rows
    }
    FitRows rows = data.dense(2);
    rows.weights = nullptr;
    const auto solution = solved_by(solve_sampled, rows, wish);
    CHECK(solution.converged);
    CHECK(solution.iterations < 12);
    check_optimal(data, wish, solution, 1e-7);
  }
}
