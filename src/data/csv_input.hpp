// The bytes of a table: mapped from a file, streamed from a pipe, decompressed, or given.
// This is the seam to the operating system; everything behind it sees text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace logodds::csv {

class ByteStream {
 public:
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;

  /// Up to `capacity` (> 0) bytes; 0 at the end only.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
  /// Back to the first byte; false when that is no longer possible.
  virtual bool rewind() = 0;
  /// Share that has been read, 0 to 1, or -1 when the size is unknown.
  [[nodiscard]] virtual double fraction() const { return -1.0; }
};

/// A file mapped into memory, read only.
class MappedFile {
 public:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }
  /// The bytes before `offset` will hardly be read again: their pages need not stay in memory.
  void release_before(std::size_t offset);

 private:
  const char* data_;
  std::size_t size_;
  std::size_t released_ = 0;
};

/// Either all bytes in memory (`file` or `bytes`) or a stream.
struct Input {
  std::string name;  ///< for messages
  std::unique_ptr<MappedFile> file;
  std::string_view bytes;
  std::unique_ptr<ByteStream> stream;
};

/// `-` is standard input. Gzip and Zstandard data are recognised by their first bytes.
[[nodiscard]] Input open_input(const std::string& path);
/// Bytes of a file as open_input() would give them, where one can tell without reading it: neither
/// compressed nor a pipe.
[[nodiscard]] std::optional<std::size_t> plain_size(const std::string& path);
/// The bytes must outlive the input.
[[nodiscard]] Input open_bytes(std::string_view bytes, const std::string& name);

/// Bytes that a pipe keeps, so that its reader can start again.
inline constexpr std::size_t kPipeMemory = std::size_t{64} << 20U;

/// `raw` decompressed when it begins like gzip or Zstandard data, else `raw` itself.
[[nodiscard]] std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> raw,
                                                       std::string_view first_bytes,
                                                       const std::string& name);
[[nodiscard]] bool looks_compressed(std::string_view first_bytes);

}  // namespace logodds::csv
