#include <cairo.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "draw/hostile.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

using namespace logodds;
using namespace logodds::draw;

namespace {

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

class Pixels {
 public:
  explicit Pixels(std::string file) : file_(std::move(file)) {
    surface_.reset(cairo_image_surface_create_from_png_stream(read, this));
    REQUIRE(cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS);
  }
  [[nodiscard]] Color at(int x, int y) const {
    const unsigned char* const row =
        cairo_image_surface_get_data(surface_.get()) +
        static_cast<std::ptrdiff_t>(y) * cairo_image_surface_get_stride(surface_.get());
    const auto pixel = reinterpret_cast<const std::uint32_t*>(row)[x];
    return {static_cast<std::uint8_t>(pixel >> 16U), static_cast<std::uint8_t>(pixel >> 8U),
            static_cast<std::uint8_t>(pixel)};
  }

 private:
  static cairo_status_t read(void* self, unsigned char* to, unsigned int count) {
    auto& pixels = *static_cast<Pixels*>(self);
    if (pixels.file_.size() - pixels.read_ < count) { return CAIRO_STATUS_READ_ERROR; }
    std::copy_n(pixels.file_.begin() + static_cast<std::ptrdiff_t>(pixels.read_), count, to);
    pixels.read_ += count;
    return CAIRO_STATUS_SUCCESS;
  }
  std::string file_;
  std::size_t read_ = 0;
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_{
      nullptr, &cairo_surface_destroy};
};

Path square(double from, double to, Color color) {
  return {.lines = {{{from, from}, {to, from}, {to, to}, {from, to}}},
          .closed = true,
          .fill = Fill{.paint = color}};
}

constexpr Color kWhite{255, 255, 255};

}  // namespace

TEST_CASE("PNG: as large as the page times the scale, with the colors that were painted") {
  Drawing drawing{.width = 40.0, .height = 30.0};
  drawing.layer("all", Rect{0.0, 0.0, 15.0, 30.0}).marks.emplace_back(square(5.0, 25.0, kBlue));
  const std::string file = png(drawing, 2.0);
  CHECK(big_endian(file, 16) == 80);
  CHECK(big_endian(file, 20) == 60);
  const Pixels pixels(file);
  CHECK(pixels.at(20, 20) == kBlue);
  CHECK(pixels.at(4, 4) == kWhite);
  CHECK(pixels.at(40, 20) == kWhite);  // clipped
  CHECK(file == png(drawing, 2.0));
}

TEST_CASE("pixels of an image come out as they are, in PNG files of their own too") {
  const Image image{.place = {0.0, 0.0, 20.0, 10.0},
                    .columns = 2,
                    .rows = 1,
                    .pixels = {0, 114, 178, 213, 94, 0}};
  Drawing drawing{.width = 20.0, .height = 10.0};
  drawing.layer("image").marks.emplace_back(image);
  const Pixels painted(png(drawing, 1.0));
  CHECK(painted.at(5, 5) == kBlue);
  CHECK(painted.at(15, 5) == Color{213, 94, 0});
  const Pixels alone(png_of_pixels(image));
  CHECK(alone.at(0, 0) == kBlue);
  CHECK(alone.at(1, 0) == Color{213, 94, 0});
}

TEST_CASE("PDF: the page in points, the same bytes twice") {
  Drawing drawing{.width = 640.0, .height = 480.0, .title = "a title"};
  drawing.layer("text").marks.emplace_back(Text{.at = {20.0, 20.0}, .text = "words", .halo = true});
  const std::string file = pdf(drawing);
  CHECK(file.starts_with("%PDF-1."));
  CHECK(file.find("/MediaBox [ 0 0 480 360 ]") != std::string::npos);
  CHECK(file == pdf(drawing));
}

TEST_CASE("hostile drawings are painted as far as they can be") {
  Drawing drawing = hostile_drawing();
  drawing.layer("after").marks.emplace_back(square(150.0, 190.0, kBlue));
  const Pixels pixels(png(drawing, 1.0));
  CHECK(pixels.at(170, 170) == kBlue);  // the context still paints
  CHECK(pdf(drawing).size() > 1000);
  CHECK(Pixels(png(Drawing{.width = 0.0, .height = -4.0}, 1.0)).at(0, 0) == kWhite);
}

TEST_CASE("a page too large for pixels is refused, and a PDF of it is not") {
  const Drawing drawing{.width = 20000.0, .height = 20000.0};
  CHECK_THROWS_WITH_AS(static_cast<void>(png(drawing)), doctest::Contains("give a smaller page"),
                       Error);
  CHECK_THROWS_AS(static_cast<void>(png({.width = 20000.0, .height = 10.0})), Error);
  CHECK(pdf(drawing).starts_with("%PDF"));
}
