#include "modelfile/header.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace logodds::modelfile {
namespace {

using Json = nlohmann::json;

/// Takes the parser's events and accepts exactly
///   {"__metadata__": {KEY: STRING, ...}, NAME: {"dtype": STRING, "shape": [N, ...],
///    "data_offsets": [N, N]}, ...}
/// Nothing is nested deeper than three levels, so there is no tree and no recursion.
class HeaderReader final : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(Header& header) : header_(header) {}

  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }  // a negative number
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }

  bool number_unsigned(number_unsigned_t value) override {
    if (!in_array_) { return false; }
    numbers_->push_back(value);
    return true;
  }

  bool string(string_t& value) override {
    if (text_ == nullptr) { return false; }
    *std::exchange(text_, nullptr) = std::move(value);
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ > 1 || text_ != nullptr || numbers_ != nullptr) { return false; }
    ++depth_;
    return true;
  }

  bool key(string_t& name) override {
    return depth_ == 1 ? section(name) : in_metadata_ ? metadata_key(name) : tensor_key(name);
  }

  bool end_object() override {
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override {
    if (numbers_ == nullptr || in_array_) { return false; }
    in_array_ = true;
    return true;
  }

  bool end_array() override {
    in_array_ = false;
    numbers_ = nullptr;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  bool section(string_t& name) {
    in_metadata_ = name == "__metadata__";
    if (in_metadata_) { return std::exchange(metadata_seen_, true) == false; }
    header_.tensors.push_back({.name = std::move(name), .dtype = {}, .shape = {}, .offsets = {}});
    fields_seen_ = {};
    return true;
  }

  bool metadata_key(string_t& name) {
    const auto [place, is_new] = header_.metadata.try_emplace(std::move(name));
    text_ = &place->second;
    return is_new;
  }

  bool tensor_key(const string_t& name) {
    HeaderTensor& tensor = header_.tensors.back();
    if (name == "dtype") {
      text_ = &tensor.dtype;
      return std::exchange(fields_seen_.dtype, true) == false;
    }
    if (name == "shape") {
      numbers_ = &tensor.shape;
      return std::exchange(fields_seen_.shape, true) == false;
    }
    numbers_ = &tensor.offsets;
    return name == "data_offsets" && std::exchange(fields_seen_.offsets, true) == false;
  }

  struct Fields {
    bool dtype = false;
    bool shape = false;
    bool offsets = false;
  };
  Header& header_;
  int depth_ = 0;
  bool metadata_seen_ = false;
  bool in_metadata_ = false;
  bool in_array_ = false;
  Fields fields_seen_{};
  std::string* text_ = nullptr;                    ///< where the string that must follow goes
  std::vector<std::uint64_t>* numbers_ = nullptr;  ///< where the array that must follow goes
};

}  // namespace

Header parse_header(std::string_view text) {
  Header header;
  HeaderReader reader(header);
  header.sound = Json::sax_parse(text, &reader);
  return header;
}

}  // namespace logodds::modelfile
