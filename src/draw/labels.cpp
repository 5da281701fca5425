// Direct labels: names beside what they name, apart from each other.
#include <algorithm>
#include <numeric>

#include "logodds/draw/panel.hpp"

namespace logodds::draw {

namespace {

constexpr double kApart = 1.2;  // from line to line, in parts of the size

class Labels {
 public:
  Labels(std::vector<Label> labels, const Rect& area, double size)
      : labels_(std::move(labels)), area_(area), size_(size), order_(labels_.size()) {
    for (Label& label : labels_) { keep_inside(label); }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return labels_[i].at.y; });
  }

  void move_apart() {
    move_down();
    move_up();
  }

  /// In the order in which they were given.
  [[nodiscard]] std::vector<Label> with_room() const {
    std::vector<Label> kept;
    for (const Label& label : labels_) {
      const bool inside = label.at.y >= top() - 1e-6 && label.at.y <= bottom() + 1e-6;
      const bool free = std::ranges::none_of(kept, [&](const Label& other) {
        return side_by_side(label, other) &&
               std::abs(label.at.y - other.at.y) < kApart * size_ - 1e-6;
      });
      if (inside && free) { kept.push_back(label); }
    }
    return kept;
  }

 private:
  [[nodiscard]] double top() const { return area_.y + size_ / 2.0; }
  [[nodiscard]] double bottom() const { return area_.bottom() - size_ / 2.0; }

  [[nodiscard]] double width_of(const Label& label) const {
    return (label.bold ? kBoldWidth : 1.0) * text_width(label.text, size_);
  }
  [[nodiscard]] double left(const Label& label) const {
    const double width = width_of(label);
    return label.align == Align::start    ? label.at.x
           : label.align == Align::middle ? label.at.x - width / 2.0
                                          : label.at.x - width;
  }
  /// As far to the left or right as it takes to be inside of the area.
  void keep_inside(Label& label) const {
    label.at.x -= std::max(0.0, left(label) + width_of(label) - area_.right());
    label.at.x += std::max(0.0, area_.x - left(label));
  }
  /// Some x belongs to both.
  [[nodiscard]] bool side_by_side(const Label& a, const Label& b) const {
    return left(a) < left(b) + width_of(b) && left(b) < left(a) + width_of(a);
  }

  void move_down() {
    for (std::size_t n = 0; n < order_.size(); ++n) {
      Label& label = labels_[order_[n]];
      label.at.y = std::max(label.at.y, top());
      for (std::size_t m = 0; m < n; ++m) {
        const Label& above = labels_[order_[m]];
        if (side_by_side(label, above)) {
          label.at.y = std::max(label.at.y, above.at.y + kApart * size_);
        }
      }
    }
  }

  /// Where they have left the area.
  void move_up() {
    for (std::size_t n = order_.size(); n-- > 0;) {
      Label& label = labels_[order_[n]];
      label.at.y = std::min(label.at.y, bottom());
      for (std::size_t m = n + 1; m < order_.size(); ++m) {
        const Label& below = labels_[order_[m]];
        if (side_by_side(label, below)) {
          label.at.y = std::min(label.at.y, below.at.y - kApart * size_);
        }
      }
    }
  }

  std::vector<Label> labels_;
  Rect area_;
  double size_;
  std::vector<std::size_t> order_;  // from the top down
};

}  // namespace

void draw_labels(Layer& layer, std::vector<Label> labels, const Rect& area, double size) {
  Labels placed(std::move(labels), area, size);
  placed.move_apart();
  for (const Label& label : placed.with_room()) {
    layer.marks.emplace_back(Text{.at = label.at,
                                  .text = label.text,
                                  .size = size,
                                  .align = label.align,
                                  .baseline = Baseline::middle,
                                  .bold = label.bold,
                                  .paint = label.paint,
                                  .halo = true});
  }
}

}  // namespace logodds::draw
