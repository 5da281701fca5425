// A rectangle of characters, each with a ground, dots, a sign and a letter over each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "draw/roles.hpp"
#include "logodds/draw/render.hpp"

namespace logodds::draw {

struct Cell {
  std::array<Color, 2> ground{color_of(Role::paper), color_of(Role::paper)};  // upper, lower half
  std::uint8_t dots = 0;  // of braille, in the order of Unicode
  Color dot_ink{};
  std::string sign{};  // empty: none
  Color sign_ink{};
  std::string letter{};  // of a text; empty: none
  Color letter_ink{};
  bool covered = false;  // by the right half of a wide letter
};

class Cells {
 public:
  Cells(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), cells_(columns * rows) {}

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] Cell& at(std::size_t row, std::size_t column) {
    return cells_[row * columns_ + column];
  }
  [[nodiscard]] const Cell& at(std::size_t row, std::size_t column) const {
    return cells_[row * columns_ + column];
  }

  /// Lines ended by newlines.
  [[nodiscard]] std::string text(TerminalColors colors) const;

 private:
  [[nodiscard]] std::string colored_line(std::size_t row, TerminalColors colors) const;
  [[nodiscard]] std::string plain_line(std::size_t row) const;
  [[nodiscard]] bool beside_letter(std::size_t row, std::size_t column) const;

  std::size_t columns_;
  std::size_t rows_;
  std::vector<Cell> cells_;
};

/// How many cells a character fills: 2 the scripts of East Asia, 0 accents that combine.
[[nodiscard]] std::size_t cell_width(std::string_view character);

/// The nearest of the 240 colors of xterm's palette that do not change (6 x 6 x 6 and grays), no
/// gray for what is none.
[[nodiscard]] int indexed_color(Color color);

}  // namespace logodds::draw
