#include "logodds/draw/scale.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

using namespace logodds::draw;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks) { all.push_back(tick.text); }
  return all;
}

/// What any axis must have: few ticks inside of the range in rising order, texts that differ,
/// places inside of the page.
void check_axis(const Range& range, bool logarithmic) {
  INFO("from ", range.low, " to ", range.high, std::string(logarithmic ? ", logarithmic" : ""));
  const Scale scale(range, 100.0, 500.0, logarithmic);
  const std::vector<Tick> ticks = scale.ticks(6);
  CHECK(ticks.size() >= 2);
  CHECK(ticks.size() <= 14);
  double last = -kInfinite;
  std::set<std::string> seen;
  for (const Tick& tick : ticks) {
    CHECK(std::isfinite(tick.value));
    CHECK(tick.value > last);
    last = tick.value;
    CHECK(seen.insert(tick.text).second);
    CHECK(tick.text.size() <= 12);
    const double place = scale.place(tick.value);
    CHECK(place >= 100.0 - 1e-3);
    CHECK(place <= 500.0 + 1e-3);
  }
}

}  // namespace

TEST_CASE("round ticks of everyday ranges") {
  CHECK(texts(Scale({0.0, 1.0}, 0.0, 1.0).ticks(5)) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(texts(Scale({-3.0, 11.0}, 0.0, 1.0).ticks(4)) == std::vector<std::string>{"0", "5", "10"});
  CHECK(texts(Scale({2700.0, 6300.0}, 0.0, 1.0).ticks(4)) ==
        std::vector<std::string>{"3000", "4000", "5000", "6000"});
  CHECK(texts(Scale({-0.0012, 0.0012}, 0.0, 1.0).ticks(4)) ==
        std::vector<std::string>{"-0.001", "0.000", "0.001"});
  CHECK(texts(Scale({1.0, 10000.0}, 0.0, 1.0, true).ticks(6)) ==
        std::vector<std::string>{"1", "10", "100", "1000", "10000"});
}

TEST_CASE("axes of every size and sign") {
  for (const double size : {1e-300, 1e-30, 1e-7, 0.3, 1.0, 7.0, 123456.0, 1e8, 1e30, 1e300}) {
    check_axis({0.0, size}, false);
    check_axis({-size, size}, false);
    check_axis({-3.0 * size, -size}, false);
    check_axis({size, 1.05 * size}, false);
    check_axis({size, 2.0 * size}, true);
    check_axis({size, 1e4 * size}, true);
  }
  check_axis({1e-300, 1e300}, true);
  check_axis({-4e307, 4e307}, false);
  check_axis({5e-324, 1e-322}, false);
}

TEST_CASE("a range far from 0 with hardly any size still has two ends") {
  const std::vector<Tick> ticks = Scale({1e9, 1e9 + 1e-6}, 0.0, 1.0).ticks(6);
  CHECK(ticks.size() >= 2);
  CHECK(ticks.size() <= 14);
}

TEST_CASE("ranges of values: margins, one value, none, values that are none") {
  const Range usual = range_of(std::array{1.0, 3.0, 2.0}, 0.1);
  CHECK(usual.low == doctest::Approx(0.8));
  CHECK(usual.high == doctest::Approx(3.2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Range some = range_of(std::array{nan, 2.0, kInfinite, 4.0, -kInfinite}, 0.0);
  CHECK(some.low == 2.0);
  CHECK(some.high == 4.0);
  for (const double value : {0.0, 5.0, -5.0, 1e-300, -1e300, 1e308, 5e-324, 1e9}) {
    const Range one = range_of(std::array{value, value});
    INFO(value);
    CHECK(one.low < one.high);
    CHECK(std::isfinite(one.size()));
    if (std::abs(value) < 1e307) { CHECK(one.contains(value)); }
  }
  const Range none = range_of({});
  CHECK(none.low == 0.0);
  CHECK(none.high == 1.0);
  const Range huge = range_of(std::array{-1.7e308, 1.7e308});
  CHECK(std::isfinite(huge.size()));
  check_axis(huge, false);
  const Range both = joined({0.0, 1.0}, {-2.0, 0.5});
  CHECK(both.low == -2.0);
  CHECK(both.high == 1.0);
}

TEST_CASE("places and values are inverse, linear and logarithmic, up and down") {
  const Scale up({10.0, 1000.0}, 400.0, 100.0, true);
  CHECK(up.place(10.0) == doctest::Approx(400.0));
  CHECK(up.place(100.0) == doctest::Approx(250.0));
  CHECK(up.place(1000.0) == doctest::Approx(100.0));
  CHECK(up.value(250.0) == doctest::Approx(100.0));
  const Scale across({-1.0, 3.0}, 50.0, 250.0);
  for (const double value : {-1.0, 0.0, 0.3, 3.0, 10.0}) {
    CHECK(across.value(across.place(value)) == doctest::Approx(value));
  }
}

TEST_CASE("numbers as short texts") {
  CHECK(short_text(0.0123) == "0.0123");
  CHECK(short_text(-0.0) == "0");
  CHECK(short_text(1.5e-7) == "1.5e-7");
  CHECK(short_text(std::nan("")) == "none");
  CHECK(short_text(-kInfinite) == "-infinite");
  CHECK(short_text(-2.5e20) == "-2.5e20");
  CHECK(short_text(1e100) == "1e100");
  CHECK(percent(0.123456) == "12.3 %");
  CHECK(percent(1.0, 0) == "100 %");
}

TEST_CASE("an axis without finite ends has no ticks, and ends") {
  CHECK(Scale({1.0, kInfinite}, 0.0, 1.0, true).ticks(5).empty());
  CHECK(Scale({0.0, 1.0}, 0.0, 1.0, true).ticks(5).empty());
  CHECK(Scale({0.0, kInfinite}, 0.0, 1.0).ticks(5).empty());
  CHECK(Scale({std::nan(""), 1.0}, 0.0, 1.0).ticks(5).empty());
}
