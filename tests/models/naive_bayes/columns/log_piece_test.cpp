#include "models/naive_bayes/columns/log_piece.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

using namespace logodds::models::naive_bayes::columns;
using logodds::kernels::BumpPlaces;

namespace {

template <class Function>
BumpPlaces at_places(const Function& f) {
  BumpPlaces values;
  for (std::size_t i = 0; i < values.size(); ++i) { values[i] = f(LogPiece::places()[i]); }
  return values;
}

/// Of the logarithm, over the interval.
template <class Function>
double worst_error(const LogPiece& piece, const Function& f) {
  double worst = 0.0;
  for (int i = -100; i <= 100; ++i) {
    const double v = 0.01 * i;
    worst = std::max(worst, std::fabs(piece(v) - std::log(f(v))));
  }
  return worst;
}

}  // namespace

TEST_CASE("a LogPiece follows functions with a steep trend to the last digits") {
  const auto bump = [](double v) { return std::exp(-30.0 + 9.0 * v - 0.03 * v * v); };
  const auto humps = [](double v) { return std::exp(5.0 * v) * (1.0 + 0.3 * std::cosh(1.2 * v)); };
  const auto inverse = [](double v) { return 1.0 / (33.0 + v); };
  const LogPiece bump_piece(at_places(bump), -0.03);
  const LogPiece humps_piece(at_places(humps), 0.0);
  const LogPiece inverse_piece(at_places(inverse), 0.0);
  REQUIRE(bump_piece.usable());
  REQUIRE(humps_piece.usable());
  REQUIRE(inverse_piece.usable());
  CHECK(worst_error(bump_piece, bump) < 2e-14);  // of 39, whose unit is 7e-15
  CHECK(worst_error(humps_piece, humps) < 3e-15);
  CHECK(worst_error(inverse_piece, inverse) < 3e-15);
}

TEST_CASE("a LogPiece knows what a polynomial of degree 15 does not follow") {
  CHECK_FALSE(LogPiece().usable());
  CHECK_FALSE(LogPiece(at_places([](double v) { return std::cosh(9.0 * v); }), 0.0).usable());
  CHECK_FALSE(LogPiece(at_places([](double v) { return 1.1 - v * v / (1.1 + v); }), 0.0).usable());
  CHECK_FALSE(LogPiece(at_places([](double v) { return v; }), 0.0).usable());
  CHECK_FALSE(LogPiece(at_places([](double) { return 1e-310; }), 0.0).usable());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(LogPiece(at_places([](double) { return kInfinity; }), 0.0).usable());
  CHECK_FALSE(LogPiece(at_places([](double v) { return v > 0.0 ? 1e200 : 1e-200; }), 0.0).usable());
}

TEST_CASE("LazyPieces give one piece to all threads [threads]") {
  const LazyPieces pieces(3);
  std::vector<const LogPiece*> seen(12);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 3; ++i) {
        const double height = static_cast<double>(i + 1);
        seen[t * 3 + i] =
            &pieces.at(i, [&] { return LogPiece(at_places([&](double) { return height; }), 0.0); });
      }
    });
  }
  for (auto& thread : threads) { thread.join(); }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t t = 0; t < 4; ++t) { CHECK(seen[t * 3 + i] == seen[i]); }
    CHECK((*seen[i])(0.4) == doctest::Approx(std::log(static_cast<double>(i + 1))));
  }
}
