// Lines of label, tab and document.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "data/lines_source.hpp"
#include "document_table.hpp"
#include "modelfile/temporary_folder.hpp"

using namespace logodds;
using namespace logodds::test;
using Texts = std::vector<std::string>;
using Labels = std::vector<std::optional<std::string>>;

namespace {

DocumentTable read_lines(std::string_view text) {
  const auto source = open_lines_bytes(text, "t.txt");
  return read_documents(*source);
}

DocumentTable read_bound(std::string_view text, const Schema& schema, LabelUse use) {
  const auto source = open_lines_bytes(text, "t.txt", schema, use);
  return read_documents(*source, &schema);
}

std::string error_of(std::string_view text) {
  return sentence_of([&] { read_lines(text); });
}

std::string bound_error_of(std::string_view text, const Schema& schema) {
  return sentence_of([&] { read_bound(text, schema, LabelUse::required); });
}

}  // namespace

TEST_CASE("a line is a label, a tab and a document") {
  const auto source = open_lines_bytes("ham\tsee you\n spam \twin\tnow \"50 %\n\nham\t", "t.txt");
  CHECK(source->target() == "label");
  REQUIRE(source->columns().size() == 1);
  CHECK(source->columns()[0].name == "text");
  CHECK(source->columns()[0].text);
  CHECK_FALSE(source->columns()[0].coded);
  const DocumentTable table = read_documents(*source);
  CHECK(table.documents == Texts{"see you", "win\tnow \"50 %", ""});
  CHECK(table.labels == Labels{"ham", "spam", "ham"});
  CHECK(table.facts[0].any_value);
  CHECK(source->fraction_taken() == 1.0);
}

TEST_CASE("carriage returns before line feeds, a byte order mark, NUL and broken UTF-8") {
  using namespace std::string_literals;
  const DocumentTable table = read_lines("\xEF\xBB\xBF"s + "a\tx\r\n\r\nb\ty\0z\r\nc\t\xFF\xC3\n"s);
  CHECK(table.documents == Texts{"x", "y\0z"s, "\xFF\xC3"});
  CHECK(table.labels == Labels{"a", "b", "c"});
}

TEST_CASE("an empty document is there: it is not missing") {
  const auto source = open_lines_bytes("a\t\n", "t.txt");
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.texts[0][0].data() != nullptr);
  CHECK(buffer.incomplete_rows().empty());
}

TEST_CASE("documents are views into the text") {
  const std::string text = "a\tone\nb\ttwo\n";
  const auto source = open_lines_bytes(text, "t.txt");
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.texts[0][1].data() == text.data() + 8);
}

TEST_CASE("what is wrong with lines for training") {
  CHECK(error_of("a\tx\n\nno tab\n") ==
        "t.txt, line 3: there is no tab; a line is a label, a tab, and a document, so put a tab "
        "after the label");
  CHECK(holds(error_of("a\tx\n \ty\n"), "t.txt, line 2: there is no label"));
  CHECK(holds(error_of("a\tx\n\xFF\ty\n"), "t.txt, line 2: the label '\\xff'"));
  CHECK(holds(error_of(""), "t.txt: the file holds no row"));
  CHECK(holds(error_of("\n\r\n\n"), "t.txt: the file holds no row"));
  CHECK(holds(error_of("\xFF\xFE"
                       "a"),
              "UTF-16"));
}

TEST_CASE("against a schema every line is a row, labelled or not") {
  const Schema schema = document_schema({"ham", "spam"});
  const std::string_view text = "ham\tone\n\nno tab\n\ttwo\nother\tthree\n spam\tfour";
  const DocumentTable unread = read_bound(text, schema, LabelUse::unread);
  CHECK(unread.documents == Texts{"one", "", "no tab", "two", "other\tthree", "four"});
  CHECK(unread.labels.empty());
  const DocumentTable read = read_bound(text, schema, LabelUse::if_there);
  CHECK(read.documents == unread.documents);
  CHECK(read.labels ==
        Labels{"ham", std::nullopt, std::nullopt, std::nullopt, std::nullopt, "spam"});
}

