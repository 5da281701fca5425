#include "modelfile/schema_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "logodds/error.hpp"

namespace logodds::modelfile {
namespace {

using Json = nlohmann::json;
constexpr int kMaxDepth = 6;  // a schema nests five levels

bool is_utf8(const std::string& text) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80U; };
  if (std::ranges::all_of(text, ascii)) { return true; }
  try {
    return !Json(text).dump().empty();
  } catch (const Json::type_error&) { return false; }
}

Json encoded(const std::string& text) {
  if (is_utf8(text)) { return text; }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4U];
    digits += kDigits[byte & 0xFU];
  }
  return {{"hex", digits}};
}

Json encoded(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const auto& text : texts) { list.push_back(encoded(text)); }
  return list;
}

/// A JSON tree out of one metadata text; every question asked of it names the text when it fails.
class Tree {
 public:
  Tree(const Reader& reader, std::string key) : reader_(reader), key_(std::move(key)) {
    const auto shallow = [this](int depth, Json::parse_event_t, Json&) {
      if (depth > kMaxDepth) { fail("is nested too deeply"); }
      return true;
    };
    root_ = Json::parse(reader.metadata(key_), shallow, false);
    if (!root_.is_object()) { fail("is not a JSON object"); }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    reader_.fail("its metadata '" + key_ + "' " + problem);
  }

  [[nodiscard]] const Json& root() const { return root_; }

  [[nodiscard]] const Json& member(const Json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name)) {
      fail("lacks '" + std::string(name) + "'");
    }
    return object[name];
  }

  [[nodiscard]] const Json& list(const Json& object, const char* name) const {
    const Json& value = member(object, name);
    if (!value.is_array()) { fail("has a '" + std::string(name) + "' that is no list"); }
    return value;
  }

  [[nodiscard]] std::string text(const Json& value) const {
    if (value.is_string()) { return value.get<std::string>(); }
    const Json& digits = member(value, "hex");
    return digits.is_string() ? unhex(digits.get<std::string>()) : unhex("?");
  }

  /// Values in label order, so each occurs once.
  [[nodiscard]] std::vector<std::string> ordered_texts(const Json& object, const char* name) const {
    std::vector<std::string> texts;
    for (const Json& value : list(object, name)) {
      texts.push_back(text(value));
      if (texts.size() > 1 && !label_less(texts[texts.size() - 2], texts.back())) {
        fail("has " + std::string(name) + " that are not in order");
      }
    }
    return texts;
  }

 private:
  [[nodiscard]] std::string unhex(const std::string& digits) const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      const std::size_t high = kDigits.find(digits[i]);
      const std::size_t low = i + 1 < digits.size() ? kDigits.find(digits[i + 1]) : 16;
      if (high >= 16 || low >= 16) {
        fail("holds a text that is neither a string nor hexadecimal");
      }
      bytes += static_cast<char>(high << 4U | low);
    }
    return bytes;
  }

  const Reader& reader_;
  std::string key_;
  Json root_;
};

ColumnKind read_kind(const Tree& tree, const Json& column) {
  const std::string kind = tree.text(tree.member(column, "kind"));
  try {
    return parse_column_kind(kind);
  } catch (const Error&) { tree.fail("has a column of the unknown kind '" + kind + "'"); }
}

Column read_column(const Tree& tree, const Json& json) {
  Column column{tree.text(tree.member(json, "name")), read_kind(tree, json), {}};
  if (json.contains("levels")) {
    column.levels = tree.ordered_texts(json, "levels");
    const bool none = column.kind == ColumnKind::real || column.kind == ColumnKind::count ||
                      column.kind == ColumnKind::text;
    if (none || std::ranges::find(column.levels, "") != column.levels.end()) {
      tree.fail("has levels in column '" + column.name + "' that do not fit its kind");
    }
  }
  return column;
}

/// Fewer columns are listed one by one, as every version reads them.
constexpr std::size_t kMostListed = 10'000;
constexpr std::array<std::pair<char, ColumnKind>, 3> kLetters = {
    {{'r', ColumnKind::real}, {'b', ColumnKind::binary}, {'c', ColumnKind::count}}};

