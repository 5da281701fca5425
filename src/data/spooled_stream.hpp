// A pipe that can be read again, because what came through it lies in a file without a name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "data/csv_input.hpp"

namespace logodds::csv {

class SpooledStream final : public ByteStream {
 public:
  /// The file is made in `folder` and has no name, so that nothing is left behind. Throws
  /// Error(io).
  SpooledStream(std::unique_ptr<ByteStream> pipe, const std::string& folder);
  SpooledStream(const SpooledStream&) = delete;
  SpooledStream& operator=(const SpooledStream&) = delete;
  ~SpooledStream() override;

  std::size_t read(char* to, std::size_t capacity) override;
  bool rewind() override;
  [[nodiscard]] double fraction() const override { return pipe_->fraction(); }

 private:
  void keep(const char* bytes, std::size_t count);
  [[noreturn]] void fail() const;

  std::unique_ptr<ByteStream> pipe_;
  std::string folder_;
  int file_ = -1;
  std::size_t kept_ = 0;      ///< bytes in the file
  std::size_t position_ = 0;  ///< of the reader
};

/// `input`, and where it is a stream that a long text cannot be had from again, spooled.
[[nodiscard]] Input open_twice(const std::string& path, const std::string& folder);

}  // namespace logodds::csv
