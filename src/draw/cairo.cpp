// Drawings as PNG and PDF, by Cairo.
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "draw/cairo_library.hpp"
#include "draw/roles.hpp"
#include "draw/shapes.hpp"
#include "draw/sound.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// Fontconfig keeps what it has found until the program ends, in places where the leak sanitizer
// does not see it. The names are the sanitizer's.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
#endif
#endif

namespace logodds::draw {

namespace {

constexpr double kPointsPerUnit = 0.75;  // 72 points and 96 page units to the inch

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) { return; }
  throw Error(ErrorCode::io, std::string("the picture cannot be painted: ") +
                                 cairo().status_to_string(status) + "; give a smaller page");
}

cairo_status_t append(void* file, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

class Painter {
 public:
  explicit Painter(cairo_t* context) : c_(context) {}

  void paint(const Drawing& drawing) {
    set(Role::paper, 1.0);
    cairo().paint(c_);
    for (const Layer& layer : drawing.layers) {
      cairo().save(c_);
      if (layer.clip) {
        cairo().rectangle(c_, layer.clip->x, layer.clip->y, layer.clip->width, layer.clip->height);
        cairo().clip(c_);
      }
      for (const Mark& mark : layer.marks) {
        std::visit([this](const auto& one) { paint_mark(one); }, mark);
      }
      cairo().restore(c_);
    }
    check(cairo().status(c_));
  }

 private:
  void set(const Paint& paint, double opacity) {
    const Color color = color_of(paint);
    cairo().set_source_rgba(c_, color.red / 255.0, color.green / 255.0, color.blue / 255.0,
                            opacity);
  }

  void stroke(const Stroke& stroke) {
    set(stroke.paint, stroke.opacity);
    cairo().set_line_width(c_, stroke.width);
    cairo().set_line_join(c_, CAIRO_LINE_JOIN_ROUND);
    cairo().set_dash(c_, stroke.dash.data(), static_cast<int>(stroke.dash.size()), 0.0);
    cairo().stroke(c_);
  }

  void finish(const std::optional<Fill>& filling, const std::optional<Stroke>& line) {
    if (filling) {
      set(filling->paint, filling->opacity);
      cairo().fill_preserve(c_);
    }
    if (line) { stroke(*line); }
    cairo().new_path(c_);
  }

  void trace(const std::vector<std::vector<Point>>& lines, bool closed) {
    for (const auto& line : lines) {
      cairo().new_sub_path(c_);
      for (const Point point : line) { cairo().line_to(c_, point.x, point.y); }
      if (closed) { cairo().close_path(c_); }
    }
  }

  void paint_mark(const Path& path) {
    cairo().set_fill_rule(c_, CAIRO_FILL_RULE_EVEN_ODD);
    trace(path.lines, path.closed);
    finish(path.fill, path.stroke);
  }

  void paint_mark(const Symbols& symbols) {
    for (const Point place : symbols.places) {
      if (symbols.shape == Shape::circle) {
        cairo().new_sub_path(c_);
        cairo().arc(c_, place.x, place.y, symbols.size / 2.0, 0.0, 2.0 * std::numbers::pi);
      } else {
        trace(outline_of(symbols.shape, place, symbols.size), !is_lines(symbols.shape));
      }
      if (is_lines(symbols.shape)) {
        stroke({.paint = symbols.fill.paint,
                .width = line_width_of(symbols.size),
                .opacity = symbols.fill.opacity});
      } else {
        finish(symbols.fill, symbols.outline);
      }
    }
  }

  void paint_mark(const Text& text) {
    cairo().save(c_);
    cairo().select_font_face(c_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                             text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo().set_font_size(c_, text.size);
    cairo_text_extents_t extents;
    cairo().text_extents(c_, text.text.c_str(), &extents);
    const double along = text.align == Align::start    ? 0.0
                         : text.align == Align::middle ? -extents.x_advance / 2.0
                                                       : -extents.x_advance;
    cairo().translate(c_, text.at.x, text.at.y);
    cairo().rotate(c_, text.turn * std::numbers::pi / 180.0);
    cairo().move_to(c_, along, baseline_shift(text));
    if (text.halo) {
      cairo().text_path(c_, text.text.c_str());
      stroke({.paint = Role::paper, .width = 3.0, .opacity = 0.85});
      cairo().move_to(c_, along, baseline_shift(text));
    }
    set(text.paint, 1.0);
    cairo().show_text(c_, text.text.c_str());
    cairo().restore(c_);
  }

  void paint_mark(const Image& image) {
    const auto columns = static_cast<int>(image.columns);
    const auto rows = static_cast<int>(image.rows);
    const Surface surface(cairo().image_surface_create(CAIRO_FORMAT_RGB24, columns, rows),
                          cairo().surface_destroy);
    check(cairo().surface_status(surface.get()));
    fill_pixels(image, surface.get());
    cairo().save(c_);
    cairo().translate(c_, image.place.x, image.place.y);
    cairo().scale(c_, image.place.width / columns, image.place.height / rows);
    cairo().set_source_surface(c_, surface.get(), 0.0, 0.0);
    cairo().pattern_set_filter(cairo().get_source(c_), CAIRO_FILTER_NEAREST);
    cairo().rectangle(c_, 0.0, 0.0, columns, rows);
    cairo().fill(c_);
    cairo().restore(c_);
  }

  static void fill_pixels(const Image& image, cairo_surface_t* surface) {
    unsigned char* const data = cairo().image_surface_get_data(surface);
    const auto stride = static_cast<std::size_t>(cairo().image_surface_get_stride(surface));
    for (std::size_t r = 0; r < image.rows; ++r) {
      auto* const row = reinterpret_cast<std::uint32_t*>(data + r * stride);
      for (std::size_t c = 0; c < image.columns; ++c) {
        const std::uint8_t* const rgb = image.pixels.data() + 3 * (r * image.columns + c);
        row[c] = std::uint32_t{rgb[0]} << 16U | std::uint32_t{rgb[1]} << 8U | rgb[2];
      }
    }
    cairo().surface_mark_dirty(surface);
  }

  cairo_t* c_;
};

void paint_on(cairo_surface_t* surface, const Drawing& drawing, double scale) {
  check(cairo().surface_status(surface));
  const Context context(cairo().create(surface), cairo().destroy);
  cairo().scale(context.get(), scale, scale);
  Painter(context.get()).paint(drawing);
}

}  // namespace

std::string png(const Drawing& given, double scale) {
  const Drawing drawing = sound(given);
  constexpr double kMostPixels = 1e8;  // 400 MB while it is painted
  if (!(drawing.width * drawing.height * scale * scale <= kMostPixels)) {
    check(CAIRO_STATUS_INVALID_SIZE);
  }
  const auto pixels = [&](double units) { return static_cast<int>(std::ceil(units * scale)); };
  const Surface surface(cairo().image_surface_create(CAIRO_FORMAT_RGB24, pixels(drawing.width),
                                                     pixels(drawing.height)),
                        cairo().surface_destroy);
  paint_on(surface.get(), drawing, scale);
  std::string file;
  check(cairo().surface_write_to_png_stream(surface.get(), append, &file));
  return file;
}

std::string pdf(const Drawing& given) {
  const Drawing drawing = sound(given);
  std::string file;
  const Surface surface(
      cairo().pdf_surface_create_for_stream(append, &file, drawing.width * kPointsPerUnit,
                                            drawing.height * kPointsPerUnit),
      cairo().surface_destroy);
  check(cairo().surface_status(surface.get()));
  // The date would make every file another one.
  cairo().pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                   "1970-01-01T00:00:00Z");
  cairo().pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, drawing.title.c_str());
  paint_on(surface.get(), drawing, kPointsPerUnit);
  cairo().surface_finish(surface.get());
  check(cairo().surface_status(surface.get()));
  return file;
}

}  // namespace logodds::draw
