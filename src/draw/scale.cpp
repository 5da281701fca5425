#include "logodds/draw/scale.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace logodds::draw {

namespace {

std::string printed(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto [end, problem] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return problem == std::errc{} ? std::string(buffer.data(), end) : std::string("?");
}

/// "1.5e-7" for "1.5e-07", "1e9" for "1e+09".
std::string short_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) { return text; }
  const std::size_t digits = e + 2;
  text.erase(digits, std::min(text.find_first_not_of('0', digits), text.size() - 1) - digits);
  if (text[e + 1] == '+') { text.erase(e + 1, 1); }
  return text;
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) { return factor * power; }
  }
  return 10.0 * power;
}

/// Of ten, in the first digit.
int power_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

/// Decimals that tell multiples of `step` apart.
int decimals_of(double step) { return std::max(0, -power_of(step)); }

std::string tick_text(double value, double step, double largest) {
  constexpr double kLong = 1e7;
  constexpr int kMost = 6;
  const int decimals = decimals_of(step);
  if (largest >= kLong || decimals > kMost) {
    return short_text(value, std::clamp(1 + power_of(largest) - power_of(step), 1, 15));
  }
  return printed(value, std::chars_format::fixed, decimals);
}

std::vector<Tick> linear_ticks(const Range& range, std::size_t about) {
  const double step =
      round_step(range.size() / static_cast<double>(std::max<std::size_t>(about, 1)));
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  // Beyond 2^52 steps from 0 the multiples are not told apart.
  if (!(step > 0.0) || largest / step > 4e15) {
    return {{range.low, short_text(range.low)}, {range.high, short_text(range.high)}};
  }
  std::vector<Tick> ticks;
  const double slack = 1e-9 * range.size();
  for (double i = std::ceil((range.low - slack) / step); i * step <= range.high + slack; ++i) {
    const double value = i == 0.0 ? 0.0 : i * step;
    ticks.push_back({value, tick_text(value, step, largest)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(const Range& range, std::size_t about) {
  const double low = std::log10(range.low);
  const double high = std::log10(range.high);
  if (high - low < 1.0) { return linear_ticks(range, about); }
  const double stride = std::max(1.0, std::ceil((high - low) / static_cast<double>(about)));
  constexpr int kPlainDigits = 6;  // longer powers of ten have an exponent
  std::vector<Tick> ticks;
  for (double power = std::ceil(low - 1e-9); power <= high + 1e-9; power += stride) {
    const double value = std::pow(10.0, power);
    ticks.push_back({value, short_text(value, kPlainDigits)});
  }
  return ticks;
}

}  // namespace

Range range_of(std::span<const double> values, double margin) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) { continue; }
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) { return {0.0, 1.0}; }
  constexpr double kMost = std::numeric_limits<double>::max() / 4.0;  // sizes stay finite
  low = std::clamp(low, -kMost, kMost);
  high = std::clamp(high, -kMost, kMost);
  const double size = high - low;
  if (size <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
    constexpr double kLeast = 1e-300;  // a tenth of the smallest numbers is 0
    const double half = low == 0.0 ? 0.5 : std::max(std::abs(low) / 10.0, kLeast);
    return {low - half, high + half};
  }
  return {low - margin * size, high + margin * size};
}

Range joined(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Scale::Scale(Range range, double begin, double end, bool logarithmic)
    : range_(range), begin_(begin), end_(end), logarithmic_(logarithmic) {}

double Scale::place(double value) const {
  // Logarithms one by one: the ratio of the ends may be no number.
  const double share = logarithmic_ ? (std::log(value) - std::log(range_.low)) /
                                          (std::log(range_.high) - std::log(range_.low))
                                    : (value - range_.low) / range_.size();
  return begin_ + share * (end_ - begin_);
}

double Scale::value(double place) const {
  const double share = (place - begin_) / (end_ - begin_);
  return logarithmic_
             ? std::exp((1.0 - share) * std::log(range_.low) + share * std::log(range_.high))
             : range_.low + share * range_.size();
}

std::vector<Tick> Scale::ticks(std::size_t about) const {
  if (!std::isfinite(range_.low) || !std::isfinite(range_.high)) { return {}; }
  if (logarithmic_ && !(range_.low > 0.0)) { return {}; }
  return logarithmic_ ? logarithmic_ticks(range_, about) : linear_ticks(range_, about);
}

std::string short_text(double value, int digits) {
  if (std::isnan(value)) { return "none"; }
  if (std::isinf(value)) { return value > 0.0 ? "infinite" : "-infinite"; }
  return short_exponent(printed(value == 0.0 ? 0.0 : value, std::chars_format::general, digits));
}

std::string decimal_text(double value, int decimals) {
  return std::isfinite(value) ? printed(value, std::chars_format::fixed, decimals)
                              : short_text(value);
}

std::string percent(double share, int decimals) {
  return printed(100.0 * share, std::chars_format::fixed, decimals) + " %";
}

}  // namespace logodds::draw
