// Writer: metadata and arrays to bytes.
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "modelfile/checksum.hpp"

namespace logodds::modelfile {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are copied as they stand");

using Json = nlohmann::ordered_json;

template <class Value>
std::string_view bytes_of(std::span<const Value> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class Value>
std::string_view checked_bytes(const std::string& name, std::span<const Value> values,
                               const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) { count *= extent; }
  if (count != values.size()) {
    throw Error(ErrorCode::model_file, "tensor '" + name + "' of " + std::to_string(values.size()) +
                                           " values does not have the shape it was given; "
                                           "report this as a bug");
  }
  return bytes_of(values);
}

std::string text_of(const Json& header) {
  try {
    return header.dump();
  } catch (const Json::exception&) {
    throw Error(ErrorCode::model_file,
                "a name in the model is not UTF-8 text; convert the data to UTF-8 and train again");
  }
}

void append_length(std::string& bytes, std::uint64_t length) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes += static_cast<char>((length >> shift) & 0xFFU);
  }
}

}  // namespace

void Writer::metadata(std::string key, std::string value) {
  metadata_.insert_or_assign(std::move(key), std::move(value));
}

void Writer::put(const std::string& name, std::string_view dtype, std::vector<std::size_t> shape,
                 std::string_view data) {
  const auto copy = std::make_shared<const std::string>(data);
  tensors_.insert_or_assign(name, Tensor{std::string(dtype), std::move(shape), *copy, copy});
}

void Writer::tensor(const std::string& name, std::span<const double> values,
                    std::vector<std::size_t> shape) {
  const auto data = checked_bytes(name, values, shape);
  put(name, "F64", std::move(shape), data);
}

void Writer::tensor(const std::string& name, std::span<const std::int32_t> values,
                    std::vector<std::size_t> shape) {
  const auto data = checked_bytes(name, values, shape);
  put(name, "I32", std::move(shape), data);
}

void Writer::tensor(const std::string& name, std::string_view bytes) {
  put(name, "U8", {bytes.size()}, bytes);
}

void Writer::tensor_in_place(const std::string& name, std::span<const std::int32_t> values,
                             std::shared_ptr<const void> owner) {
  tensors_.insert_or_assign(name,
                            Tensor{"I32", {values.size()}, bytes_of(values), std::move(owner)});
}

std::string Writer::bytes() const {
  std::size_t arrays = 0;
  for (const auto& [name, tensor] : tensors_) { arrays += tensor.data.size(); }
  std::string bytes;
  write([&](std::string_view piece) {
    if (bytes.empty()) { bytes.reserve(piece.size() + arrays); }
    bytes += piece;
  });
  return bytes;
}

void Writer::write(const std::function<void(std::string_view)>& to) const {
  auto metadata = metadata_;
  metadata.erase("checksum");
  metadata["format"] = "logodds";
  metadata["format_version"] = std::to_string(kFormatVersion);
  Json header;
  Json& strings = header["__metadata__"];
  strings["checksum"] = std::string(kChecksumDigits, '0');  // first, so that it is easily found
  for (const auto& [key, value] : metadata) { strings[key] = value; }

  std::string start;
  std::vector<std::string_view> pieces(1);  // the start, and the arrays
  std::size_t end = 0;
  for (const std::string_view dtype : {"F64", "I32", "U8"}) {  // wide ones first: all stay aligned
    for (const auto& [name, tensor] : tensors_) {
      if (tensor.dtype != dtype) { continue; }
      const std::size_t begin = end;
      end += tensor.data.size();
      pieces.emplace_back(tensor.data);
      header[name] = {
          {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    }
  }
  std::string text = text_of(header);
  text.append((8 - text.size() % 8) % 8, ' ');

  append_length(start, text.size());
  start += text;
  pieces.front() = start;
  start.replace(find_checksum(start).value(), kChecksumDigits, checksum_text(checksum(pieces)));
  for (const std::string_view piece : pieces) { to(piece); }
}

}  // namespace logodds::modelfile
