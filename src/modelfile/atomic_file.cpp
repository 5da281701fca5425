#include "logodds/modelfile/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>

#include "modelfile/file_descriptor.hpp"

namespace logodds::modelfile {
namespace {

namespace fs = std::filesystem;
constexpr int kMaxLinks = 40;  // as many as Linux follows
constexpr mode_t kPermissions = 07777;

[[noreturn]] void fail_write(const std::string& path, int error) {
  fail_io("write", path, error, "check the path, the free space and whether you may write there");
}

/// A name of something that is open already, such as /dev/stdout's destination.
bool names_descriptor(const fs::path& path) {
  const std::string& text = path.native();
  return text.starts_with("/proc/") || text.starts_with("/dev/fd/");
}

/// The number in /dev/fd/1 and /proc/self/fd/1.
std::optional<int> own_descriptor(std::string_view text) {
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!text.starts_with(prefix)) { continue; }
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + prefix.size(), end, number);
    if (problem == std::errc{} && stop == end) { return number; }
  }
  return std::nullopt;
}

/// What is open already is shared, not opened again: with a place of its own in the file it would
/// write over what others write there.
int open_straight(const std::string& path, const std::string& target) {
  if (const auto number = own_descriptor(target)) { return ::fcntl(*number, F_DUPFD_CLOEXEC, 0); }
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

/// The file that a chain of symbolic links leads to, whether it is there or not.
std::string behind_links(const std::string& path) {
  fs::path target(path);
  std::error_code problem;
  int links = 0;
  while (!names_descriptor(target) && fs::is_symlink(fs::symlink_status(target, problem))) {
    const fs::path next = fs::read_symlink(target, problem);
    if (problem || ++links > kMaxLinks) { fail_write(path, ELOOP); }
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Short, and not made of the target's name, which may be as long as names can be.
std::string unique_name() {
  std::random_device random;
  return ".logodds-" + std::to_string(random()) + "-" + std::to_string(random()) + ".tmp";
}

/// Makes the rename itself durable, where the file system can.
void sync_folder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) { static_cast<void>(::fsync(opened.get())); }
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, const Hook& before_creating) : path_(path) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) { fail(errno); }
  if (exists && S_ISDIR(status.st_mode)) { fail(EISDIR); }
  target_ = behind_links(path);
  if ((exists && !S_ISREG(status.st_mode)) || names_descriptor(target_)) {
    descriptor_ = open_straight(path, target_);
  } else {
    if (exists && ::access(path.c_str(), W_OK) != 0) { fail(errno); }
    open_temporary(exists, status.st_mode & kPermissions, before_creating);
  }
  if (descriptor_ < 0) { fail(errno); }
}

void AtomicFile::open_temporary(bool exists, unsigned mode, const Hook& before_creating) {
  constexpr mode_t kPrivate = 0600;  // until the mode of the old file is set
  constexpr mode_t kNew = 0666;      // less the umask
  temporary_ = folder_of(target_) / unique_name();
  if (before_creating) { before_creating(temporary_); }
  descriptor_ =
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? kPrivate : kNew);
  if (descriptor_ >= 0 && exists) {
    static_cast<void>(::fchmod(descriptor_, mode));  // not on every file system
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) { ::close(descriptor_); }
  if (!temporary_.empty()) { ::unlink(temporary_.c_str()); }
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      reader_gone_ = errno == EPIPE;
      fail(errno);
    }
    if (count > 0) { bytes.remove_prefix(static_cast<std::size_t>(count)); }
  }
}

void AtomicFile::finish() {
  if (temporary_.empty()) { return close(); }
  if (::fsync(descriptor_) != 0 && errno != EINVAL) { fail(errno); }
  close();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) { fail(errno); }
  temporary_.clear();
  sync_folder(folder_of(target_));
}

void AtomicFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) { fail(errno); }
}

void AtomicFile::fail(int error) const { fail_write(path_, error); }

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.finish();
}

}  // namespace logodds::modelfile
