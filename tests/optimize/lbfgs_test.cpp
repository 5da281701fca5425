#include "logodds/optimize/lbfgs.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>

#include "logodds/error.hpp"
#include "optimize/problems.hpp"

using logodds::Error;
using logodds::optimize::LbfgsSettings;
using logodds::optimize::minimize_lbfgs;
using logodds::optimize::Result;
using logodds::optimize::Step;

namespace {

template <class Problem>
void check_optimum(Problem problem, std::vector<double> start, const std::vector<double>& optimum,
                   double value) {
  const Result result = minimize_lbfgs(problem, std::move(start), {.gradient_tolerance = 1e-10});
  CHECK(result.converged);
  CHECK(result.gradient_norm <= 1e-10);
  CHECK(result.value == doctest::Approx(value).epsilon(1e-12));
  REQUIRE(result.theta.size() == optimum.size());
  for (std::size_t i = 0; i < optimum.size(); ++i) {
    CHECK(std::abs(result.theta[i] - optimum[i]) <= 1e-8);
  }
}

/// -sum_n ln sigma(t_n x_n.theta) + decay / 2 |theta|^2, t_n = -1 or 1, the last column constant.
struct Logistic {
  Eigen::MatrixXd rows;
  Eigen::VectorXd signs;
  double decay = 0.0;

  static Logistic made(Eigen::Index count, Eigen::Index dimension) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Logistic problem{Eigen::MatrixXd(count, dimension), Eigen::VectorXd(count), 0.1};
    for (Eigen::Index n = 0; n < count; ++n) {
      double score = 0.5;
      for (Eigen::Index d = 0; d + 1 < dimension; ++d) {
        const double scale = std::pow(4.0, static_cast<double>(d % 5) - 2.0);
        problem.rows(n, d) = scale * normal(random);
        score += problem.rows(n, d) / scale * (d % 2 == 0 ? 1.0 : -0.7);
      }
      problem.rows(n, dimension - 1) = 1.0;
      problem.signs(n) = score + normal(random) > 0.0 ? 1.0 : -1.0;
    }
    return problem;
  }

  double evaluate(std::span<const double> theta, std::span<double> gradient) const {
    const auto size = static_cast<Eigen::Index>(theta.size());
    const Eigen::Map<const Eigen::VectorXd> at(theta.data(), size);
    const Eigen::ArrayXd margin = signs.array() * (rows * at).array();
    const Eigen::ArrayXd wrong = 1.0 / (1.0 + margin.exp());  // sigma(-margin)
    Eigen::Map<Eigen::VectorXd>(gradient.data(), size) =
        decay * at - rows.transpose() * (signs.array() * wrong).matrix();
    return (-margin).exp().log1p().sum() + 0.5 * decay * at.squaredNorm();
  }

  /// Newton-Raphson, whose answer does not depend on any line search.
  [[nodiscard]] Eigen::VectorXd newton() const {
    Eigen::VectorXd theta = Eigen::VectorXd::Zero(rows.cols());
    Eigen::VectorXd gradient(rows.cols());
    for (int iteration = 0; iteration < 50; ++iteration) {
      const auto size = static_cast<std::size_t>(theta.size());
      evaluate({theta.data(), size}, {gradient.data(), size});
      theta -= hessian(theta).ldlt().solve(gradient);
    }
    return theta;
  }

  [[nodiscard]] Eigen::MatrixXd hessian(const Eigen::VectorXd& theta) const {
    const Eigen::ArrayXd p = 1.0 / (1.0 + (-(rows * theta).array()).exp());
    Eigen::MatrixXd result = rows.transpose() * (p * (1.0 - p)).matrix().asDiagonal() * rows;
    result.diagonal().array() += decay;
    return result;
  }
};

