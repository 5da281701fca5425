#include "data/spooled_stream.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "logodds/error.hpp"

namespace logodds::csv {

SpooledStream::SpooledStream(std::unique_ptr<ByteStream> pipe, const std::string& folder)
    : pipe_(std::move(pipe)), folder_(folder.empty() ? "." : folder) {
  std::string name = folder_ + "/.logodds-XXXXXX";
  file_ = ::mkstemp(name.data());
  if (file_ < 0) { fail(); }
  ::unlink(name.c_str());
}

SpooledStream::~SpooledStream() {
  if (file_ >= 0) { ::close(file_); }
}

void SpooledStream::fail() const {
  throw Error(ErrorCode::io, "cannot keep what comes through the pipe in " + folder_ + ": " +
                                 std::generic_category().message(errno) +
                                 "; save it to a file and give that");
}

void SpooledStream::keep(const char* bytes, std::size_t count) {
  while (count > 0) {
    const auto written = ::pwrite(file_, bytes, count, static_cast<off_t>(kept_));
    if (written < 0 && errno == EINTR) { continue; }
    if (written < 0) { fail(); }
    kept_ += static_cast<std::size_t>(written);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

std::size_t SpooledStream::read(char* to, std::size_t capacity) {
  if (position_ == kept_) {
    const std::size_t got = pipe_->read(to, capacity);
    keep(to, got);
    position_ += got;
    return got;
  }
  for (;;) {
    const auto got =
        ::pread(file_, to, std::min(capacity, kept_ - position_), static_cast<off_t>(position_));
    if (got < 0 && errno == EINTR) { continue; }
    if (got <= 0) { fail(); }
    position_ += static_cast<std::size_t>(got);
    return static_cast<std::size_t>(got);
  }
}

bool SpooledStream::rewind() {
  position_ = 0;
  return true;
}

Input open_twice(const std::string& path, const std::string& folder) {
  Input input = open_input(path);
  std::error_code ignored;
  const bool file = path != "-" && std::filesystem::is_regular_file(path, ignored);
  if (input.stream && !file) {
    input.stream = std::make_unique<SpooledStream>(std::move(input.stream), folder);
  }
  return input;
}

}  // namespace logodds::csv
