#include "text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/text/utf8.hpp"

namespace logodds::app {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, fmt::format("{}: cannot read {}: {}; name a file that can be read",
                                         what, path, std::strerror(error)));
}

void check_encoding(const std::string& text, const std::string& path, const std::string& what) {
  const std::size_t bad = text::find_invalid_utf8(text);
  if (bad == std::string::npos) { return; }
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(bad);
  throw Error(ErrorCode::input,
              fmt::format("{}: {}, line {}: the text is not valid UTF-8; convert the file with "
                          "iconv -f {} -t UTF-8",
                          what, path, 1 + std::count(text.begin(), end, '\n'),
                          text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ? "UTF-16"
                                                                                       : "LATIN1"));
}

}  // namespace

std::string read_text_file(const std::string& path, const std::string& what) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) { refuse(path, what, errno); }
  std::string text;
  std::vector<char> piece(kPiece);
  while (const std::size_t bytes = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), bytes);
    if (text.size() > kMostBytes) {
      throw Error(ErrorCode::input,
                  fmt::format("{}: {} is longer than 256 MiB; give a shorter one", what, path));
    }
  }
  if (std::ferror(file.get()) != 0) { refuse(path, what, errno); }
  check_encoding(text, path, what);
  if (text.starts_with(text::kByteOrderMark)) { text.erase(0, text::kByteOrderMark.size()); }
  return text;
}

}  // namespace logodds::app
