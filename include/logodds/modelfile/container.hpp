// The container of a model file: safetensors-compatible, versioned, checksummed.
//
// Layout: 8 bytes little-endian header length | JSON header | raw little-endian arrays.
// The header maps tensor names to {dtype, shape, data_offsets} and "__metadata__" to strings, among
// them "format" = "logodds", "format_version" and "checksum": XXH3-64 of the whole file with the
// checksum's own 16 hexadecimal digits read as zeros. So any changed byte is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::modelfile {

inline constexpr int kFormatVersion = 1;

/// Collects metadata and arrays; equal content gives equal bytes.
class Writer {
 public:
  void metadata(std::string key, std::string value);
  /// The product of `shape` must be the number of values.
  void tensor(const std::string& name, std::span<const double> values,
              std::vector<std::size_t> shape);
  void tensor(const std::string& name, std::span<const std::int32_t> values,
              std::vector<std::size_t> shape);
  /// Bytes, as a tensor of one dimension.
  void tensor(const std::string& name, std::string_view bytes);
  /// Values of one dimension that are not copied: `owner` holds them as long as it is held.
  void tensor_in_place(const std::string& name, std::span<const std::int32_t> values,
                       std::shared_ptr<const void> owner);
  [[nodiscard]] std::string bytes() const;
  /// The same bytes piece by piece, without another copy of the arrays.
  void write(const std::function<void(std::string_view)>& to) const;

 private:
  struct Tensor {
    std::string dtype;
    std::vector<std::size_t> shape;
    std::string_view data;
    std::shared_ptr<const void> owner;  ///< of `data`
  };
  void put(const std::string& name, std::string_view dtype, std::vector<std::size_t> shape,
           std::string_view data);
  std::map<std::string, std::string> metadata_;
  std::map<std::string, Tensor> tensors_;
};

/// Integers of a tensor where they stand in the file, at whatever address.
class Integers {
 public:
  explicit Integers(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(std::int32_t); }
  [[nodiscard]] std::int32_t operator[](std::size_t i) const {
    std::int32_t value = 0;
    std::memcpy(&value, bytes_.data() + i * sizeof(value), sizeof(value));
    return value;
  }

 private:
  std::string_view bytes_;
};

/// Reads a container from bytes that it does not own. Nothing in it is trusted: every length is
/// checked against what is there before anything is allocated. Throws Error(model_file).
class Reader {
 public:
  /// `name` stands in error sentences (a path).
  Reader(std::string_view bytes, std::string name);

  [[nodiscard]] const std::string& metadata(std::string_view key) const;  ///< throws when absent
  [[nodiscard]] bool has_tensor(std::string_view name) const;
  [[nodiscard]] const std::vector<std::size_t>& shape(std::string_view name) const;
  /// The values of a tensor; throws unless it is there, of this type and of this very shape.
  [[nodiscard]] std::vector<double> doubles(std::string_view name,
                                            const std::vector<std::size_t>& shape) const;
  [[nodiscard]] std::vector<std::int32_t> integers(std::string_view name,
                                                   const std::vector<std::size_t>& shape) const;
  /// The same without a copy; valid as long as what the reader was given.
  [[nodiscard]] Integers integers_in_place(std::string_view name,
                                           const std::vector<std::size_t>& shape) const;
  /// The bytes of a tensor of one dimension; valid as long as what the reader was given.
  [[nodiscard]] std::string_view byte_string(std::string_view name) const;
  /// Throws Error(model_file) that names the file, says `problem` and what to do.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  struct Tensor {
    std::string dtype;
    std::vector<std::size_t> shape;
    std::string_view data;
  };
  [[nodiscard]] const Tensor& find(std::string_view name, std::string_view dtype,
                                   const std::vector<std::size_t>& shape) const;
  std::string name_;
  std::map<std::string, std::string, std::less<>> metadata_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace logodds::modelfile
