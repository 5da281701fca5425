// Folders: one sub-folder a class, one file a document.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "document_table.hpp"
#include "logodds/data/documents.hpp"
#include "modelfile/temporary_folder.hpp"

using namespace logodds;
using namespace logodds::test;
using Texts = std::vector<std::string>;
using Labels = std::vector<std::optional<std::string>>;

namespace {

class Corpus {
 public:
  Corpus& add(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return *this;
  }
  [[nodiscard]] std::string path() const { return folder_.path().string(); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

std::string training_error(const std::string& path) {
  return sentence_of([&] {
    const auto source = open_folders(path);
    read_documents(*source);
  });
}

}  // namespace

TEST_CASE("classes and documents are in the order of their names' bytes") {
  Corpus corpus;
  corpus.add("b/2", "b2")
      .add("b/10", "b10\n")
      .add("B/x", "Bx")
      .add("a/.hidden", "no")
      .add("a/z", "");
  const auto source = open_folders(corpus.path());
  CHECK(source->target() == "label");
  CHECK(source->columns()[0].text);
  const DocumentTable table = read_documents(*source);
  CHECK(table.documents == Texts{"Bx", "", "b10\n", "b2"});
  CHECK(table.labels == Labels{"B", "a", "b", "b"});
  CHECK(source->place(2) == corpus / "b/10");
  CHECK(source->notes().empty());
  CHECK(source->fraction_taken() == 1.0);
  REQUIRE(source->restart_with_coded({}));
  CHECK(read_documents(*source).documents.size() == 4);
}

TEST_CASE("compressed files and byte order marks") {
  Corpus corpus;
  corpus.add("a/1", "\xEF\xBB\xBFmarked").add("a/2", "packed text").add("b/1", "x");
  REQUIRE(std::system(("gzip '" + (corpus / "a/2") + "'").c_str()) == 0);
  const auto source = open_folders(corpus.path());
  CHECK(read_documents(*source).documents == Texts{"marked", "packed text", "x"});
}

TEST_CASE("what is left out is said") {
  Corpus corpus;
  corpus.add("a/1", "x").add("b/1", "y").add("README", "z").add("b/deep/1", "w");
  std::filesystem::create_directories(corpus / "none");
  std::filesystem::create_directories(corpus / ".git");
  REQUIRE(::mkfifo((corpus / "a/pipe").c_str(), 0600) == 0);
  std::filesystem::create_symlink("/dev/null", corpus / "b/null");
  const auto source = open_folders(corpus.path());
  CHECK(read_documents(*source).documents == Texts{"x", "y"});
  const auto notes = source->notes();
  REQUIRE(notes.size() == 4);
  CHECK(holds(notes[0], "left out: README"));
  CHECK(holds(notes[1], "without a file are no classes: none"));
  CHECK(holds(notes[2], "left out: b/deep"));
  CHECK(holds(notes[3],
              "2 pipes, sockets and devices are no documents and are left out: a/pipe, "
              "b/null"));
}

TEST_CASE("pipes among files without folders are said too") {
  Corpus corpus;
  corpus.add("1.txt", "one");
  REQUIRE(::mkfifo((corpus / "pipe").c_str(), 0600) == 0);
  const Schema schema = document_schema({"a", "b"});
  const auto source = open_folders(corpus.path(), schema, LabelUse::unread);
  CHECK(read_documents(*source, &schema).documents == Texts{"one"});
  REQUIRE(source->notes().size() == 1);
  CHECK(holds(source->notes()[0], "1 pipe, socket or device is no document"));
}

TEST_CASE("a link in a circle is a file that cannot be opened") {
  Corpus corpus;
  corpus.add("a/1", "x");
  std::filesystem::create_symlink("loop", corpus / "a/loop");
  CHECK(holds(training_error(corpus.path()), "cannot open " + (corpus / "a/loop")));
}

TEST_CASE("folders that cannot be read for training") {
  Corpus corpus;
  CHECK(holds(training_error(corpus.path()), "the folder is empty; give one sub-folder a class"));
  corpus.add("1.txt", "x");
  CHECK(holds(training_error(corpus.path()), "there is no sub-folder"));
  CHECK(holds(training_error(corpus / "1.txt"), "is a file, not a folder"));
  CHECK(holds(training_error(corpus / "none"), "cannot read the folder"));
  CHECK(holds(training_error("-"), "not read from standard input"));
  std::filesystem::create_directories(corpus / "a");
  CHECK(holds(training_error(corpus.path()), "no sub-folder holds a file"));
  std::filesystem::create_symlink("nowhere", corpus / "a/broken");
  CHECK(holds(training_error(corpus.path()), "cannot open " + (corpus / "a/broken")));
}

TEST_CASE("a class whose name is no UTF-8 names the document") {
  Corpus corpus;
  corpus.add("a/1", "x").add("\xFF/1", "y");
  CHECK(holds(training_error(corpus.path()), "the label '\\xff'"));
}

TEST_CASE("against a schema") {
  Corpus corpus;
  corpus.add("a/1", "x").add("c/1", "y");
  const Schema schema = document_schema({"a", "b"});
  const auto unread = open_folders(corpus.path(), schema, LabelUse::unread);
  const DocumentTable table = read_documents(*unread, &schema);
  CHECK(table.documents == Texts{"x", "y"});
  CHECK(table.labels.empty());
  const auto lenient = open_folders(corpus.path(), schema, LabelUse::if_there);
  CHECK(read_documents(*lenient, &schema).labels == Labels{"a", std::nullopt});
  const std::string sentence = sentence_of([&] {
    const auto source = open_folders(corpus.path(), schema, LabelUse::required);
    read_documents(*source, &schema);
  });
  CHECK(holds(sentence, (corpus / "c/1") + ": the label 'c' is not one of the classes"));
}

TEST_CASE("a folder of files has no labels") {
  Corpus corpus;
  corpus.add("2.txt", "two").add("1.txt", "one");
  const Schema schema = document_schema({"a", "b"});
  const auto source = open_folders(corpus.path(), schema, LabelUse::unread);
  CHECK(read_documents(*source, &schema).documents == Texts{"one", "two"});
  CHECK(source->place(0) == corpus / "1.txt");
  CHECK(holds(sentence_of([&] { (void)open_folders(corpus.path(), schema, LabelUse::required); }),
              "there is no sub-folder"));
}

TEST_CASE("blocks end behind the file that reaches 512 KiB") {
  Corpus corpus;
  for (int i = 0; i < 5; ++i) { corpus.add("a/" + std::to_string(i), std::string(200'000, 'x')); }
  const auto source = open_folders(corpus.path());
  CHECK(read_documents(*source).block_rows == std::vector<std::size_t>{3, 2});
}

TEST_CASE("packed files count by what they unpack to, in their places among the others") {
  Corpus corpus;
  Texts wanted;
  for (const char c : {'0', '1', '2', '3', '4', '5'}) {
    wanted.push_back(std::string(200'000, c));
    corpus.add(std::string("a/") + c, wanted.back());
    if (c == '4' || c % 2 == 1) {
      REQUIRE(std::system(("gzip '" + (corpus / "a/") + c + "'").c_str()) == 0);
    }
  }
  corpus.add("a/6", "");
  wanted.emplace_back();
  const auto source = open_folders(corpus.path());
  const DocumentTable table = read_documents(*source);
  CHECK(table.block_rows == std::vector<std::size_t>{3, 3, 1});
  CHECK(table.documents == wanted);
}

TEST_CASE("a packed document beyond 256 MiB is named") {
  Corpus corpus;
  corpus.add("a/1", "x");
  const std::string path = corpus / "a/2.gz";
  REQUIRE(std::system(("head -c 270000000 /dev/zero | gzip -1 > '" + path + "'").c_str()) == 0);
  CHECK(holds(training_error(corpus.path()), path + ": the document is longer than 256 MiB"));
}
