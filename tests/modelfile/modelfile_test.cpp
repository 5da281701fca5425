#include "logodds/modelfile/modelfile.hpp"

#include <doctest/doctest.h>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/registry/registry.hpp"
#include "modelfile/schema_json.hpp"
#include "modelfile/temporary_folder.hpp"
#include "support/table.hpp"

using logodds::ColumnKind;
using logodds::Error;
using logodds::ErrorCode;
using logodds::Schema;
using logodds::modelfile::from_bytes;
using logodds::modelfile::load;
using logodds::modelfile::Reader;
using logodds::modelfile::save;
using logodds::modelfile::to_bytes;
using logodds::modelfile::Writer;
using logodds::test::TemporaryFolder;

namespace {

std::string trained(const std::string& family) {
  const auto table = logodds::test::suited_table(logodds::find_family(family), 40, 2, 1);
  return to_bytes(*logodds::test::train_table(table, family, {}).model);
}

/// The sentence of the error, which must be Error(model_file).
std::string refusal(std::string_view bytes) {
  try {
    static_cast<void>(from_bytes(bytes, "m.model"));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::model_file);
    return error.what();
  }
  return "accepted";
}

std::string with_metadata(const std::string& family, const std::string& schema,
                          const std::string& options) {
  Writer writer;
  writer.metadata("family", family);
  writer.metadata("schema", schema);
  writer.metadata("options", options);
  return writer.bytes();
}

std::string schema_refusal(const std::string& schema) {
  return refusal(with_metadata("gaussian", schema, "{}"));
}

Schema read_back(const Schema& schema) {
  const std::string bytes = with_metadata("toy", logodds::modelfile::schema_text(schema), "{}");
  return logodds::modelfile::read_schema(Reader(bytes, "m.model"));
}

bool says(const std::string& sentence, const std::string& part) {
  INFO(sentence);
  const bool found = sentence.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("model file: every family comes back as it was, by bytes and by scores") {
  const TemporaryFolder folder;
  for (const auto& family : logodds::families()) {
    CAPTURE(family.name);
    const auto table = logodds::test::suited_table(family, 40, 3, 1);
    const auto fit = logodds::test::train_table(table, family.name, {});
    save(*fit.model, folder / "a.model");
    const auto again = load(folder / "a.model");
    CHECK(again->family() == family.name);
    CHECK(again->schema() == fit.model->schema());
    CHECK(again->options().values() == fit.model->options().values());
    CHECK(to_bytes(*again) == to_bytes(*fit.model));
    CHECK(logodds::test::posteriors_of(*again, table) ==
          logodds::test::posteriors_of(*fit.model, table));
  }
}

TEST_CASE("model file: cut at any byte, or with any byte changed, it is refused") {
  for (const auto& family : logodds::families()) {
    CAPTURE(family.name);
    const std::string bytes = trained(family.name);
    REQUIRE(refusal(bytes) == "accepted");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      CAPTURE(i);
      REQUIRE(refusal(std::string_view(bytes).substr(0, i)) != "accepted");
      for (const unsigned flip : {0x01U, 0xFFU}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ flip);
        REQUIRE(refusal(changed) != "accepted");
      }
    }
  }
}

TEST_CASE("model file: names, levels and labels come back as written, UTF-8 or not") {
  const Schema schema{.columns = {{"plain", ColumnKind::real, {}},
                                  {"\"quo\\ted\"\n", ColumnKind::count, {}},
                                  {std::string("nul\0inside", 10), ColumnKind::binary, {}},
                                  {"Gr\xC3\xB6\xC3\x9F"
                                   "e",
                                   ColumnKind::categorical,
                                   {"\xC3\xA9", "\xE9t\xE9"}},
                                  {"latin \xE9", ColumnKind::binary, {"no", "yes"}},
                                  {"mail", ColumnKind::text, {}},
                                  {"", ColumnKind::real, {}}},
                      .target = "\xFF\xFE",
                      .labels = {"1", "1.0", "2", "10", "",
                                 "a\xA0"
                                 "b"}};
  CHECK(read_back(schema) == schema);
  CHECK(read_back({.columns = {}, .target = "", .labels = {"only"}}).labels.size() == 1);
}

TEST_CASE("model file: a family that this build lacks is named, with those it has") {
  const std::string sentence = refusal(with_metadata("forest", "{}", "{}"));
  CHECK(says(sentence, "m.model: it holds a model of the family 'forest'"));
  for (const auto& family : logodds::families()) { CHECK(says(sentence, family.name)); }
}

