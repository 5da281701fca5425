// A POSIX file descriptor that closes itself, and the sentence for what the system refused.
#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

#include "logodds/error.hpp"

namespace logodds::modelfile {

/// "cannot ACTION 'PATH': No space left on device; CURE".
[[noreturn]] inline void fail_io(const std::string& action, const std::string& path, int error,
                                 const std::string& cure) {
  throw Error(ErrorCode::io, "cannot " + action + " '" + path +
                                 "': " + std::generic_category().message(error) + "; " + cure);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// False, with errno set, when the system reports a late failure to write.
  bool close() {
    const int open = std::exchange(descriptor_, -1);
    return open < 0 || ::close(open) == 0;
  }

 private:
  int descriptor_;
};

}  // namespace logodds::modelfile
