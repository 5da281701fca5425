// A file that appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

namespace logodds::app {

/// Text is written, as it comes, to a temporary beside `path`; finish() renames it. Whatever ends
/// the work before that, an exception, SIGINT or SIGTERM, removes the temporary. A path that is no
/// regular file (a pipe, /dev/null) is written to directly; `-` is standard output.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view text);
  void finish();

 private:
  void open_temporary();
  void flush();
  [[noreturn]] void fail(std::string_view action) const;

  std::string path_;
  std::string temporary_;  ///< empty when written to directly
  int descriptor_ = -1;
  std::string buffer_;
};

/// Throws Error(usage) when `output` and `input` are the same file: `input` would be lost.
void refuse_same_file(const std::string& output, const std::string& input);
/// Throws Error(io) when no file can be made at `path`: better before the work than after it.
void check_place(const std::string& path);

}  // namespace logodds::app
