#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "logodds/error.hpp"
#include "output.hpp"
#include "signals.hpp"

namespace logodds::app {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

}  // namespace

SafeFile::SafeFile(const std::string& path) {
  file_.emplace(path, [this](const std::string& temporary) {
    temporary_ = temporary;
    remove_on_signal(temporary);
  });
}

SafeFile::~SafeFile() {
  file_.reset();
  keep_on_signal(temporary_);
}

OutputFile::OutputFile(const std::string& path) {
  buffer_.reserve(kBufferBytes);
  if (path != "-") { file_.emplace(path); }
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) { flush(); }
}

void OutputFile::flush() {
  if (!file_) {
    print(buffer_);
  } else {
    try {
      file_->write(buffer_);
    } catch (const Error&) {
      if (file_->reader_gone()) { throw ClosedPipe(); }
      throw;
    }
  }
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  if (file_) { file_->finish(); }
}

std::string table_output(const Arguments& arguments, std::string_view what) {
  if (arguments.has("json") && !arguments.has("output")) {
    throw Error(ErrorCode::usage,
                fmt::format("--json prints a summary where {0} would go; give {0} a file with -o "
                            "OUT.csv",
                            what));
  }
  const std::string output = arguments.has("output") ? arguments.text("output") : "-";
  if (output == "-") { return output; }
  for (const std::string& input : arguments.positionals()) { refuse_same_file(output, input); }
  refuse_option_files(output, arguments);
  check_place(output);
  return output;
}

void refuse_option_files(const std::string& output, const Arguments& arguments,
                         std::string_view flag) {
  for (const char* const option : {"cost", "warm-start", "probabilities"}) {
    if (arguments.has(option)) { refuse_same_file(output, arguments.text(option), flag); }
  }
}

void check_place(const std::string& path, std::string_view flag) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) {
    throw Error(ErrorCode::io, fmt::format("cannot write {}: it is a folder; name a file", path));
  }
  const bool exists = std::filesystem::exists(path, problem);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const std::string place = exists ? path : folder.empty() ? "." : folder;
  if (::access(place.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("cannot write {}: {}: {}; choose another place with {}",
                                           path, place, std::strerror(errno), flag));
  }
}

void refuse_same_file(const std::string& output, const std::string& input, std::string_view flag) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(output, problem)) { return; }
  if (std::filesystem::equivalent(output, input, problem)) {
    throw Error(ErrorCode::usage,
                fmt::format("{} {} would replace {}, which is being read; name another file", flag,
                            output, input));
  }
}

}  // namespace logodds::app
