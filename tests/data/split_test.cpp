#include "logodds/data/split.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "logodds/error.hpp"

using namespace logodds;

namespace {

/// A file that goes when the test ends.
class Scratch {
 public:
  explicit Scratch(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("logodds-split-" + std::to_string(::getpid()) + ".csv")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Split {
  SplitReport report;
  std::vector<std::string> texts;
};

Split split(RecordSource& source, const std::vector<double>& shares, const Context& context = {}) {
  Split result;
  result.texts.assign(shares.size(), source.header());
  result.report = split_rows(
      source, shares, [&](std::size_t p, std::string_view rows) { result.texts[p] += rows; },
      context);
  return result;
}

Split split_table(const std::string& text, const std::vector<double>& shares,
                  const Context& context = {}) {
  const Scratch file(text);
  const auto source = open_table_records(file.path(), {.target = "y"}, "/tmp");
  return split(*source, shares, context);
}

std::string rows_of_two_classes(std::size_t rows) {
  std::string text = "x,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    text += std::to_string(r) + (r % 4 == 0 ? ",a\n" : ",b\n");
  }
  return text;
}

}  // namespace

TEST_CASE("parts have their shares up to a row, and together all rows") {
  const std::array shares = {0.6, 0.3, 0.1};
  for (std::size_t rows = 0; rows < 300; ++rows) {
    const auto sizes = part_sizes(rows, shares);
    std::size_t sum = 0;
    for (std::size_t p = 0; p < shares.size(); ++p) {
      CHECK(std::abs(static_cast<double>(sizes[p]) - shares[p] * static_cast<double>(rows)) < 1.0);
      sum += sizes[p];
    }
    CHECK(sum == rows);
  }
  const std::array hundredths = {0.29, 0.71};  // .29 * 100 is 28.999999999999996
  CHECK(part_sizes(100, hundredths) == std::vector<std::size_t>{29, 71});
  CHECK(part_sizes(1, shares) == std::vector<std::size_t>{1, 0, 0});
}

TEST_CASE("every row is in one part, in its order, and classes have their shares [threads]") {
  const auto result = split_table(rows_of_two_classes(5000), {0.6, 0.2, 0.2}, {.threads = 3});
  CHECK(result.report.labels == std::vector<std::string>{"a", "b"});
  CHECK(result.report.counts ==
        std::vector<std::vector<std::size_t>>{{750, 250, 250}, {2250, 750, 750}});
  std::set<int> seen;
  for (const std::string& text : result.texts) {
    CHECK(text.starts_with("x,y\n"));
    int last = -1;
    for (std::size_t at = 4; at < text.size(); at = text.find('\n', at) + 1) {
      const int row = std::stoi(text.substr(at));
      CHECK(row > last);
      CHECK(seen.insert(row).second);
      last = row;
    }
  }
  CHECK(seen.size() == 5000);
  const auto again = split_table(rows_of_two_classes(5000), {0.6, 0.2, 0.2}, {.threads = 1});
  CHECK(again.texts == result.texts);
  const auto other = split_table(rows_of_two_classes(5000), {0.6, 0.2, 0.2}, {.seed = 1});
  CHECK(other.texts != result.texts);
  CHECK(other.report.counts == result.report.counts);
}

TEST_CASE("every pair of rows is as likely to be drawn as any other") {
  // 5 rows of a class, 2 of them to the first part: 10 pairs.
  const std::string text = "x,y\n0,a\n1,a\n2,a\n3,a\n4,a\n";
  const Scratch file(text);
  std::map<std::string, int> pairs;
  constexpr int kSeeds = 4000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto source = open_table_records(file.path(), {.target = "y"}, "/tmp");
    ++pairs[split(*source, {0.4, 0.6}, {.seed = static_cast<std::uint64_t>(seed)}).texts[0]];
  }
  CHECK(pairs.size() == 10);
  double chi_square = 0.0;
  for (const auto& [rows, count] : pairs) {
    chi_square += (count - kSeeds / 10.0) * (count - kSeeds / 10.0) / (kSeeds / 10.0);
  }
  CHECK(chi_square < 27.88);  // 9 degrees of freedom, 0.1 %
}

TEST_CASE("rows are copied as they are") {
  const std::string text =
      "\xEF\xBB\xBFid;y;note\r\n1;\"a \"\"b\"\"\";\"two\r\nlines\"\r\n\r\n2;c;  x \r\n3; c ;last";
  const auto result = split_table(text, {1.0});
  CHECK(result.report.labels == std::vector<std::string>{"a \"b\"", "c"});
  CHECK(result.report.counts == std::vector<std::vector<std::size_t>>{{1}, {2}});
  CHECK(result.texts[0] ==
        "\xEF\xBB\xBFid;y;note\r\n1;\"a \"\"b\"\"\";\"two\r\nlines\"\r\n2;c;  x \r\n3; c ;last\n");
}

TEST_CASE("lines and svmlight rows have their labels in front") {
  const Scratch lines("ham\thello there\n\nspam\twin\nham\tyes");
  const auto documents = open_line_records(lines.path(), "/tmp");
  const auto parts = split(*documents, {1.0});
  CHECK(parts.report.labels == std::vector<std::string>{"ham", "spam"});
  CHECK(parts.texts[0] == "ham\thello there\nspam\twin\nham\tyes\n");
  const Scratch pairs("# a comment\n+1 1:2 3:1\n-1 2:1 # note\n1 7:1\n");
  const auto sparse = open_svmlight_records(pairs.path(), "/tmp");
  const auto rows = split(*sparse, {1.0});
  CHECK(rows.report.labels == std::vector<std::string>{"-1", "1"});
  CHECK(rows.report.counts == std::vector<std::vector<std::size_t>>{{1}, {2}});
  CHECK(rows.texts[0] == "+1 1:2 3:1\n-1 2:1 # note\n1 7:1\n");
}

TEST_CASE("what is wrong in a table is said with its line") {
  const auto message = [](const std::string& text) {
    try {
      static_cast<void>(split_table(text, {0.5, 0.5}));
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  CHECK(message("x,y\n1,a\n2\n").find("line 3: 1 field, but the header has 2") !=
        std::string::npos);
  CHECK(message("x,y\n1,a\n2,NA\n").find("line 3, column 'y': the row has no label") !=
        std::string::npos);
  CHECK(message("x,y\n").find("there is no row to split") != std::string::npos);
  CHECK(message("x,z\n1,2\n").find("'y'") != std::string::npos);
}
