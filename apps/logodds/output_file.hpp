// Where results go: a file that is there completely or not at all, or standard output.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "logodds/modelfile/atomic_file.hpp"

namespace logodds::app {

/// An AtomicFile whose temporary a signal removes as well.
class SafeFile {
 public:
  explicit SafeFile(const std::string& path);
  SafeFile(const SafeFile&) = delete;
  SafeFile& operator=(const SafeFile&) = delete;
  ~SafeFile();

  void write(std::string_view bytes) { file_->write(bytes); }
  void finish() { file_->finish(); }
  [[nodiscard]] bool reader_gone() const { return file_->reader_gone(); }

 private:
  std::string temporary_;
  std::optional<modelfile::AtomicFile> file_;
};

/// Collects text and writes it in large pieces; `-` is standard output. Throws ClosedPipe when
/// nobody reads the pipe that it is written to.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  void write(std::string_view text);
  /// Writes what is collected.
  void flush();
  void finish();

 private:
  std::optional<SafeFile> file_;  ///< none: standard output
  std::string buffer_;
};

/// Where -o says, or standard output: `-`. Throws Error when --json has no standard output to print
/// on, or when no file can be made there; `what` ("the predictions") stands in the sentence.
[[nodiscard]] std::string table_output(const Arguments& arguments, std::string_view what);

/// Throws Error(usage) when `output` and `input` are the same file: `input` would be lost. `flag`
/// is the one that names the output.
void refuse_same_file(const std::string& output, const std::string& input,
                      std::string_view flag = "-o");
/// The same of files that options name: --cost, --warm-start, --probabilities.
void refuse_option_files(const std::string& output, const Arguments& arguments,
                         std::string_view flag = "-o");
/// Throws Error(io) when no file can be made at `path`: better before the work than after it.
void check_place(const std::string& path, std::string_view flag = "-o");

}  // namespace logodds::app
