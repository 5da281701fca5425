// Columns of documents in CSV tables.
#include <doctest/doctest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <vector>

#include "csv_table.hpp"
#include "data/document_columns.hpp"

using namespace logodds;
using namespace logodds::test;
using namespace std::string_literals;

namespace {

const CsvOptions kBodies{.target = "y", .kinds = {{"body", ColumnKind::text}}};
const Schema kModel{{{"x", ColumnKind::real, {}},
                     {"body", ColumnKind::text, {}},
                     {"color", ColumnKind::binary, {"blue", "red"}}},
                    "y",
                    {"a", "b"}};

using Texts = std::vector<std::string>;

std::string gzip(const std::string& text) {
  std::string out(text.size() + 1000, '\0');
  z_stream state{};
  deflateInit2(&state, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

/// Rows written by the rules of RFC 4180, quoted only where they must be, or always.
struct Mails {
  std::string csv = "y,body\n";
  Texts bodies;

  Mails(std::size_t rows, std::size_t most_pieces, bool always_quoted) {
    std::mt19937 random(7);
    const Texts pieces{"word ", "\n", "\"", ",", "\"\"", "Ende. ", "\r\n", "\xC3\xA9t\xC3\xA9 ",
                       "\xFF",  "NA"};
    for (std::size_t r = 0; r < rows; ++r) {
      std::string body;
      for (std::size_t left = random() % (most_pieces + 1); left > 0; --left) {
        body += pieces[random() % pieces.size()];
      }
      add(body, always_quoted);
    }
  }
  void add(const std::string& body, bool always_quoted) {
    const bool quoted = always_quoted || body.find_first_of(",\"\r\n") != std::string::npos;
    csv += bodies.size() % 2 == 0 ? "a," : "b,";
    if (quoted) { csv += '"'; }
    for (const char c : body) { csv += c == '"' ? "\"\""s : std::string(1, c); }
    csv += quoted ? "\"\n" : "\n";
    bodies.push_back(body);
  }
};

}  // namespace

TEST_CASE("a text column stands beside numbers and levels") {
  const Table table = read_text(
      "x,body,color,y\n1,Hello there,red,a\n2,\"Good, bye\",blue,b\n,  NA ,red,a\n4,?,red,b\n",
      kBodies);
  REQUIRE(table.documents.size() == 1);
  CHECK(table.documents[0] == Texts{"Hello there", "Good, bye", "  NA ", "?"});
  REQUIRE(table.numbers.size() == 1);
  CHECK(table.numbers[0][3] == 4);
  CHECK(table.words[0][1] == "blue");
  CHECK(table.facts[1].missing == 0);
  CHECK(table.facts[1].any_value);
}

TEST_CASE("an empty document is a document, quoted or not, and numbers may be documents") {
  const auto source = open_csv_bytes("y,body\na,\nb,\"\"\na,17\nb,\"\"\"\"\n", "t.csv", kBodies);
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  for (const auto& document : buffer.texts[0]) { CHECK(document.data() != nullptr); }
  CHECK(buffer.texts[0][0].empty());
  CHECK(buffer.texts[0][1].empty());
  CHECK(buffer.texts[0][2] == "17");
  CHECK(buffer.texts[0][3] == "\"");
  CHECK(buffer.complete);
  CHECK(buffer.incomplete_rows().empty());
}

TEST_CASE("documents are views into the text, and copies only where quotes are doubled") {
  const std::string text = "y,body\na,plain words\nb,\"quoted\nwords\"\na,\"so \"\"called\"\"\"\n";
  const auto source = open_csv_bytes(text, "t.csv", kBodies);
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  const auto inside = [&](std::string_view view) {
    return view.data() >= text.data() && view.data() < text.data() + text.size();
  };
  CHECK(inside(buffer.texts[0][0]));
  CHECK(inside(buffer.texts[0][1]));
  CHECK_FALSE(inside(buffer.texts[0][2]));
  CHECK(buffer.texts[0][2] == "so \"called\"");
}

TEST_CASE("random documents come back as they were written, from memory and from a stream") {
  for (const bool always_quoted : {false, true}) {
    for (const std::size_t most_pieces : {3U, 40U, 2000U}) {
      const Mails mails(3000, most_pieces, always_quoted);
      const Table mapped = read_text(mails.csv, kBodies);
      CHECK(mapped.documents[0] == mails.bodies);
      const Table streamed = read_text(gzip(mails.csv), kBodies);
      CHECK(streamed.documents[0] == mails.bodies);
      CHECK(streamed.labels == mapped.labels);
      CHECK(streamed.first_rows == mapped.first_rows);
      CHECK((most_pieces < 2000 || mapped.blocks > 3));
    }
  }
}

TEST_CASE("a block of documents ends at 1024 rows or behind the row that brings it to 512 KiB") {
  std::string text = "y,body\n";
  const auto row = [&](std::size_t bytes) {  // with its line end
    text += "a," + std::string(bytes - 3, 'x') + "\n";
  };
  row(kBlockTextBytes / 2);
  row(kBlockTextBytes / 2);  // exactly 512 KiB
  row(kBlockTextBytes / 2);
  row(kBlockTextBytes / 2 - 1);  // one byte less
  row(10);
  for (int i = 0; i < 1025; ++i) { row(4); }
  row(3 * kBlockTextBytes);
  row(4);
  const std::vector<std::size_t> expected{0, 2, 5, 1029, 1031};
  CHECK(read_text(text, kBodies).first_rows == expected);
  CHECK(read_text(gzip(text), kBodies).first_rows == expected);
  std::string crlf;
  for (const char c : text) { crlf += c == '\n' ? "\r\n"s : std::string(1, c); }
  const Table table = read_text(crlf, kBodies);
  CHECK(table.documents[0][4] == "xxxxxxx");
  CHECK(table.documents[0] == read_text(text, kBodies).documents[0]);
}

TEST_CASE("documents that are found have the blocks of documents that are named") {
  std::string text = "y,body\n";
  for (int i = 0; i < 600; ++i) {
    text += "a,document number " + std::to_string(i) + " of some";
    for (int word = 0; word < 900; ++word) { text += " word"; }
    text += "\n";
  }
  const auto source = open_csv_bytes(text, "t.csv", {.target = "y"});
  REQUIRE(source->notes().size() == 1);
  CHECK(source->notes()[0] ==
        "t.csv: column 'body' is read as documents (905 words on average); --kinds "
        "body=categorical reads it as levels");
  const Table found = read_all(*source);
  const Table named = read_text(text, kBodies);
  CHECK(found.first_rows == named.first_rows);
  CHECK(found.blocks > 2);
  CHECK(found.documents == named.documents);
  CHECK(read_text(gzip(text), {.target = "y"}).first_rows == named.first_rows);
  const Table levels =
      read_text(text, {.target = "y", .kinds = {{"body", ColumnKind::categorical}}});
  CHECK(levels.blocks == 1);
  CHECK(levels.words[0].size() == 600);
}

TEST_CASE("names of four words stay levels, and a wide table keeps its blocks of 1024 rows") {
  const auto text =
      "name,y\n\"Braund, Mr. Owen Harris\",0\n\"Heikkinen, Miss. Laina\",1\n"
      "\"Futrelle, Mrs. Jacques Heath (Lily May Peel)\",1\n\"Allen, Mr. William Henry\",0\n";
  const Table table = read_text(text, {.target = "y"});
  CHECK(table.documents.empty());
  CHECK(table.words[0][3] == "Allen, Mr. William Henry");
  std::string wide = "y,word";
  for (int c = 0; c < 400; ++c) { wide += ",x" + std::to_string(c); }
  for (int r = 0; r < 1500; ++r) {
    wide += r == 1000 ? "\na,late" : "\na,5";
    for (int c = 0; c < 400; ++c) { wide += ",1.25"; }
  }
  for (const auto& bytes : {wide, gzip(wide)}) {
    const Table read = read_text(bytes, {.target = "y"});
    CHECK(read.first_rows == std::vector<std::size_t>{0, 1024});
    REQUIRE(read.words.size() == 1);  // seen in the whole first block, behind its first MiB
    CHECK(read.words[0][1000] == "late");
    CHECK(read.numbers.size() == 400);
  }
}

TEST_CASE("a column that turns out to be levels later leaves the documents as they are") {
  std::string text = "x,body,y\n";
  for (int i = 0; i < 3000; ++i) {
    text += (i == 2000 ? "word" : "1") + ",some words of document number "s + std::to_string(i) +
            ",a\n";
  }
  const auto source = open_csv_bytes(text, "t.csv", {.target = "y"});
  const Schema schema = discover_schema(*source);
  CHECK(schema.columns[0] == Column{"x", ColumnKind::binary, {"1", "word"}});
  CHECK(schema.columns[1] == Column{"body", ColumnKind::text, {}});
}

TEST_CASE("documents against a schema, in any order, and rows that extend one") {
  const auto text = "body,color,x,y\n\"one \"\"two\"\"\",red,3,b\n,green,4,a\n";
  const auto bound = open_csv_bytes(text, "t.csv", {}, kModel, true);
  const Table table = read_all(*bound, &kModel);
  CHECK(table.documents[0] == Texts{"one \"two\"", ""});
  CHECK(table.numbers[0] == std::vector<double>{3, 4});
  CHECK(table.unseen == 1);
  CHECK(table.labels == Texts{"b", "a"});
  const auto extending = open_csv_bytes_extending(text, "t.csv", {}, kModel);
  CHECK(extending->columns()[1].text);
  CHECK(infer_schema(*extending, read_all(*extending).facts, std::vector<Texts>{{"red", "green"}},
                     {"a", "b"})
            .columns[1] == kModel.columns[1]);
}

TEST_CASE("rows of weight 0 leave their documents out") {
  CsvOptions options = kBodies;
  options.weights = "w";
  const Table table = read_text("y,body,w\na,p,1\nb,\"q\nr\",0\na,\"s\"\"\",2\nb,t,0\n", options);
  CHECK(table.documents[0] == Texts{"p", "s\""});
  CHECK(table.row_numbers == std::vector<std::size_t>{0, 2});
}

TEST_CASE("bytes that are no text pass in documents, and labels still name line and column") {
  const Table table = read_text("y,body\na,\xFF\xFE caf\xE9\nb,nul \0 byte\n"s, kBodies);
  CHECK(table.documents[0] == Texts{"\xFF\xFE caf\xE9", "nul \0 byte"s});
  CHECK(error_of("y,body\na,\"one\ntwo\"\n\xFF,three\n", kBodies) ==
        "t.csv, line 4, column 'y': '\\xff' is not valid UTF-8; if the text is Latin-1, convert it "
        "with iconv -f LATIN1 -t UTF-8");
  CHECK(error_of("y,body\na,\"one\ntwo\"\n,three\n", kBodies)
            .starts_with("t.csv, line 4, column 'y': the row has no label"));
  CHECK(error_of("y,body\na,one\nb,say \"hi\"\n", kBodies)
            .starts_with("t.csv, line 3, column 'body': a quote stands inside a field"));
  CHECK(error_of("y,body\na,one\nb,two,three\n", kBodies)
            .starts_with("t.csv, line 3: 3 fields, but the header has 2"));
}

TEST_CASE("a document of many megabytes is read in place") {
  std::string body;
  while (body.size() < (std::size_t{80} << 20U)) { body += "word, and \"word\"\n"; }
  std::string text = "y,body\na,\"";
  const std::size_t begin = text.size();
  for (const char c : body) { text += c == '"' ? '\'' : c; }
  text += "\"\nb,short\n";
  const auto source = open_csv_bytes(text, "t.csv", kBodies);
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.rows == 1);
  CHECK(buffer.texts[0][0].data() == text.data() + begin);
  CHECK(buffer.texts[0][0].size() == body.size());
  CHECK(buffer.text_copies.empty());
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.texts[0][0] == "short");
}
