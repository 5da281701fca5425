// Values to places on a page, and the ticks of an axis.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace logodds::draw {

struct Tick {
  double value = 0.0;
  std::string text;
};

/// Values from low to high, low < high and both finite.
struct Range {
  double low = 0.0;
  double high = 1.0;
  [[nodiscard]] double size() const { return high - low; }
  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
};

/// The least range that holds the finite ones among the values, wider by `margin` of its size on
/// both sides. One value makes a range around it; none makes 0 to 1.
[[nodiscard]] Range range_of(std::span<const double> values, double margin = 0.05);
/// The least range that holds both.
[[nodiscard]] Range joined(const Range& a, const Range& b);

/// A linear or logarithmic axis: the value `range.low` stands at `begin` on the page, `range.high`
/// at `end`, which is the smaller number on a vertical axis.
class Scale {
 public:
  Scale(Range range, double begin, double end, bool logarithmic = false);

  [[nodiscard]] double place(double value) const;
  [[nodiscard]] double value(double place) const;
  [[nodiscard]] const Range& range() const { return range_; }
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  /// Round numbers inside of the range, about so many; none where an end is no number, or on a
  /// logarithmic axis not positive.
  [[nodiscard]] std::vector<Tick> ticks(std::size_t about = 6) const;

 private:
  Range range_;
  double begin_;
  double end_;
  bool logarithmic_;
};

/// At most `digits` significant digits, for labels: "0.0123", "1.5e-7", "120,000" is "120000".
[[nodiscard]] std::string short_text(double value, int digits = 4);
/// So many digits after the point: "0.980".
[[nodiscard]] std::string decimal_text(double value, int decimals = 3);
/// "12.3 %"
[[nodiscard]] std::string percent(double share, int decimals = 1);

}  // namespace logodds::draw
