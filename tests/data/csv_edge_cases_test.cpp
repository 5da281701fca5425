// Public collections of difficult CSV files: each reads as its authors say, or is refused with the
// sentence that names the trouble.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "csv_table.hpp"
#include "support/shared_data.hpp"

using namespace logodds;
using namespace logodds::test;
namespace fs = std::filesystem;

namespace {

using Records = std::vector<std::vector<std::string>>;

CsvOptions as_words(const std::string& path, CsvOptions options) {
  const auto source = open_csv(path, options);
  for (const auto& column : source->columns()) {
    options.kinds[column.name] = ColumnKind::categorical;
  }
  return options;
}

/// Every token as written; a missing value is empty.
Records read_records(const std::string& path, bool header) {
  const auto source = open_csv(path, as_words(path, {.delimiter = ',', .header = header}));
  Records records;
  if (header) {
    records.emplace_back();
    for (const auto& column : source->columns()) { records[0].push_back(column.name); }
  }
  const Table table = read_all(*source);
  for (std::size_t r = 0; r < table.rows; ++r) {
    records.emplace_back();
    for (const auto& column : table.words) { records.back().push_back(column[r].value_or("")); }
  }
  return records;
}

std::string refusal(const std::string& path, bool header) {
  try {
    const CsvOptions options = as_words(path, {.header = header});
    (void)read_all(*open_csv(path, options));
  } catch (const Error& error) { return error.what(); }
  return "read without error";
}

/// An array of arrays, or of objects, whose keys are then the first record.
Records json_records(const std::string& path) {
  std::ifstream file(path);
  const auto document = nlohmann::ordered_json::parse(file);
  Records records;
  for (const auto& row : document) {
    if (row.is_object() && records.empty()) {
      records.emplace_back();
      for (const auto& [key, value] : row.items()) { records.back().push_back(key); }
    }
    records.emplace_back();
    for (const auto& value : row) { records.back().push_back(value.get<std::string>()); }
  }
  return records;
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") { files.push_back(entry.path()); }
  }
  std::ranges::sort(files);
  return files;
}

struct Refusal {
  std::string file;
  std::string part;  ///< of the sentence
};

const Refusal* find_refusal(const std::vector<Refusal>& list, const std::string& file) {
  const auto found = std::ranges::find(list, file, &Refusal::file);
  return found == list.end() ? nullptr : &*found;
}

