#include "definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "json.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

const std::vector<std::string> kKeys = {"classes",    "priors",  "means", "covariances",
                                        "covariance", "columns", "target"};

/// Reads the values of one file; every complaint names the file and the key.
class Reader {
 public:
  Reader(const std::string& name, Json object) : name_(name), object_(std::move(object)) {}

  [[nodiscard]] bool has(const std::string& key) const { return object_.contains(key); }
  [[nodiscard]] const Json& require(const std::string& key) const {
    if (!has(key)) {
      fail(fmt::format("the key \"{}\" is missing; add it, as in {}", key, example(key)));
    }
    return object_.at(key);
  }

  [[nodiscard]] std::string text(const Json& value, const std::string& place) const {
    if (value.is_number()) { return value.dump(); }  // a class may be called 1
    const std::string name = value.is_string() ? value.get<std::string>() : "";
    if (!name.empty()) { return name; }
    if (value.is_string()) { fail(fmt::format("{} is empty; write a name", place)); }
    fail(fmt::format("{} is {}, not a name; write a string", place, value.type_name()));
  }
  [[nodiscard]] double number(const Json& value, const std::string& place) const {
    if (value.is_number()) { return value.get<double>(); }
    fail(fmt::format("{} is {}, not a number; write one", place, value.type_name()));
  }
  /// The items of a list, each read by `read`(item, place).
  template <class Read>
  [[nodiscard]] auto list(const Json& value, const std::string& place, Read read) const {
    if (!value.is_array()) {
      fail(fmt::format("{} is {}, not a list; write [...]", place, value.type_name()));
    }
    std::vector<decltype(read(value, place))> items;
    for (std::size_t i = 0; i < value.size(); ++i) {
      items.push_back(read(value[i], fmt::format("{}[{}]", place, i)));
    }
    return items;
  }
  [[nodiscard]] std::vector<std::string> texts(const Json& value, const std::string& place) const {
    return list(value, place, [&](const Json& item, const auto& at) { return text(item, at); });
  }
  [[nodiscard]] std::vector<double> numbers(const Json& value, const std::string& place) const {
    return list(value, place, [&](const Json& item, const auto& at) { return number(item, at); });
  }
  [[nodiscard]] std::vector<std::vector<double>> matrix(const Json& value,
                                                        const std::string& place) const {
    return list(value, place, [&](const Json& item, const auto& at) { return numbers(item, at); });
  }

  void check_keys() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::ranges::find(kKeys, key) != kKeys.end()) { continue; }
      const std::string near = did_you_mean(key, kKeys);
      fail(fmt::format(
          "unknown key \"{}\"{}", key,
          near.empty() ? fmt::format("; the keys are {}", fmt::join(kKeys, ", ")) : near));
    }
  }
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name_, sentence));
  }

 private:
  static std::string_view example(std::string_view key) {
    if (key == "classes") { return R"("classes": ["a", "b"])"; }
    if (key == "means") { return R"("means": [[2, 1], [1, 2]])"; }
    return R"("covariances": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]])";
  }

  const std::string& name_;
  Json object_;
};

/// "line 3, column 7" of a byte.
std::string place_of(const std::string& text, std::size_t byte) {
  const std::string_view before = std::string_view(text).substr(0, byte);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t last = before.rfind('\n');
  return fmt::format("line {}, column {}", lines + 1,
                     last == std::string_view::npos ? byte + 1 : byte - last);
}

/// The object that the text holds. A key that stands twice would silently lose a value.
Json parse_object(const std::string& text, const std::string& name) {
  std::set<std::string> keys;
  std::optional<std::string> repeated;
  const auto watch_keys = [&](int depth, Json::parse_event_t event, Json& parsed) {
    const bool key = event == Json::parse_event_t::key && depth == 1;
    if (key && !keys.insert(parsed.get<std::string>()).second) {
      repeated = parsed.get<std::string>();
    }
    return true;
  };
  const auto fail = [&](const std::string& sentence) {
    throw Error(ErrorCode::input, name + sentence);
  };
  Json object;
  try {
    object = Json::parse(text, watch_keys);
  } catch (const Json::parse_error& error) {
    fail(
        fmt::format(", {}: this is not JSON; correct it (numbers are written 0.5 or 1e-3, NaN and "
                    "infinity are none)",
                    place_of(text, error.byte > 0 ? error.byte - 1 : 0)));
  } catch (const Json::exception&) {
    fail(": a number is too large for a double; write a smaller one");
  }
  if (!object.is_object()) { fail(": this is no JSON object; write {\"classes\": [...], ...}"); }
  if (repeated) {
    fail(fmt::format(": the key \"{}\" stands there twice; leave one of them out", *repeated));
  }
  return object;
}

std::vector<double> priors_of(const Reader& reader, std::size_t classes,
                              std::vector<std::string>& notes) {
  if (reader.has("priors")) { return reader.numbers(reader.require("priors"), "\"priors\""); }
  notes.push_back(fmt::format("no \"priors\" are given: every class has prior {}",
                              short_number(1.0 / static_cast<double>(classes))));
  return std::vector<double>(classes, 1.0 / static_cast<double>(classes));
}

std::vector<std::vector<std::vector<double>>> covariances_of(const Reader& reader) {
  if (reader.has("covariance") && reader.has("covariances")) {
    reader.fail("\"covariance\" and \"covariances\" are both given; leave one of them out");
  }
  if (reader.has("covariance")) {
    return {reader.matrix(reader.require("covariance"), "\"covariance\"")};
  }
  return reader.list(
      reader.require("covariances"), "\"covariances\"",
      [&](const Json& item, const std::string& place) { return reader.matrix(item, place); });
}

}  // namespace

GaussianDefinition parse_definition(const std::string& text, const std::string& name,
                                    std::vector<std::string>& notes) {
  const Reader reader(name, parse_object(text, name));
  reader.check_keys();
  GaussianDefinition definition;
  definition.classes = reader.texts(reader.require("classes"), "\"classes\"");
  definition.means = reader.matrix(reader.require("means"), "\"means\"");
  definition.covariances = covariances_of(reader);
  definition.priors = priors_of(reader, definition.classes.size(), notes);
  if (reader.has("columns")) {
    definition.columns = reader.texts(reader.require("columns"), "\"columns\"");
  }
  if (reader.has("target")) {
    definition.target = reader.text(reader.require("target"), "\"target\"");
  }
  if (std::ranges::find(definition.columns, definition.target) != definition.columns.end()) {
    reader.fail(
        fmt::format("\"target\" and a column are both called '{}'; rename one", definition.target));
  }
  return definition;
}

}  // namespace logodds::app