double largest_difference(const std::vector<double>& a, const Eigen::VectorXd& b) {
  return (Eigen::Map<const Eigen::VectorXd>(a.data(), b.size()) - b).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("L-BFGS: problems with known answers") {
  using namespace logodds::test;
  check_optimum(Rosenbrock{}, {-1.2, 1.0}, {1.0, 1.0}, 0.0);
  check_optimum(Booth{}, {0.0, 0.0}, {1.0, 3.0}, 0.0);
  check_optimum(Beale{}, {1.0, 1.0}, {3.0, 0.5}, 0.0);
  check_optimum(Wood{}, {-3.0, -1.0, -3.0, -1.0}, {1.0, 1.0, 1.0, 1.0}, 0.0);
}

TEST_CASE("L-BFGS: Rosenbrock's valley in 100 dimensions") {
  std::vector<double> start;
  for (int i = 0; i < 50; ++i) { start.insert(start.end(), {-1.2, 1.0}); }
  logodds::test::Rosenbrock problem;
  const Result result = minimize_lbfgs(problem, start, {.gradient_tolerance = 1e-10});
  CHECK(result.converged);
  CHECK(result.iterations < 1000);
  // From this start either of the two minima may be reached; both are known.
  const double ends = result.theta[0] > 0.0 ? 0.0 : 3.986623854;
  CHECK(result.value == doctest::Approx(ends).epsilon(1e-8));
  check_optimum(problem, std::vector<double>(100, 0.0), std::vector<double>(100, 1.0), 0.0);
}

TEST_CASE("L-BFGS: a quadratic of condition 1e6, also on top of a large constant") {
  for (const double offset : {0.0, 1e6}) {
    CAPTURE(offset);
    const logodds::test::Quadratic problem{.condition = 1e6, .offset = offset};
    const std::vector<double> start(30, -5.0);
    const Result result = minimize_lbfgs(
        problem, start,
        {.gradient_tolerance = 0.0, .relative_gradient_tolerance = 1e-12, .patience = 1000});
    CHECK(result.converged);
    CHECK(result.gradient_norm <= 1e-12 * 34.0 * 1e6);
    for (std::size_t i = 0; i < start.size(); ++i) {
      CHECK(std::abs(result.theta[i] - static_cast<double>(i)) <= 4e-5);
    }
  }
}

TEST_CASE("L-BFGS: with the exact inverse Hessian as diagonal one step is enough") {
  const logodds::test::Quadratic problem{};
  LbfgsSettings settings{.gradient_tolerance = 1e-6};
  for (std::size_t i = 0; i < 10; ++i) {
    settings.diagonal.push_back(1.0 / problem.curvature(i, 10));
  }
  const Result result = minimize_lbfgs(problem, std::vector<double>(10, 100.0), settings);
  CHECK(result.converged);
  CHECK(result.iterations == 1);
  settings.diagonal[3] = 0.0;
  CHECK_THROWS_AS(static_cast<void>(minimize_lbfgs(problem, std::vector<double>(10), settings)),
                  Error);
  settings.diagonal = {1.0};
  CHECK_THROWS_AS(static_cast<void>(minimize_lbfgs(problem, std::vector<double>(10), settings)),
                  Error);
}

TEST_CASE("L-BFGS: logistic regression agrees with Newton-Raphson") {
  const Logistic problem = Logistic::made(2000, 12);
  const Eigen::VectorXd reference = problem.newton();
  const Result result =
      minimize_lbfgs(problem, std::vector<double>(12, 0.0),
                     {.gradient_tolerance = 0.0, .relative_gradient_tolerance = 1e-12});
  CHECK(result.converged);
  CHECK(largest_difference(result.theta, reference) <= 1e-9);
}

TEST_CASE("L-BFGS: without a tolerance it ends where floating point ends, and says so") {
  const Logistic problem = Logistic::made(2000, 12);
  std::vector<double> gradient(12);
  problem.evaluate(std::vector<double>(12, 0.0), gradient);
  const double first = Eigen::Map<Eigen::VectorXd>(gradient.data(), 12).cwiseAbs().maxCoeff();
  const Result result =
      minimize_lbfgs(problem, std::vector<double>(12, 0.0), {.gradient_tolerance = 0.0});
  CHECK(result.converged);
  CHECK(result.iterations < 500);
  CHECK(result.gradient_norm <= 1e-13 * first);
}

TEST_CASE("L-BFGS: steps out of the domain are shortened") {
  for (const double pull : {0.5, 1e3, 1e6}) {
    CAPTURE(pull);
    const logodds::test::Barrier problem{.pull = pull};
    const Result result =
        minimize_lbfgs(problem, {0.9, -0.999, 0.0}, {.gradient_tolerance = 1e-9 * pull});
    CHECK(result.converged);
    for (const double x : result.theta) {
      CHECK(x == doctest::Approx(problem.optimum()).epsilon(1e-9));
    }
  }
}

TEST_CASE("L-BFGS: at the optimum already, nothing moves") {
  logodds::test::Booth problem;
  const Result result = minimize_lbfgs(problem, {1.0, 3.0});
  CHECK(result.converged);
  CHECK(result.iterations == 0);
  CHECK(result.theta == std::vector<double>{1.0, 3.0});
}

TEST_CASE("L-BFGS: one dimension, and none") {
  const auto cosh_around_two = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = std::sinh(x[0] - 2.0);
    return std::cosh(x[0] - 2.0);
  };
  const Result one = minimize_lbfgs(cosh_around_two, {-30.0}, {.gradient_tolerance = 1e-12});
  CHECK(one.converged);
  CHECK(one.theta[0] == doctest::Approx(2.0).epsilon(1e-12));
  const auto constant = [](std::span<const double>, std::span<double>) { return 3.0; };
  const Result none = minimize_lbfgs(constant, {});
  CHECK(none.converged);
  CHECK(none.value == 3.0);
}