void check_refusal(const fs::path& file, bool header, const std::string& part) {
  const std::string sentence = refusal(file.string(), header);
  CAPTURE(sentence);
  CHECK(sentence.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("csv-spectrum") {
  const auto folder = shared_data("csv_edge_cases/csv-spectrum");
  if (!folder) { return; }
  const std::vector<Refusal> refused{
      // quotes inside unquoted text (degrees, minutes, seconds): RFC 4180 wants them doubled
      {"location_coordinates.csv", "line 2, column 'Location Coordinates': a quote stands inside"}};
  for (const auto& file : files_in(*folder + "/csvs")) {
    CAPTURE(file.filename().string());
    if (const auto* const expected = find_refusal(refused, file.filename().string())) {
      check_refusal(file, true, expected->part);
    } else {
      const auto json = fs::path(*folder) / "json" / file.stem();
      CHECK(read_records(file.string(), true) == json_records(json.string() + ".json"));
    }
  }
}

TEST_CASE("csv-test-data") {
  const auto folder = shared_data("csv_edge_cases/csv-test-data");
  if (!folder) { return; }
  const std::vector<Refusal> refused{
      {"bad-header-less-fields.csv", "line 2: 2 fields, but the header has 3"},
      {"bad-header-more-fields.csv", "line 2: 4 fields, but the header has 3"},
      {"bad-header-no-header.csv", "the file is empty"},
      // its header is only wrong because foo,bar,baz was expected; what we see is no row
      {"bad-header-wrong-header.csv", "a header but no row"},
      {"bad-missing-quote.csv", "line 2, column 'x2': a quote is opened here and never closed"},
      {"bad-quotes-with-unescaped-quote.csv", "line 2, column 'x2': text follows a closing quote"},
      {"bad-unescaped-quote.csv", "line 2, column 'x2': a quote stands inside a field"},
      // valid, but there is nothing to learn from
      {"header-no-rows.csv", "a header but no row"}};
  // Unquoted text is trimmed here, because many files have a space behind each comma.
  const auto trimmed = [](Records records) {
    for (auto& record : records) {
      for (auto& value : record) {
        value.erase(0, value.find_first_not_of(' '));
        value.erase(value.find_last_not_of(' ') + 1);
      }
    }
    return records;
  };
  for (const auto& file : files_in(*folder + "/csv")) {
    const std::string name = file.filename().string();
    const bool header = name.find("header-") != std::string::npos;
    CAPTURE(name);
    if (const auto* const expected = find_refusal(refused, name)) {
      check_refusal(file, header, expected->part);
      continue;
    }
    const auto json = fs::path(*folder) / "json" / file.stem();
    auto expected = json_records(json.string() + ".json");
    if (name == "leading-space.csv" || name == "trailing-space.csv") {
      expected = trimmed(std::move(expected));
    }
    CHECK(read_records(file.string(), header) == expected);
  }
}

TEST_CASE("messy files from public sites") {
  const auto folder = shared_data("csv_edge_cases/messy_real");
  if (!folder) { return; }
  const std::string not_utf8 = "is not valid UTF-8";
  const std::string old_mac = "a carriage return stands alone; these are old Mac line ends";
  // With a header, unless said. Latin-1, Windows-1250/1251, Mac Roman and Shift-JIS are refused
  // where the first byte that is no UTF-8 would enter a name or a level.
  const std::vector<Refusal> refused{
      {"2_18-05-2011-17-21-59_0.csv", "line 1, column 1: the name"},
      {"ABCAUS2011.csv",
       "line 2, column 'x1': '1001 \\xb7 MacQuarie Cash Management Trust' is not"},
      {"Blizak_2010.csv", "line 1, column 3: the name 'Dan\\xeck' is not valid UTF-8"},
      {"CsvBulkLoaderTest_Players.csv", old_mac},
      {"HEFCE_organogram_senior_data_31032011.csv", "line 1, column 12: the name"},
      {"Line feed character is more frequent than the car return-line feed combination.csv",
       old_mac},
      {"Mixed comma and semicolon.csv", not_utf8},
      {"Parsed.csv", not_utf8},
      {"Speaking_Tool.csv", old_mac},  // not UTF-8 either, but its line ends come first
      {"alfa_example.csv", "line 1, column 1: the name"},
      // line 13 lacks its last quote, so its field ends at the first quote of line 14
      {"artists.csv", "line 13, column 'Aachen': text follows a closing quote"},
      {"cliente.csv", "line 3, column 'DOMICILIO': 'MARIANO MORENO N\\xb0 556' is not valid UTF-8"},
      {"csv_template.csv", "the text is UTF-16; convert it with iconv -f UTF-16 -t UTF-8"},
      {"dbpj_female_fbg.csv", "line 1, column 2: the name"},
      {"load_fund_structure_data.csv", "line 1, column 1: the name"},
      {"one-line-with-accents.csv", "line 1, column 2: the name"},
      {"parneringwithinterviews.csv", "line 225, column 'answer'"},
      {"shops.csv", "line 1, column 1: the name"},
      {"sjis.csv", "line 2, column 'text'"},
      {"stringtable.csv", "column 'backward compatibility': 'compatibilit\\xe9 ascendante' is not"},
      {"supplements.csv", "line 1, column 2: the name"}};
  std::size_t read = 0;
  for (const auto& file : files_in(*folder)) {
    CAPTURE(file.filename().string());
    if (const auto* const expected = find_refusal(refused, file.filename().string())) {
      check_refusal(file, true, expected->part);
      const bool line_ends = expected->part == old_mac || file.filename() == "artists.csv";
      CHECK((line_ends || refusal(file.string(), true).find("iconv") != std::string::npos));
    } else {
      CHECK(refusal(file.string(), true) == "read without error");
      ++read;
    }
  }
  CHECK(read == 2);  // book.csv and 'Mixed comma and semicolon-B.csv', below
}

TEST_CASE("messy files that can be read") {
  const auto book = shared_data("csv_edge_cases/messy_real/book.csv");
  const auto decimals = shared_data("csv_edge_cases/messy_real/Mixed comma and semicolon-B.csv");
  if (!book || !decimals) { return; }
  // CRLF, and carriage returns alone inside quotes, which are text; counted with Python's csv
  const auto records = read_records(*book, true);
  CHECK(records.size() == 20);
  CHECK(records[0].size() == 11);
  CHECK(records[1][1] == "jQuery 1.4 Reference Guide");
  // A byte order mark; decimals with a comma are words until the user says what they should be
  const Table table = read_all(*open_csv(*decimals, {}));
  CHECK(table.words.size() == 3);
  CHECK(table.words[0][0] == "1,5");
  const CsvOptions real{.kinds = {{"1", ColumnKind::real}}};
  try {
    (void)read_all(*open_csv(*decimals, real));
    FAIL("a decimal comma was read as a number");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("'1,5' is not a number; write decimals with a point") !=
          std::string::npos);
  }
}

TEST_CASE("commons-csv") {
  const auto folder = shared_data("csv_edge_cases/commons-csv");
  if (!folder) { return; }
  const auto path = [&](const std::string& name) { return *folder + "/" + name; };
  const auto bom = read_records(path("CSVFileParser/bom.csv"), true);
  CHECK(bom.size() == 252);
  CHECK(bom[0][0] == "Date");
  CHECK(read_records(path("CSV-196/japanese.csv"), true).size() == 4);
  CHECK(read_records(path("CSV-196/emoji.csv"), true).size() == 5);
  // lines that begin with # are no comments here: they are rows with too few fields
  CHECK(refusal(path("csv-167/sample1.csv"), true).find("fields, but the header has") !=
        std::string::npos);
  // a line cut off inside its quotes
  CHECK(refusal(path("CSV-141/csv-141.csv"), true).find("text follows a closing quote") !=
        std::string::npos);
}
