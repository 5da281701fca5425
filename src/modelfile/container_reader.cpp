// Reader: bytes of unknown origin to metadata and arrays.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "modelfile/checksum.hpp"
#include "modelfile/header.hpp"

namespace logodds::modelfile {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr const char* kGiveAModel = "; give a file that was saved by logodds";

[[noreturn]] void refuse(const std::string& name, const std::string& sentence) {
  throw Error(ErrorCode::model_file, name + ": " + sentence);
}

/// The JSON text. What begins like a container and ends too early is said to be cut short.
std::string_view header_text(std::string_view bytes, const std::string& name) {
  constexpr std::string_view kStart = "{\"__metadata__\"";
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes && i < bytes.size(); ++i) {
    length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  const std::string_view rest = bytes.substr(std::min(kLengthBytes, bytes.size()));
  if (!rest.starts_with('{')) {
    refuse(name, std::string("this is not a model file") + kGiveAModel);
  }
  if (length > rest.size()) {
    refuse(name, rest.starts_with(kStart)
                     ? "the file is cut short; copy it again or train the model again"
                     : std::string("this is not a model file") + kGiveAModel);
  }
  return rest.substr(0, static_cast<std::size_t>(length));
}

void check_identity(const Header& header, const Reader& reader, const std::string& name) {
  const auto format = header.metadata.find("format");
  if (format == header.metadata.end() || format->second != "logodds") {
    refuse(name, std::string(header.sound ? "this is a safetensors file, but not a logodds model"
                                          : "this is not a model file") +
                     kGiveAModel);
  }
  const auto found = header.metadata.find("format_version");
  const std::string text = found == header.metadata.end() ? "" : found->second;
  int version = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, version);
  if (problem != std::errc{} || stop != end || version < 1) {
    reader.fail("its format version '" + text + "' is not one that ever was");
  }
  if (version > kFormatVersion) {
    refuse(name, "it was written by a newer logodds (file format " + text +
                     ", this one reads formats up to " + std::to_string(kFormatVersion) +
                     "); install a newer logodds or train the model again");
  }
}

void check_checksum(std::string_view bytes, std::string_view header, const Reader& reader) {
  const auto digits = find_checksum(header);
  if (!digits) { reader.fail("it has no checksum"); }
  const std::size_t position = kLengthBytes + *digits;
  if (bytes.substr(position, kChecksumDigits) != checksum_text(checksum(bytes, position))) {
    reader.fail("its checksum does not match its content");
  }
}

std::size_t value_bytes(const HeaderTensor& tensor, const Reader& reader) {
  if (tensor.dtype == "F64") { return sizeof(double); }
  if (tensor.dtype == "I32") { return sizeof(std::int32_t); }
  if (tensor.dtype == "U8") { return 1; }
  reader.fail("tensor '" + tensor.name + "' has the unknown type '" + tensor.dtype + "'");
}

/// No extent may exceed `limit`, nor the product: a file that holds a model with so many columns,
/// rows or labels would itself be longer than that.
std::vector<std::size_t> checked_shape(const HeaderTensor& tensor, std::size_t limit,
                                       const Reader& reader) {
  std::vector<std::size_t> shape;
  std::uint64_t count = 1;
  for (const std::uint64_t extent : tensor.shape) {
    if (extent > limit || (count != 0 && extent > limit / count)) {
      reader.fail("tensor '" + tensor.name + "' claims more values than the file holds");
    }
    count *= extent;
    shape.push_back(static_cast<std::size_t>(extent));
  }
  return shape;
}

std::size_t product(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) { count *= extent; }
  return count;
}

}  // namespace

Reader::Reader(std::string_view bytes, std::string name) : name_(std::move(name)) {
  const std::string_view text = header_text(bytes, name_);
  const std::string_view data = bytes.substr(kLengthBytes + text.size());
  Header header = parse_header(text);
  check_identity(header, *this, name_);
  if (!header.sound) { fail("its header cannot be read"); }
  check_checksum(bytes, text, *this);

  std::size_t end = 0;  // of the data spoken for: tensors follow each other without holes
  for (const HeaderTensor& tensor : header.tensors) {
    const std::size_t width = value_bytes(tensor, *this);
    std::vector<std::size_t> shape = checked_shape(tensor, bytes.size(), *this);
    const std::size_t count = product(shape);
    const bool fits = tensor.offsets.size() == 2 && tensor.offsets[0] == end &&
                      count <= (data.size() - end) / width &&
                      tensor.offsets[1] == end + count * width;
    if (!fits) { fail("tensor '" + tensor.name + "' does not lie where its header says"); }
    const std::string_view values = data.substr(end, count * width);
    end += count * width;
    const bool is_new =
        tensors_.try_emplace(tensor.name, Tensor{tensor.dtype, std::move(shape), values}).second;
    if (!is_new) { fail("tensor '" + tensor.name + "' is there twice"); }
  }
  if (end != data.size()) { fail("it holds bytes that belong to no tensor"); }
  metadata_ = std::move(header.metadata);
}

const std::string& Reader::metadata(std::string_view key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) { fail("it has no '" + std::string(key) + "'"); }
  return found->second;
}

bool Reader::has_tensor(std::string_view name) const { return tensors_.contains(name); }

const std::vector<std::size_t>& Reader::shape(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) { fail("it has no tensor '" + std::string(name) + "'"); }
  return found->second.shape;
}

const Reader::Tensor& Reader::find(std::string_view name, std::string_view dtype,
                                   const std::vector<std::size_t>& shape) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) { fail("it has no tensor '" + std::string(name) + "'"); }
  if (found->second.dtype != dtype || found->second.shape != shape) {
    fail("tensor '" + std::string(name) + "' has not the type and shape that this model needs");
  }
  return found->second;
}

std::vector<double> Reader::doubles(std::string_view name,
                                    const std::vector<std::size_t>& shape) const {
  const std::string_view data = find(name, "F64", shape).data;
  std::vector<double> values(data.size() / sizeof(double));
  if (!data.empty()) { std::memcpy(values.data(), data.data(), data.size()); }
  return values;
}

std::vector<std::int32_t> Reader::integers(std::string_view name,
                                           const std::vector<std::size_t>& shape) const {
  const std::string_view data = find(name, "I32", shape).data;
  std::vector<std::int32_t> values(data.size() / sizeof(std::int32_t));
  if (!data.empty()) { std::memcpy(values.data(), data.data(), data.size()); }
  return values;
}

Integers Reader::integers_in_place(std::string_view name,
                                   const std::vector<std::size_t>& shape) const {
  return Integers(find(name, "I32", shape).data);
}

std::string_view Reader::byte_string(std::string_view name) const {
  const auto& shape = this->shape(name);
  return find(name, "U8", {shape.empty() ? 0 : shape.front()}).data;
}

void Reader::fail(const std::string& problem) const {
  refuse(name_, problem + "; the file is damaged: restore it from a copy or train the model again");
}

}  // namespace logodds::modelfile
