#include <algorithm>
#include <array>
#include <string>

#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

namespace logodds::draw {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 4> kEndings = {
    {{".svg", Format::svg}, {".html", Format::html}, {".png", Format::png}, {".pdf", Format::pdf}}};

}  // namespace

Format format_of(std::string_view path) {
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) { return format; }
  }
  throw Error(ErrorCode::usage, "'" + std::string(path) +
                                    "' says by its ending what is written, and it is none of "
                                    ".svg, .html, .png, .pdf; give one of these");
}

std::string render(const Drawing& drawing, Format format) {
  switch (format) {
    case Format::svg:
      return svg(drawing);
    case Format::html:
      return html(drawing);
    case Format::png:
      return png(drawing);
    case Format::pdf:
      break;
  }
  return pdf(drawing);
}

}  // namespace logodds::draw
