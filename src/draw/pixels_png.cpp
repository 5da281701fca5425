#include <png.h>

#include <string>

#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

namespace logodds::draw {

std::string png_of_pixels(const Image& image) {
  png_image head{};
  head.version = PNG_IMAGE_VERSION;
  head.width = static_cast<png_uint_32>(image.columns);
  head.height = static_cast<png_uint_32>(image.rows);
  head.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = 0;
  std::string file;
  const auto write = [&](void* to) {
    if (png_image_write_to_memory(&head, to, &bytes, 0, image.pixels.data(), 0, nullptr) == 0) {
      throw Error(ErrorCode::io,
                  std::string("the pixels cannot be written as PNG: ") + head.message);
    }
  };
  write(nullptr);  // how long it is
  file.resize(bytes);
  write(file.data());
  file.resize(bytes);
  return file;
}

}  // namespace logodds::draw
