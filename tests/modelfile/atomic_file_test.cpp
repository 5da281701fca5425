#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "logodds/error.hpp"
#include "logodds/modelfile/atomic_file.hpp"
#include "modelfile/read_file.hpp"
#include "modelfile/temporary_folder.hpp"

namespace fs = std::filesystem;
using logodds::Error;
using logodds::ErrorCode;
using logodds::modelfile::AtomicFile;
using logodds::modelfile::write_file_atomically;
using logodds::test::TemporaryFolder;

namespace {

std::string read_file(const std::string& path) {
  const auto bytes = logodds::modelfile::read_file(path);
  return {bytes.data(), bytes.size()};
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

unsigned mode_of(const fs::path& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

std::string io_error(const std::string& path) {
  try {
    write_file_atomically(path, "new");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::io);
    return error.what();
  }
  return "written";
}

}  // namespace

TEST_CASE("atomic file: new, replaced, large, empty; nothing else is left in the folder") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.model";
  const std::string large(3'000'000, 'x');
  for (const std::string& bytes : {std::string("one"), large, std::string()}) {
    write_file_atomically(path, bytes);
    CHECK(content(path) == bytes);
  }
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("atomic file: in pieces, under its name only when it is finished") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.model";
  std::string announced;
  AtomicFile file(path, [&](const std::string& temporary) {
    announced = temporary;
    CHECK_FALSE(fs::exists(temporary));
  });
  CHECK(file.temporary_path() == announced);
  CHECK(fs::path(announced).parent_path() == folder.path());
  file.write("one ");
  file.write("two");
  CHECK(content(announced) == "one two");
  CHECK_FALSE(fs::exists(path));
  file.finish();
  CHECK(file.temporary_path().empty());
  CHECK(content(path) == "one two");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("atomic file: without finish nothing is left, and the old file stays") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  { AtomicFile(folder / "a").write("new"); }
  CHECK(content(folder / "a") == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("atomic file: the longest name that the system takes") {
  const TemporaryFolder folder;
  const std::string path = folder / std::string(255, 'n');
  write_file_atomically(path, "one");
  CHECK(content(path) == "one");
}

TEST_CASE("atomic file: a new file obeys the umask, an old one keeps its mode") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.model";
  const mode_t before = ::umask(027);
  write_file_atomically(path, "one");
  ::umask(before);
  CHECK(mode_of(path) == 0640);
  fs::permissions(path, fs::perms(0604));
  write_file_atomically(path, "two");
  CHECK(mode_of(path) == 0604);
  CHECK(content(path) == "two");
}

TEST_CASE("atomic file: symbolic links stay links, dangling ones too") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "real");
  fs::create_symlink("real/a.model", folder / "link");
  fs::create_symlink("link", folder / "link2");
  write_file_atomically(folder / "link2", "one");
  CHECK(content(folder / "real/a.model") == "one");
  write_file_atomically(folder / "link", "two");
  CHECK(content(folder / "real/a.model") == "two");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::is_symlink(folder / "link2"));
  fs::create_symlink("loop", folder / "loop");
  CHECK(io_error(folder / "loop") != "written");
}

TEST_CASE("atomic file: what fails leaves the old content and no other file") {
  const TemporaryFolder folder;
  CHECK(io_error(folder / "none/a.model").find("No such file or directory; check the path") !=
        std::string::npos);
  CHECK(io_error(folder.path().string()).find("Is a directory") != std::string::npos);
  CHECK(io_error("") != "written");
  write_file_atomically(folder / "a.model", "old");
  CHECK(io_error(folder / "a.model/b").find("Not a directory") != std::string::npos);
  CHECK(io_error(folder / std::string(300, 'n')).find("File name too long") != std::string::npos);
  CHECK(content(folder / "a.model") == "old");
  CHECK(entries(folder.path()) == 1);
  if (fs::exists("/dev/full")) {
    CHECK(io_error("/dev/full").find("'/dev/full': No space left on device") != std::string::npos);
  }
}

TEST_CASE("atomic file: a file that is write-protected is not replaced") {
  if (::geteuid() == 0) { return; }  // root may write everything
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.model", "old");
  fs::permissions(folder / "a.model", fs::perms(0444));
  CHECK(io_error(folder / "a.model").find("Permission denied") != std::string::npos);
  CHECK(content(folder / "a.model") == "old");
}

TEST_CASE("atomic file: devices and pipes are written to as they stand") {
  const TemporaryFolder folder;
  write_file_atomically("/dev/null", "gone");
  CHECK(fs::is_character_file("/dev/null"));
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string received;
  std::thread reader([&] { received = read_file(pipe); });
  const std::string bytes = "12345678{" + std::string(200'000, 'x');
  write_file_atomically(pipe, bytes);
  reader.join();
  CHECK(received == bytes);
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("atomic file: a descriptor that is open is shared, so that what follows comes after") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(descriptor >= 0);
  write_file_atomically("/dev/fd/" + std::to_string(descriptor), "first,");
  CHECK(::write(descriptor, "second", 6) == 6);
  ::close(descriptor);
  CHECK(content(path) == "first,second");
}

TEST_CASE("read file: whole models, the first part of anything else") {
  const TemporaryFolder folder;
  const std::string model = "12345678{" + std::string(5'000'000, 'x');
  write_file_atomically(folder / "a", model);
  CHECK(read_file(folder / "a") == model);
  const std::string large = "12345678{" + std::string(9'000'000, 'x') + std::string(4'000'000, 'y');
  write_file_atomically(folder / "large", large);
  CHECK(read_file(folder / "large") == large);
  write_file_atomically(folder / "b", std::string(5'000'000, 'x'));
  CHECK(read_file(folder / "b").size() < 2'000'000);
  write_file_atomically(folder / "c", "");
  CHECK(read_file(folder / "c").empty());
  CHECK_THROWS_AS(static_cast<void>(read_file(folder / "none")), Error);
  CHECK_THROWS_AS(static_cast<void>(read_file(folder.path().string())), Error);
}
