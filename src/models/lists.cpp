#include "models/lists.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::models {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text.substr(i++, 2);
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) { ++i; }
    plain += text[i];
  }
  return plain;
}

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == ',' || c == '+' || c == '\\') { text += '\\'; }
    text += c;
  }
  return text;
}

std::size_t find_class(const std::string& name, const std::vector<std::string>& labels,
                       const std::string& option) {
  const auto found = std::find(labels.begin(), labels.end(), name);
  if (found != labels.end()) { return static_cast<std::size_t>(found - labels.begin()); }
  constexpr std::size_t kShown = 12;
  std::string known;
  for (std::size_t k = 0; k < std::min(labels.size(), kShown); ++k) {
    known += (k == 0 ? "'" : ", '") + labels[k] + "'";
  }
  if (labels.size() > kShown) { known += ", ..."; }
  const std::string near = did_you_mean(name, labels);
  throw Error(ErrorCode::usage, option + ": there is no class '" + name + "'" +
                                    (near.empty() ? "; the classes are " + known : near));
}

}  // namespace logodds::models
