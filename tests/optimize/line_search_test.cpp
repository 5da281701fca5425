#include "optimize/line_search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using logodds::optimize::LinePoint;
using logodds::optimize::search_line;

namespace {

struct Line {
  double (*value)(double);
  double (*slope)(double);
  std::vector<double> tried{};
  LinePoint operator()(double step) {
    tried.push_back(step);
    return {step, value(step), slope(step)};
  }
};

void check_strong_wolfe(Line line, double first_step) {
  const LinePoint start{0.0, line.value(0.0), line.slope(0.0)};
  const auto found = search_line(std::ref(line), start, first_step, 0.0);
  REQUIRE(found);
  CHECK(found->value <= start.value + 1e-4 * found->step * start.slope);
  CHECK(std::abs(found->slope) <= 0.9 * std::abs(start.slope));
  CHECK(line.tried.back() == found->step);
  CHECK(line.tried.size() <= 25);
}

}  // namespace

TEST_CASE("line search: strong Wolfe from first steps far too short and far too long") {
  // The first three functions of More and Thuente, ACM TOMS 20 (1994), section 5, in plain form.
  const Line rational{[](double a) { return -a / (a * a + 2.0); },
                      [](double a) { return (a * a - 2.0) / ((a * a + 2.0) * (a * a + 2.0)); }};
  const Line steep{
      [](double a) { return std::pow(a + 0.004, 5) - 2.0 * std::pow(a + 0.004, 4); },
      [](double a) { return 5.0 * std::pow(a + 0.004, 4) - 8.0 * std::pow(a + 0.004, 3); }};
  const Line waves{[](double a) { return 0.1 * std::sin(5.0 * a) + (a - 3.0) * (a - 3.0); },
                   [](double a) { return 0.5 * std::cos(5.0 * a) + 2.0 * (a - 3.0); }};
  for (const double first : {1e-3, 1e-1, 1e1, 1e3}) {
    CAPTURE(first);
    check_strong_wolfe(rational, first);
    check_strong_wolfe(steep, first);
    check_strong_wolfe(waves, first);
  }
}

TEST_CASE("line search: infinite beyond a wall far nearer than the first step") {
  const Line wall{[](double a) {
                    return a < 1e-6 ? -a - 1e-9 * std::log1p(-1e6 * a)
                                    : std::numeric_limits<double>::infinity();
                  },
                  [](double a) { return -1.0 + 1e-3 / (1.0 - 1e6 * a); }};
  check_strong_wolfe(wall, 1.0);
}

TEST_CASE("line search: judges by slopes where values are rounding") {
  // 1 + 1e-20 (a - 1)^2 is 1 in double precision for every a tried here.
  const Line flat{[](double a) { return 1.0 + 1e-20 * (a - 1.0) * (a - 1.0); },
                  [](double a) { return 2e-20 * (a - 1.0); }};
  Line line = flat;
  const auto found = search_line(std::ref(line), {0.0, 1.0, -2e-20}, 1e-3, 1e-10);
  REQUIRE(found);
  CHECK(std::abs(found->step - 1.0) <= 0.9);
}

TEST_CASE("line search: nothing when every step goes up") {
  Line up{[](double a) { return 1.0 + a; }, [](double) { return 1.0; }};
  CHECK_FALSE(search_line(std::ref(up), {0.0, 1.0, -1.0}, 1.0, 0.0));
}
