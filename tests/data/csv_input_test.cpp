// The same table from a mapped file, gzip, Zstandard, a pipe and memory.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "logodds-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

 private:
  fs::path path_;
};

std::string gzip(const std::string& text) {
  std::string out(text.size() + 1000, '\0');
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Magic number 0x184D2A50 to 0x184D2A5F, length, and bytes that mean nothing to a reader.
std::string skippable_frame(char first) {
  using namespace std::string_literals;
  return first + "\x2A\x4D\x18\x05\0\0\0hello"s;
}

/// One raw block of `text` in a frame that asks for a window of 2^31 bytes.
std::string wide_window(const std::string& text) {
  using namespace std::string_literals;
  const auto block = static_cast<char>(text.size() << 3U | 1U);
  return "\x28\xB5\x2F\xFD\0\xA8"s + block + "\0\0"s + text;
}

std::string long_table(bool with_late_word = false) {
  std::mt19937 random(5);
  std::string text = "a,b,y\n";
  for (int i = 0; i < 50000; ++i) {
    text += std::to_string(random() % 1000) + ".25,\"q,\n" + std::to_string(i % 7) + "\",";
    text += i % 3 == 0 ? "p\n" : "q\n";
  }
  if (with_late_word) { text += "word,x,p\n"; }
  return text;
}

void check_same(const Table& table, const Table& reference) {
  CHECK(table.rows == reference.rows);
  CHECK(table.blocks == reference.blocks);
  CHECK(table.numbers == reference.numbers);
  CHECK(table.words == reference.words);
  CHECK(table.labels == reference.labels);
}

std::string error_opening(const std::string& path) {
  try {
    (void)read_all(*open_csv(path, {.target = "y"}));
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("every input path gives the same blocks") {
  const Folder folder;
  const std::string text = long_table();
  const CsvOptions options{.target = "y"};
  const Table reference = read_text(text, options);
  CHECK(reference.rows == 50000);
  const std::string half = text.substr(0, text.size() / 2);
  const std::string rest = text.substr(text.size() / 2);
  const std::vector<std::pair<std::string, std::string>> files{
      {"t.csv", text},
      {"t.csv.gz", gzip(text)},
      {"members.csv.gz", gzip(half) + gzip(rest) + std::string(100, '\0')},
      {"t.csv.zst", zstd(text)},
      {"frames.zst", zstd(half) + zstd(rest)},
      {"skippable.zst", skippable_frame(0x50) + zstd(half) + skippable_frame(0x5F) + zstd(rest)}};
  for (const auto& [name, bytes] : files) {
    CAPTURE(name);
    const auto source = open_csv(folder.write(name, bytes), options);
    check_same(read_all(*source), reference);
    CHECK(source->fraction_taken() == 1.0);
    REQUIRE(source->restart_with_coded({}));
    check_same(read_all(*source), reference);
  }
  check_same(read_all(*open_csv_bytes(gzip(text), "t", options)), reference);
}

TEST_CASE("a pipe can be read again while all of it is remembered") {
  const Folder folder;
  const std::string text = long_table(true);
  for (const bool packed : {false, true}) {
    const std::string bytes = packed ? gzip(text) : text;
    const std::string pipe = folder.file(packed ? "packed" : "plain");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    const auto source = open_csv(pipe, {.target = "y"});
    CHECK(source->fraction_taken() == -1.0);
    const Schema schema = discover_schema(*source);
    writer.join();
    CHECK(schema.columns[0].levels.size() == 1001);
    CHECK(schema.columns[0].levels.back() == "word");
  }
}

TEST_CASE("damaged and cut compressed files are refused") {
  const Folder folder;
  const std::string text = long_table();
  const auto ends = [](const std::string& sentence) {
    return sentence.find("data ends early") != std::string::npos;
  };
  const auto damaged = [](const std::string& sentence) {
    return sentence.find("data is damaged") != std::string::npos;
  };
  const std::string gz = gzip(text);
  const std::string zst = zstd(text);
  CHECK(ends(error_opening(folder.write("a.gz", gz.substr(0, gz.size() / 2)))));
  CHECK(ends(error_opening(folder.write("b.zst", zst.substr(0, zst.size() / 2)))));
  CHECK(ends(error_opening(folder.write("c.gz", gz.substr(0, 5)))));
  CHECK(ends(error_opening(folder.write("d.gz", gz.substr(0, gz.size() - 1)))));
  std::string bad = gz;
  bad[gz.size() - 6] = static_cast<char>(bad[gz.size() - 6] ^ 0x55);  // in the checksum
  CHECK(damaged(error_opening(folder.write("e.gz", bad))));
  CHECK(damaged(error_opening(folder.write("f.gz", gz + "garbage"))));
}

TEST_CASE("a Zstandard window that needs too much memory is called by its name") {
  const Folder folder;
  const std::string path = folder.write("w.zst", wide_window("a,y\n1,p\n"));
  CHECK(error_opening(path) ==
        path +
            ": the Zstandard window is too large (more than 128 MiB); unpack it with zstd -d "
            "--long=31 and give the text");
}