TEST_CASE("labels that are required") {
  const Schema schema = document_schema({"ham", "spam"});
  const DocumentTable table = read_bound("ham\tone\n\nspam\ttwo\n", schema, LabelUse::required);
  CHECK(table.documents == Texts{"one", "two"});
  CHECK(table.labels == Labels{"ham", "spam"});
  CHECK(holds(bound_error_of("ham\tone\negg\ttwo\n", schema),
              "t.txt, line 2: the label 'egg' is not one of the classes of the model (ham, spam)"));
  CHECK(holds(bound_error_of("ham\tone\nspam\n", schema), "t.txt, line 2: there is no tab"));
  CHECK(holds(bound_error_of("\tone\n", schema), "there is no label"));
}

TEST_CASE("a schema that documents alone do not fit") {
  Schema schema = document_schema({"a", "b"});
  schema.columns.push_back({.name = "age", .kind = ColumnKind::real, .levels = {}});
  const std::string sentence = bound_error_of("a\tx\n", schema);
  CHECK(holds(sentence, "the columns 'text' (text), 'age' (real)"));
  CHECK(holds(sentence, "give a CSV file with these columns"));
  schema.columns.erase(schema.columns.begin());
  CHECK(holds(bound_error_of("a\tx\n", schema), "the column 'age' (real)"));
}

TEST_CASE("blocks end at 1024 rows, or behind the row that reaches 512 KiB") {
  std::string many;
  for (int i = 0; i < 2500; ++i) { many += "a\tx\n"; }
  CHECK(read_lines(many).block_rows == std::vector<std::size_t>{1024, 1024, 452});
  std::string large;
  for (int i = 0; i < 5; ++i) { large += "a\t" + std::string(250'000, 'x') + "\n"; }
  CHECK(read_lines(large).block_rows == std::vector<std::size_t>{3, 2});
}

TEST_CASE("blocks and rows are the same mapped and compressed") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "class" + std::to_string(i % 7) + "\t" +
            std::string(static_cast<std::size_t>(i % 1700), static_cast<char>('a' + i % 26)) + "\n";
    if (i % 11 == 0) { text += "\r\n"; }
  }
  std::ofstream(folder / "t.txt") << text;
  REQUIRE(std::system(("gzip -k '" + (folder / "t.txt") + "'").c_str()) == 0);
  const auto plain = open_lines(folder / "t.txt");
  const auto packed = open_lines(folder / "t.txt.gz");
  const DocumentTable first = read_documents(*plain);
  const DocumentTable second = read_documents(*packed);
  REQUIRE(first.documents.size() == 3000);
  CHECK(first.block_rows.size() > 2);
  CHECK(first.documents == second.documents);
  CHECK(first.labels == second.labels);
  CHECK(first.block_rows == second.block_rows);
}

TEST_CASE("places name the line, or after blank lines the row") {
  const auto regular = open_lines_bytes("a\tx\nb\ty\n", "t.txt");
  CHECK(regular->place(1) == "t.txt, line 2");
  const auto irregular = open_lines_bytes("a\tx\n\nb\ty\n", "t.txt");
  CHECK(irregular->place(1) == "t.txt, row 2");
}

TEST_CASE("a second pass gives the same rows") {
  const auto source = open_lines_bytes("a\tx\nb\ty\n", "t.txt");
  CHECK(read_documents(*source).documents.size() == 2);
  REQUIRE(source->restart_with_coded({}));
  CHECK(read_documents(*source).documents == Texts{"x", "y"});
}

TEST_CASE("a long line of a mapped file is one document") {
  const TemporaryFolder folder;
  const std::string word(5'000'000, 'w');
  std::ofstream(folder / "t.txt") << "a\t" << word << "\nb\tshort\n";
  const auto source = open_lines(folder / "t.txt");
  CHECK(read_documents(*source).documents == Texts{word, "short"});
}

TEST_CASE("rows to add bring labels, and the columns of the schema") {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.txt") << "new\tx\n";
  Schema schema = document_schema({"a"});
  schema.columns[0].name = "message";
  schema.target = "kind";
  const auto source = open_lines_extending(folder / "t.txt", schema);
  CHECK(source->columns()[0].name == "message");
  CHECK(source->target() == "kind");
  CHECK(read_documents(*source).labels == Labels{"new"});
}

TEST_CASE("a folder, and a file that is not there") {
  const TemporaryFolder folder;
  CHECK(holds(sentence_of([&] { (void)open_lines(folder.path().string()); }), "--format folders"));
  CHECK(holds(sentence_of([&] { (void)open_lines(folder / "none"); }), "cannot open"));
}
