// Files that are there completely or not at all.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>

#include "logodds/modelfile/modelfile.hpp"
#include "modelfile/file_descriptor.hpp"

namespace logodds::modelfile {
namespace {

namespace fs = std::filesystem;
constexpr int kMaxLinks = 40;  // as many as Linux follows

[[noreturn]] void fail_write(const std::string& path, int error) {
  fail_io("write", path, error, "check the path, the free space and whether you may write there");
}

/// 0, or errno.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) { return errno; }
    if (count > 0) { bytes.remove_prefix(static_cast<std::size_t>(count)); }
  }
  return 0;
}

/// For what a rename cannot replace: a device, a pipe, the standard output.
void write_straight(const std::string& path, std::string_view bytes) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file.is_open()) { fail_write(path, errno); }
  const int error = write_all(file.get(), bytes);
  if (error != 0) { fail_write(path, error); }
  if (!file.close()) { fail_write(path, errno); }
}

/// A name of something that is open already, such as /dev/stdout's destination.
bool names_descriptor(const fs::path& path) {
  const std::string& text = path.native();
  return text.starts_with("/proc/") || text.starts_with("/dev/fd/");
}

/// The file that a chain of symbolic links leads to, whether it is there or not.
fs::path behind_links(const std::string& path) {
  fs::path target(path);
  std::error_code problem;
  int links = 0;
  while (!names_descriptor(target) && fs::is_symlink(fs::symlink_status(target, problem))) {
    const fs::path next = fs::read_symlink(target, problem);
    if (problem || ++links > kMaxLinks) { fail_write(path, ELOOP); }
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

/// Stands beside its target until it is renamed; when that does not happen it is removed.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& folder, mode_t mode)
      : path_(folder / unique_name()),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)),
        exists_(file_.is_open()),
        error_(exists_ ? 0 : errno) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (exists_) { ::unlink(path_.c_str()); }
  }

  /// 0, or errno of the first step that failed.
  int become(const fs::path& target, std::string_view bytes, std::optional<mode_t> mode) {
    if (error_ == 0) { error_ = write_all(file_.get(), bytes); }
    if (error_ != 0) { return error_; }
    if (mode) { static_cast<void>(::fchmod(file_.get(), *mode)); }  // not on every file system
    if (::fsync(file_.get()) != 0 && errno != EINVAL) { return errno; }
    if (!file_.close() || std::rename(path_.c_str(), target.c_str()) != 0) { return errno; }
    exists_ = false;
    return 0;
  }

 private:
  static std::string unique_name() {
    std::random_device random;
    return ".logodds-" + std::to_string(::getpid()) + "-" + std::to_string(random()) +
           std::to_string(random()) + ".tmp";
  }

  fs::path path_;
  FileDescriptor file_;
  bool exists_;
  int error_;
};

/// Makes the rename itself durable, where the file system can.
void sync_folder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) { static_cast<void>(::fsync(opened.get())); }
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view bytes) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) { fail_write(path, errno); }
  if (exists && S_ISDIR(status.st_mode)) { fail_write(path, EISDIR); }
  const fs::path target = behind_links(path);
  if ((exists && !S_ISREG(status.st_mode)) || names_descriptor(target)) {
    write_straight(path, bytes);
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) { fail_write(path, errno); }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  constexpr mode_t kPrivate = 0600;  // until the mode of the old file is set
  constexpr mode_t kNew = 0666;      // less the umask
  constexpr mode_t kPermissions = 07777;
  TemporaryFile temporary(folder, exists ? kPrivate : kNew);
  const auto mode = exists ? std::optional<mode_t>(status.st_mode & kPermissions) : std::nullopt;
  const int error = temporary.become(target, bytes, mode);
  if (error != 0) { fail_write(path, error); }
  sync_folder(folder);
}

}  // namespace logodds::modelfile
