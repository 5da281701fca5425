#include "modelfile/read_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <stdexcept>

#include "modelfile/file_descriptor.hpp"

namespace logodds::modelfile {
namespace {

using Bytes = memory::LargeVector<char>;

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

/// The file where the system holds it; null where that cannot be, or where it is no container.
const char* mapped_container(int descriptor, std::size_t size) {
  std::array<char, 16> start{};
  const ssize_t count = ::pread(descriptor, start.data(), start.size(), 0);
  if (count <= 0 || !may_be_container({start.data(), static_cast<std::size_t>(count)})) {
    return nullptr;
  }
  int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
  flags |= MAP_POPULATE;
#endif
  void* const mapped = ::mmap(nullptr, size, PROT_READ, flags, descriptor, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<const char*>(mapped);
}

/// A little first, then what is expected at once, and one more to see that it ends.
Bytes read_all(int descriptor, const std::string& path, std::size_t expected) {
  Bytes bytes;
  std::size_t most = kFirstStep;
  while (read_step(descriptor, path, most, bytes) &&
         may_be_container({bytes.data(), bytes.size()})) {
    const std::size_t left = expected - std::min(expected, bytes.size());
    bytes.reserve(expected + kStep);
    most = std::max(left, kStep);
  }
  return bytes;
}

}  // namespace

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) { ::munmap(const_cast<char*>(mapped_), size_); }
}

FileBytes read_file(const std::string& path) {
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
  if (sized) {
    if (const char* const mapped = mapped_container(file.get(), size)) { return {mapped, size}; }
  }
  try {
    return FileBytes(read_all(file.get(), path, size));
  } catch (const std::bad_alloc&) {
    fail_io("read", path, ENOMEM, "the model needs more memory than there is");
  } catch (const std::length_error&) { fail_io("read", path, EFBIG, "give a model file"); }
}

}  // namespace logodds::modelfile
