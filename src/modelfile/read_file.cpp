#include "modelfile/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "logodds/parallel/blocks.hpp"
#include "modelfile/file_descriptor.hpp"

namespace logodds::modelfile {
namespace {

constexpr std::size_t kFirstStep = 4096;
constexpr std::size_t kStep = std::size_t{1} << 20U;  // bytes asked for at a time, at least
constexpr const char* kCheckPath = "check the path and whether you may read it";

/// Appends up to `most` bytes; false at the end of the file.
bool read_step(int descriptor, const std::string& path, std::size_t most, Bytes& bytes) {
  const std::size_t before = bytes.size();
  bytes.resize(before + most);
  ssize_t count = 0;
  do {
    count = ::read(descriptor, bytes.data() + before, most);
  } while (count < 0 && errno == EINTR);
  if (count < 0) { fail_io("read", path, errno, kCheckPath); }
  bytes.resize(before + static_cast<std::size_t>(count));
  return count > 0;
}

/// A container's header begins with '{' after 8 bytes of length.
bool may_be_container(std::string_view bytes) { return bytes.size() < 9 || bytes[8] == '{'; }

/// Bytes from `place` on, up to the end of the file; how many there were.
std::size_t read_at(int descriptor, const std::string& path, std::size_t place,
                    std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const auto left = to.subspan(done);
    const ssize_t count =
        ::pread(descriptor, left.data(), left.size(), static_cast<off_t>(place + done));
    if (count < 0 && errno == EINTR) { continue; }
    if (count < 0) { fail_io("read", path, errno, kCheckPath); }
    if (count == 0) { break; }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

/// A file of known size: a little first, then the rest in two threads, because memory that is used
/// for the first time takes longer than to copy. If it has become shorter, it ends there.
Bytes read_sized(int descriptor, const std::string& path, std::size_t size) {
  constexpr std::size_t kPiece = std::size_t{4} << 20U;
  constexpr int kThreads = 2;
  Bytes bytes;
  bytes.resize(std::min(size, kFirstStep));
  bytes.resize(read_at(descriptor, path, 0, bytes));
  if (bytes.size() < kFirstStep || !may_be_container({bytes.data(), bytes.size()})) {
    return bytes;
  }
  bytes.resize(size);
  std::vector<std::size_t> found((size + kPiece - 1) / kPiece);
  parallel::run_lanes(kThreads, found.size(), [&](std::size_t piece) {
    const std::size_t begin = piece * kPiece;
    const auto to = std::span(bytes).subspan(begin, std::min(kPiece, size - begin));
    found[piece] = read_at(descriptor, path, begin, to);
  });
  for (std::size_t piece = 0; piece < found.size(); ++piece) {
    const std::size_t end = piece * kPiece + found[piece];
    if (end < std::min(size, (piece + 1) * kPiece)) {
      bytes.resize(end);
      break;
    }
  }
  return bytes;
}

/// Of a pipe, or whatever has no size: a little first, then step by step.
Bytes read_all(int descriptor, const std::string& path) {
  Bytes bytes;
  std::size_t most = kFirstStep;
  while (read_step(descriptor, path, most, bytes) &&
         may_be_container({bytes.data(), bytes.size()})) {
    most = kStep;
  }
  return bytes;
}

}  // namespace

Bytes read_file(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    fail_io("open the model file", path, errno, kCheckPath);
  }
  if (S_ISDIR(status.st_mode)) {
    fail_io("open the model file", path, EISDIR, "give the path of a file");
  }
  const bool sized = S_ISREG(status.st_mode) && status.st_size > 0;
  const auto size = sized ? static_cast<std::size_t>(status.st_size) : 0;
  try {
    return sized ? read_sized(file.get(), path, size) : read_all(file.get(), path);
  } catch (const std::bad_alloc&) {
    fail_io("read", path, ENOMEM, "the model needs more memory than there is");
  } catch (const std::length_error&) { fail_io("read", path, EFBIG, "give a model file"); }
}

}  // namespace logodds::modelfile
