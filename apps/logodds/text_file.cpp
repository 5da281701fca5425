#include "text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "logodds/error.hpp"

namespace logodds::app {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, fmt::format("{}: cannot read {}: {}; name a file that can be read",
                                         what, path, std::strerror(error)));
}

}  // namespace

std::string read_text_file(const std::string& path, const std::string& what) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) { refuse(path, what, errno); }
  std::string text;
  std::vector<char> piece(kPiece);
  while (const std::size_t bytes = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), bytes);
  }
  if (std::ferror(file.get()) != 0) { refuse(path, what, errno); }
  return text;
}

}  // namespace logodds::app
