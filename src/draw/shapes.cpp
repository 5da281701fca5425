#include "draw/shapes.hpp"

namespace logodds::draw {

std::vector<std::vector<Point>> outline_of(Shape shape, Point at, double size) {
  const double h = size / 2.0;
  const auto point = [&](double x, double y) { return Point{at.x + x * h, at.y + y * h}; };
  switch (shape) {
    case Shape::circle:
      return {};
    case Shape::square:
      return {{point(-0.9, -0.9), point(0.9, -0.9), point(0.9, 0.9), point(-0.9, 0.9)}};
    case Shape::triangle:
      return {{point(0.0, -1.1), point(1.1, 0.85), point(-1.1, 0.85)}};
    case Shape::diamond:
      return {{point(0.0, -1.25), point(1.1, 0.0), point(0.0, 1.25), point(-1.1, 0.0)}};
    case Shape::cross:
      return {{point(-0.85, -0.85), point(0.85, 0.85)}, {point(0.85, -0.85), point(-0.85, 0.85)}};
    case Shape::plus:
      return {{point(-1.0, 0.0), point(1.0, 0.0)}, {point(0.0, -1.0), point(0.0, 1.0)}};
  }
  return {};
}

}  // namespace logodds::draw
