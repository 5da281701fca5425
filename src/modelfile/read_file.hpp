// A model file's bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "memory/large_array.hpp"

namespace logodds::modelfile {

/// The bytes of a file: where the system holds them, or read into memory.
class FileBytes {
 public:
  explicit FileBytes(memory::LargeVector<char> read) : read_(std::move(read)) {}
  /// What mmap() gave.
  FileBytes(const char* mapped, std::size_t size) : mapped_(mapped), size_(size) {}
  FileBytes(FileBytes&& other) noexcept
      : read_(std::move(other.read_)),
        mapped_(std::exchange(other.mapped_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  FileBytes& operator=(FileBytes&&) = delete;
  ~FileBytes();

  [[nodiscard]] std::string_view view() const {
    return mapped_ != nullptr ? std::string_view(mapped_, size_)
                              : std::string_view(read_.data(), read_.size());
  }

 private:
  memory::LargeVector<char> read_;
  const char* mapped_ = nullptr;
  std::size_t size_ = 0;
};

/// The whole file, or its first part only when that shows that it is no container (so that a huge
/// file given by mistake is refused at once). Throws Error(io).
[[nodiscard]] FileBytes read_file(const std::string& path);

}  // namespace logodds::modelfile
