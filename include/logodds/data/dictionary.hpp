// Values to small codes, in the order of first appearance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace logodds {

class Dictionary {
 public:
  Dictionary() = default;
  explicit Dictionary(const std::vector<std::string>& values) {
    for (const auto& value : values) { code(value); }
  }

  /// The code of `value`; a value not seen before gets the next code.
  std::int32_t code(std::string_view value) {
    if (last_ >= 0 && values_[static_cast<std::size_t>(last_)] == value) { return last_; }
    auto found = codes_.find(value);
    if (found == codes_.end()) {
      found = codes_.emplace(std::string(value), static_cast<std::int32_t>(values_.size())).first;
      values_.emplace_back(value);
    }
    return last_ = found->second;
  }

  /// The code of `value`, or -1 when it is not in the dictionary.
  [[nodiscard]] std::int32_t find(std::string_view value) const {
    const auto found = codes_.find(value);
    return found == codes_.end() ? -1 : found->second;
  }

  [[nodiscard]] const std::vector<std::string>& values() const { return values_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  void clear() {
    codes_.clear();
    values_.clear();
    last_ = -1;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> codes_;
  std::vector<std::string> values_;
  std::int32_t last_ = -1;  ///< neighbouring rows often hold the same value
};

}  // namespace logodds
