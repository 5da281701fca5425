// The pieces that a page is made of.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::report {

/// A text, and what stands below it, smaller.
struct PageCell {
  PageCell(std::string said) : text(std::move(said)) {}  // NOLINT: most cells are but a text
  PageCell(std::string said, std::string smaller)
      : text(std::move(said)), below(std::move(smaller)) {}

  std::string text;
  std::string below{};
};

/// A table for people; numbers stand to the right.
struct PageTable {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<PageCell>> rows;
  std::vector<bool> numeric{};  ///< by column; empty: all but the first
  bool roomy = false;           ///< rather wide, to scroll in, than with cells of several lines
};

/// A picture, or the sentence that says why there is none.
using Figure = std::variant<draw::Drawing, std::string>;

class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  void section(std::string_view title);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items, std::string_view kind = "");
  void code(const std::vector<std::string>& lines);
  void facts(const std::vector<std::pair<std::string, std::string>>& facts);
  /// Large numbers with what they are: the first thing that is read.
  struct Headline {
    std::string name;
    std::string value;
    std::string detail;
  };
  void headlines(const std::vector<Headline>& headlines);
  void table(const PageTable& table);
  /// Side by side where there is room.
  void figures(const std::vector<Figure>& figures);

  [[nodiscard]] std::string html() const;

 private:
  std::string title_;
  std::string body_;
  std::string contents_;
  std::size_t sections_ = 0;
  std::size_t figures_ = 0;
};

}  // namespace logodds::report