TEST_CASE("model file: schemas that no training wrote") {
  CHECK(says(schema_refusal("[]"), "'schema' is not a JSON object"));
  CHECK(says(schema_refusal("{"), "'schema' is not a JSON object"));
  CHECK(says(schema_refusal(""), "'schema' is not a JSON object"));
  CHECK(says(schema_refusal("{}"), "lacks 'target'"));
  CHECK(says(schema_refusal(std::string(100000, '[')), "nested too deeply"));
  const auto with = [](const std::string& labels, const std::string& columns) {
    return schema_refusal(R"({"target":"t","labels":)" + labels + R"(,"columns":)" + columns + "}");
  };
  CHECK(says(with("[]", "[]"), "no labels"));
  CHECK(says(with("{}", "[]"), "'labels' that is no list"));
  CHECK(says(with(R"(["a","a"])", "[]"), "labels that are not in order"));
  CHECK(says(with(R"(["b","a"])", "[]"), "labels that are not in order"));
  CHECK(says(with(R"([1])", "[]"), "lacks 'hex'"));
  CHECK(says(with(R"([{"hex":"6"}])", "[]"), "neither a string nor hexadecimal"));
  CHECK(says(with(R"([{"hex":"6G"}])", "[]"), "neither a string nor hexadecimal"));
  CHECK(says(with(R"([{"hex":7}])", "[]"), "neither a string nor hexadecimal"));
  const auto column = [&](const std::string& columns) { return with(R"(["a","b"])", columns); };
  CHECK(says(column(R"({})"), "'columns' that is no list"));
  CHECK(says(column(R"([1])"), "lacks 'name'"));
  CHECK(says(column(R"([{"name":"x"}])"), "lacks 'kind'"));
  CHECK(says(column(R"([{"name":"x","kind":"complex"}])"), "unknown kind 'complex'"));
  CHECK(says(column(R"([{"name":"x","kind":"real"},{"name":"x","kind":"real"}])"),
             "two columns named 'x'"));
  CHECK(says(column(R"([{"name":"x","kind":"real","levels":["a"]}])"), "do not fit its kind"));
  CHECK(says(column(R"([{"name":"x","kind":"text","levels":["a"]}])"), "do not fit its kind"));
  CHECK(says(column(R"([{"name":"x","kind":"categorical","levels":["","a"]}])"),
             "do not fit its kind"));
  CHECK(
      says(column(R"([{"name":"x","kind":"categorical","levels":[""]}])"), "do not fit its kind"));
  CHECK(says(column(R"([{"name":"x","kind":"categorical","levels":["a","a"]}])"),
             "levels that are not in order"));
}

TEST_CASE("model file: options that the family does not have or allow") {
  const std::string schema =
      R"({"target":"t","labels":["a","b"],"columns":[{"name":"x","kind":"real"}]})";
  const auto with = [&](const std::string& options) {
    return refusal(with_metadata("gaussian", schema, options));
  };
  CHECK(says(with("[]"), "'options' is not a JSON object"));
  CHECK(says(with(R"({"ridge":1})"), "that is no string"));
  CHECK(says(with(R"({"ridge":"-1"})"), "m.model: option --ridge: '-1' is out of range"));
  CHECK(says(with(R"({"rigde":"1"})"), "did you mean --ridge?"));
}

TEST_CASE("model file: a path without a file is an input or output error that says so") {
  const TemporaryFolder folder;
  try {
    static_cast<void>(load(folder / "none.model"));
    FAIL("loaded");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::io);
    CHECK(says(error.what(), "none.model': No such file or directory; check the path"));
  }
}

TEST_CASE("many numbered columns take a letter each") {
  Schema schema{.columns = {}, .target = "label", .labels = {"0", "1"}};
  for (std::size_t c = 0; c < 12'000; ++c) {
    const auto kind = c % 3 == 0   ? ColumnKind::real
                      : c % 3 == 1 ? ColumnKind::count
                                   : ColumnKind::binary;
    schema.columns.push_back({"x" + std::to_string(c), kind, {}});
  }
  CHECK(read_back(schema) == schema);
  CHECK(logodds::modelfile::schema_text(schema).size() < 12'100);
  schema.columns.erase(schema.columns.begin());  // from x1 on
  CHECK(read_back(schema) == schema);
  CHECK(logodds::modelfile::schema_text(schema).size() < 12'100);
  schema.columns[5].name = "y";
  CHECK(read_back(schema) == schema);
  schema.columns[5] = {"x6", ColumnKind::binary, {"no", "yes"}};
  CHECK(read_back(schema) == schema);
}

TEST_CASE("numbered columns that make no sense are refused") {
  const auto refused = [](const std::string& numbered) {
    return schema_refusal(R"({"target": "y", "labels": ["a"], "numbered": )" + numbered + "}");
  };
  CHECK(says(refused(R"({"first": 2, "kinds": "r"})"), "neither with x0 nor x1"));
  CHECK(says(refused(R"({"first": "1", "kinds": "r"})"), "neither with x0 nor x1"));
  CHECK(says(refused(R"({"first": 1, "kinds": "rt"})"), "unknown kind"));
  CHECK(says(refused(R"({"first": 1})"), "kinds"));
  CHECK(says(refused("7"), "first"));
}