TEST_CASE("L-BFGS: a function without a minimum is not called converged") {
  const auto falling = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 1.0;
    return x[0];
  };
  CHECK_FALSE(minimize_lbfgs(falling, {0.0}, {.max_iterations = 50}).converged);
  const auto lying = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -1.0;  // the value rises along the supposed descent
    return 1.0 + x[0] * x[0];
  };
  CHECK_FALSE(minimize_lbfgs(lying, {1.0}).converged);
}

TEST_CASE("L-BFGS: a start that is not finite is an error") {
  const logodds::test::Barrier problem{};
  CHECK_THROWS_AS(static_cast<void>(minimize_lbfgs(problem, {2.0})), Error);
}

TEST_CASE("L-BFGS: the trace tells every step, twice the same, and may stop the work") {
  logodds::test::Rosenbrock problem;
  std::vector<Step> first;
  std::vector<Step> second;
  const auto run = [&](std::vector<Step>& steps) {
    return minimize_lbfgs(problem, {-1.2, 1.0},
                          {.trace = [&](const Step& step) { steps.push_back(step); }});
  };
  const Result result = run(first);
  CHECK(run(second).theta == result.theta);
  REQUIRE(first.size() == result.iterations + 1);
  CHECK(first.front().value == doctest::Approx(24.2));
  CHECK(first.back().value == result.value);
  CHECK(first.back().gradient_norm == result.gradient_norm);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].iteration == i);
    CHECK(first[i].value == second[i].value);
    if (i > 0) { CHECK(first[i].value < first[i - 1].value); }
  }
  const auto stop = [](const Step& step) {
    if (step.iteration == 3) { throw std::runtime_error("enough"); }
  };
  CHECK_THROWS_AS(static_cast<void>(minimize_lbfgs(problem, {-1.2, 1.0}, {.trace = stop})),
                  std::runtime_error);
}

TEST_CASE("L-BFGS: max_iterations is kept and is not convergence") {
  logodds::test::Rosenbrock problem;
  const Result result = minimize_lbfgs(problem, {-1.2, 1.0}, {.max_iterations = 5});
  CHECK(result.iterations == 5);
  CHECK_FALSE(result.converged);
}

