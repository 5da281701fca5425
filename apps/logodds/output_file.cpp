#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "logodds/error.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

/// What the signal handler removes; a plain array, because a handler must not allocate.
std::array<char, 4096> removed_on_signal{};

extern "C" void remove_and_die(int signal_number) {
  if (removed_on_signal[0] != '\0') { ::unlink(removed_on_signal.data()); }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void remove_on_signal(const std::string& path) {
  if (path.size() >= removed_on_signal.size()) { return; }
  std::memcpy(removed_on_signal.data(), path.c_str(), path.size() + 1);
  std::signal(SIGINT, remove_and_die);
  std::signal(SIGTERM, remove_and_die);
  std::signal(SIGHUP, remove_and_die);
}

void forget_on_signal() { removed_on_signal[0] = '\0'; }

/// Those of the file that is replaced, or those that a file made by open(2) would get: mkstemp
/// grants fewer.
mode_t permissions_for(const std::string& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) == 0) { return facts.st_mode & 07777U; }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

/// A link is followed, so that the file it names is replaced and not the link.
std::string resolved(const std::string& path) {
  std::error_code problem;
  const auto real = std::filesystem::canonical(path, problem);
  return problem ? path : real.string();
}

bool written_directly(const std::string& path) {
  struct stat facts{};
  return ::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  buffer_.reserve(kBufferBytes);
  if (path == "-") {
    path_ = "standard output";
    descriptor_ = ::dup(STDOUT_FILENO);
  } else if (written_directly(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    path_ = resolved(path);
    open_temporary();
  }
  if (descriptor_ < 0) { fail("open"); }
}

void OutputFile::open_temporary() {
  check_place(path_);
  temporary_ = path_ + ".XXXXXX";
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ < 0) {
    temporary_.clear();
    return;
  }
  remove_on_signal(temporary_);
  ::fchmod(descriptor_, permissions_for(path_));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) { ::close(descriptor_); }
  if (!temporary_.empty()) { ::unlink(temporary_.c_str()); }
  forget_on_signal();
}

void OutputFile::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferBytes) { flush(); }
  if (text.size() >= kBufferBytes) {
    write_all(descriptor_, text, path_);
  } else {
    buffer_ += text;
  }
}

void OutputFile::flush() {
  write_all(descriptor_, buffer_, path_);
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  if (temporary_.empty()) { return; }
  if (::fsync(descriptor_) != 0) { fail("write"); }
  const int closing = ::close(descriptor_);
  descriptor_ = -1;
  if (closing != 0) { fail("write"); }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) { fail("replace"); }
  temporary_.clear();
  forget_on_signal();
}

void OutputFile::fail(std::string_view action) const {
  throw Error(ErrorCode::io, fmt::format("cannot {} {}: {}; choose another place with -o", action,
                                         path_, std::strerror(errno)));
}

void check_place(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) {
    throw Error(ErrorCode::io, fmt::format("cannot write {}: it is a folder; name a file", path));
  }
  const bool exists = std::filesystem::exists(path, problem);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const std::string place = exists ? path : folder.empty() ? "." : folder;
  if (::access(place.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("cannot write {}: {}: {}; choose another place with -o",
                                           path, place, std::strerror(errno)));
  }
}

void refuse_same_file(const std::string& output, const std::string& input) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(output, problem)) { return; }
  if (std::filesystem::equivalent(output, input, problem)) {
    throw Error(ErrorCode::usage,
                fmt::format("-o {} would replace {}, which is being read; name another file",
                            output, input));
  }
}

}  // namespace logodds::app
