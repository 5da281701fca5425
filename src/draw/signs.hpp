// Characters for signs: by their shape, or by their color where shapes do not tell colors apart.
#pragma once

#include <string>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

class Signs {
 public:
  /// `colored`: the color is seen, and the shape says the rest.
  Signs(const Drawing& drawing, bool colored);
  [[nodiscard]] std::string of(const Symbols& symbols) const;
  /// The sign that a name in this color stands for; empty: none, or the color is seen.
  [[nodiscard]] std::string of_name(const Paint& paint) const;

 private:
  struct Known {
    Color color;
    Shape shape;
  };
  std::vector<Known> known_{};  // one a color, in the order of the drawing
  bool colored_;
  bool by_shape_ = true;
};

}  // namespace logodds::draw