TEST_CASE("L-BFGS ends at the optimum of the objective, where a rough one leads near it") {
  Logistic problem = Logistic::made(200, 8);
  std::size_t exact_calls = 0;
  std::size_t rough_calls = 0;
  const logodds::optimize::ObjectiveFunction exact = [&](auto theta, auto gradient) {
    ++exact_calls;
    return problem.evaluate(theta, gradient);
  };
  const std::vector<double> start(8, 0.0);
  const Result alone = minimize_lbfgs(exact, start, {.gradient_tolerance = 1e-9});
  const std::size_t calls_alone = std::exchange(exact_calls, 0);
  const auto rough = [&](std::span<const double> theta, std::span<double> gradient) {
    ++rough_calls;
    const double value = problem.evaluate(theta, gradient);
    for (double& g : gradient) { g = static_cast<double>(static_cast<float>(g)) + 1e-6; }
    return static_cast<double>(static_cast<float>(value));
  };
  const Result both = minimize_lbfgs(exact, start, {.gradient_tolerance = 1e-9, .rough = rough});
  CHECK(both.converged);
  CHECK(both.gradient_norm <= 1e-9);
  CHECK(both.value == doctest::Approx(alone.value).epsilon(1e-12));
  CHECK(rough_calls > 5);
  CHECK(exact_calls < calls_alone / 2);
}

TEST_CASE("L-BFGS looks at its last step by the objective alone, when the rough one foresees it") {
  const Logistic problem = Logistic::made(200, 8);
  const Eigen::VectorXd optimum = problem.newton();
  const Eigen::LDLT<Eigen::MatrixXd> factor(problem.hessian(optimum));
  std::size_t exact_calls = 0;
  std::size_t rough_calls = 0;
  const auto counted = [&](std::size_t& calls) {
    return [&](std::span<const double> theta, std::span<double> gradient) {
      ++calls;
      return problem.evaluate(theta, gradient);
    };
  };
  std::vector<Step> steps;
  LbfgsSettings settings{.gradient_tolerance = 1e-6};
  settings.inverse = [&](std::span<double> v) {
    Eigen::Map<Eigen::VectorXd> vector(v.data(), static_cast<Eigen::Index>(v.size()));
    vector = factor.solve(vector).eval();
  };
  settings.rough = counted(rough_calls);
  settings.trace = [&](const Step& step) { steps.push_back(step); };
  const Result result = minimize_lbfgs(counted(exact_calls), std::vector<double>(8, 0.0), settings);
  CHECK(result.converged);
  CHECK(result.gradient_norm <= 1e-6);
  CHECK(largest_difference(result.theta, optimum) <= 1e-6);
  CHECK(exact_calls == 1);
  CHECK(rough_calls >= result.iterations);
  REQUIRE(steps.size() == result.iterations + 1);
  CHECK(steps.back().iteration == result.iterations);
  CHECK(steps.back().gradient_norm == result.gradient_norm);
}

