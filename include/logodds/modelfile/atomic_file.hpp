// Files that are there completely or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace logodds::modelfile {

/// Bytes go, as they come, to a temporary file beside `path`; finish() syncs it and renames it over
/// `path`, which so holds the old content or the new, whatever happens. Symbolic links are
/// followed, dangling ones too. A new file gets the mode that open(2) gives, a replaced one keeps
/// its own. What a rename cannot replace (a device, a pipe, /dev/stdout) is written to as it
/// stands. Everything throws Error(io); without finish() the temporary is removed.
class AtomicFile {
 public:
  using Hook = std::function<void(const std::string& temporary_path)>;

  /// `before_creating` is told the name of the temporary, so that a signal handler can know it from
  /// the first moment; it is not called where there is none.
  explicit AtomicFile(const std::string& path, const Hook& before_creating = {});
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  void finish();
  /// Empty where the file is written to as it stands, and after finish().
  [[nodiscard]] const std::string& temporary_path() const { return temporary_; }
  /// A write failed because nobody reads the pipe any more.
  [[nodiscard]] bool reader_gone() const { return reader_gone_; }

 private:
  void open_temporary(bool exists, unsigned mode, const Hook& before_creating);
  void close();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string target_;  ///< `path_` behind its links
  std::string temporary_;
  int descriptor_ = -1;
  bool reader_gone_ = false;
};

/// All at once: open, write, finish.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace logodds::modelfile