/// The number of the first column if all are many, numbers, and called x<first>, x<first + 1>, ...
std::optional<std::size_t> first_of_numbered(const Schema& schema) {
  if (schema.columns.size() <= kMostListed) { return {}; }
  const std::size_t first = schema.columns.front().name == "x0" ? 0 : 1;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const bool number = column.kind == ColumnKind::real || column.kind == ColumnKind::count ||
                        (column.kind == ColumnKind::binary && !column.coded());
    if (!number || column.name != "x" + std::to_string(first + c)) { return {}; }
  }
  return first;
}

Json numbered_json(const Schema& schema, std::size_t first) {
  std::string kinds;
  for (const auto& column : schema.columns) {
    kinds += std::ranges::find(kLetters, column.kind, &std::pair<char, ColumnKind>::second)->first;
  }
  return {{"first", first}, {"kinds", std::move(kinds)}};
}

void read_numbered(const Tree& tree, std::vector<Column>& columns) {
  const Json& numbered = tree.member(tree.root(), "numbered");
  const Json& first = tree.member(numbered, "first");
  if (first != 0 && first != 1) { tree.fail("has columns that begin neither with x0 nor x1"); }
  const std::string kinds = tree.text(tree.member(numbered, "kinds"));
  std::size_t number = first.get<std::size_t>();
  columns.reserve(kinds.size());
  for (const char letter : kinds) {
    const auto* const found =
        std::ranges::find(kLetters, letter, &std::pair<char, ColumnKind>::first);
    if (found == kLetters.end()) { tree.fail("has a numbered column of an unknown kind"); }
    columns.push_back({"x" + std::to_string(number++), found->second, {}});
  }
}

Json columns_json(const Schema& schema) {
  Json columns = Json::array();
  for (const auto& column : schema.columns) {
    Json json;
    json["name"] = encoded(column.name);
    json["kind"] = to_string(column.kind);
    if (column.coded()) { json["levels"] = encoded(column.levels); }
    columns.push_back(std::move(json));
  }
  return columns;
}

}  // namespace

std::string schema_text(const Schema& schema) {
  Json root;
  root["target"] = encoded(schema.target);
  if (!schema.weights.empty()) { root["weights"] = encoded(schema.weights); }
  root["labels"] = encoded(schema.labels);
  if (const auto first = first_of_numbered(schema)) {
    root["numbered"] = numbered_json(schema, *first);
  } else {
    root["columns"] = columns_json(schema);
  }
  return root.dump();
}

Schema read_schema(const Reader& reader, bool labelled) {
  const Tree tree(reader, "schema");
  Schema schema;
  schema.target = tree.text(tree.member(tree.root(), "target"));
  if (tree.root().contains("weights")) {
    schema.weights = tree.text(tree.member(tree.root(), "weights"));
  }
  schema.labels = tree.ordered_texts(tree.root(), "labels");
  if (labelled && schema.labels.empty()) { tree.fail("has no labels"); }
  if (tree.root().contains("numbered")) {
    read_numbered(tree, schema.columns);
    return schema;
  }
  std::set<std::string> names;
  for (const Json& json : tree.list(tree.root(), "columns")) {
    schema.columns.push_back(read_column(tree, json));
    const std::string& name = schema.columns.back().name;
    if (!names.insert(name).second) { tree.fail("has two columns named '" + name + "'"); }
  }
  return schema;
}

std::string options_text(const Options& options) {
  Json root = Json::object();
  for (const auto& [name, value] : options.values()) { root[name] = value; }
  return root.dump();
}

std::map<std::string, std::string> read_options(const Reader& reader) {
  const Tree tree(reader, "options");
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : tree.root().items()) {
    if (!value.is_string()) { tree.fail("has a value for '" + name + "' that is no string"); }
    options[name] = value.get<std::string>();
  }
  return options;
}

}  // namespace logodds::modelfile