TEST_CASE("L-BFGS ends with a step that takes no evaluation, where the one before was steady") {
  const Logistic problem = Logistic::made(200, 8);
  const Eigen::VectorXd optimum = problem.newton();
  const Eigen::LDLT<Eigen::MatrixXd> factor(problem.hessian(optimum));
  std::vector<double> last;
  const auto watched = [&](std::span<const double> theta, std::span<double> gradient) {
    last.assign(theta.begin(), theta.end());
    return problem.evaluate(theta, gradient);
  };
  LbfgsSettings settings{.gradient_tolerance = 1e-5};
  settings.inverse = [&](std::span<double> v) {
    Eigen::Map<Eigen::VectorXd> vector(v.data(), static_cast<Eigen::Index>(v.size()));
    vector = factor.solve(vector).eval();
  };
  const Result result = minimize_lbfgs(watched, std::vector<double>(8, 0.0), settings);
  CHECK(result.converged);
  CHECK(last != result.theta);
  std::vector<double> gradient(8);
  CHECK(problem.evaluate(result.theta, gradient) == doctest::Approx(result.value).epsilon(1e-12));
  const double norm =
      std::abs(*std::ranges::max_element(gradient, {}, [](double g) { return std::abs(g); }));
  CHECK(norm <= 0.25 * result.gradient_norm);
  CHECK(result.gradient_norm <= 1e-5);
  // From where it began, and where it is already, nothing was steady: it stays.
  const auto there = result.theta;
  CHECK(minimize_lbfgs(watched, there, settings).theta == there);
  // A step that would change the value is not taken unseen.
  settings.gradient_tolerance = 1.0;
  CHECK(minimize_lbfgs(watched, std::vector<double>(8, 0.0), settings).theta == last);
}

TEST_CASE("L-BFGS asks a rough objective of rounded parameters at points that are rounded") {
  const Logistic problem = Logistic::made(200, 8);
  const auto exact = [&](std::span<const double> theta, std::span<double> gradient) {
    return problem.evaluate(theta, gradient);
  };
  bool rounded = true;
  LbfgsSettings settings{.gradient_tolerance = 1e-6, .rough_in_singles = true};
  settings.rough = [&](std::span<const double> theta, std::span<double> gradient) {
    for (const double t : theta) {
      rounded = rounded && t == static_cast<double>(static_cast<float>(t));
    }
    return problem.evaluate(theta, gradient);
  };
  const std::vector<double> start(8, 0.1);
  const Result result = minimize_lbfgs(exact, start, settings);
  CHECK(result.converged);
  CHECK(result.gradient_norm <= 1e-6);
  CHECK(rounded);
  CHECK(largest_difference(result.theta, problem.newton()) <= 1e-6);
}

TEST_CASE("L-BFGS forgets its pairs where it is told that the first guess is another one") {
  const Logistic problem = Logistic::made(200, 8);
  const Eigen::VectorXd optimum = problem.newton();
  const Eigen::LDLT<Eigen::MatrixXd> factor(problem.hessian(optimum));
  std::vector<std::vector<double>> asked;
  bool good = false;
  LbfgsSettings settings{.gradient_tolerance = 1e-9};
  settings.inverse = [&](std::span<double> v) {
    Eigen::Map<Eigen::VectorXd> vector(v.data(), static_cast<Eigen::Index>(v.size()));
    vector = good ? factor.solve(vector).eval() : (1e-3 * vector).eval();
  };
  const auto count = [&](std::size_t better_from) {
    good = false;
    asked.clear();
    settings.renew = [&, better_from](std::span<const double> at) {
      asked.emplace_back(at.begin(), at.end());
      if (good || asked.size() < better_from) { return false; }
      return good = true;
    };
    const Result result = minimize_lbfgs(problem, std::vector<double>(8, 0.0), settings);
    CHECK(result.converged);
    CHECK(largest_difference(result.theta, optimum) <= 1e-8);
    CHECK(asked.size() == result.iterations);
    CHECK(asked.front() == std::vector<double>(8, 0.0));
    return result.iterations;
  };
  const std::size_t never = count(1000);

  CHECK(count(4) < never);
}

TEST_CASE("L-BFGS leaves a rough objective alone that is not finite") {
  Logistic problem = Logistic::made(200, 8);
  const logodds::optimize::ObjectiveFunction exact = [&](auto theta, auto gradient) {
    return problem.evaluate(theta, gradient);
  };
  const auto rough = [](std::span<const double>, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return std::nan("");
  };
  const std::vector<double> start(8, 0.0);
  const Result alone = minimize_lbfgs(exact, start);
  const Result both = minimize_lbfgs(exact, start, {.rough = rough});
  CHECK(both.theta == alone.theta);
  CHECK(both.iterations == alone.iterations);
}
