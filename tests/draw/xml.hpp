// Is a text well formed XML? Enough of the grammar for what the SVG writer may do wrong.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::draw {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : rest_(text) {}

  /// Empty when there is nothing wrong.
  std::string problem() {
    while (!rest_.empty() && problem_.empty()) {
      if (rest_.front() == '<') {
        tag();
      } else {
        character(open_.empty() ? "\n" : "");
      }
    }
    if (problem_.empty() && !open_.empty()) { return "not closed: " + open_.back(); }
    return problem_;
  }

 private:
  char take() {
    if (rest_.empty()) {
      problem_ = "ends too early";
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void character(std::string_view only) {
    const char c = take();
    if (!only.empty() && only.find(c) == std::string_view::npos) { problem_ = "text outside"; }
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') { problem_ = "control"; }
    if (c != '&') { return; }
    const std::string entity(rest_.substr(0, rest_.find(';')));
    if (!std::set<std::string>{"lt", "gt", "amp", "quot"}.contains(entity)) {
      problem_ = "entity " + entity;
    }
  }

  std::string name() {
    std::string out;
    while (problem_.empty() && !rest_.empty() &&
           std::string_view(" />=\"<").find(rest_.front()) == std::string_view::npos) {
      out += take();
    }
    if (out.empty()) { problem_ = "no name"; }
    return out;
  }

  void tag() {
    take();
    if (rest_.starts_with('/')) {
      take();
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) {
        problem_ = "closes " + closed;
        return;
      }
      open_.pop_back();
      if (take() != '>') { problem_ = "no end of " + closed; }
      return;
    }
    const std::string opened = name();
    std::set<std::string> seen;
    while (problem_.empty() && rest_.starts_with(' ')) { attribute(seen); }
    const bool empty = rest_.starts_with('/');
    if (empty) { take(); }
    if (take() != '>') { problem_ = "no end of " + opened; }
    if (!empty) { open_.push_back(opened); }
  }

  void attribute(std::set<std::string>& seen) {
    take();
    const std::string key = name();
    if (!seen.insert(key).second) { problem_ = "twice " + key; }
    if (take() != '=' || take() != '"') { problem_ = "no value of " + key; }
    while (problem_.empty() && !rest_.starts_with('"')) {
      if (rest_.starts_with('<')) { problem_ = "< in " + key; }
      character("");
    }
    take();
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string problem_;
};

inline std::string xml_problem(std::string_view text) { return XmlCheck(text).problem(); }

}  // namespace logodds::draw
