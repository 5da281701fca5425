#include "data/csv_input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "logodds/error.hpp"

namespace logodds::csv {
namespace {

constexpr std::size_t kMagicBytes = 4;

[[noreturn]] void fail_io(const std::string& what, const std::string& cure) {
  const std::string reason = std::generic_category().message(errno);
  throw Error(ErrorCode::io, what + ": " + reason + "; " + cure);
}

class Descriptor {
 public:
  explicit Descriptor(int number, bool owned = true) : number_(number), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept
      : number_(other.number_), owned_(std::exchange(other.owned_, false)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (owned_) { ::close(number_); }
  }
  [[nodiscard]] int number() const { return number_; }

  std::size_t read(char* to, std::size_t capacity, const std::string& name) const {
    for (;;) {
      const auto got = ::read(number_, to, capacity);
      if (got >= 0) { return static_cast<std::size_t>(got); }
      if (errno != EINTR) { fail_io("cannot read " + name, "check the file and the disk"); }
    }
  }

 private:
  int number_;
  bool owned_;
};

/// A regular file that is not mapped, because it is compressed.
class FileStream : public ByteStream {
 public:
  FileStream(Descriptor file, std::size_t size, std::string name)
      : file_(std::move(file)), size_(size), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t capacity) override {
    const std::size_t got = file_.read(to, capacity, name_);
    done_ += got;
    return got;
  }
  bool rewind() override {
    done_ = 0;
    return ::lseek(file_.number(), 0, SEEK_SET) == 0;
  }
  [[nodiscard]] double fraction() const override {
    return size_ == 0 ? -1.0
                      : std::min(1.0, static_cast<double>(done_) / static_cast<double>(size_));
  }

 private:
  Descriptor file_;
  std::size_t size_;
  std::string name_;
  std::size_t done_ = 0;
};

/// A pipe or terminal: what was read first is kept while it fits in kPipeMemory.
class PipeStream : public ByteStream {
 public:
  PipeStream(Descriptor pipe, std::string name) : pipe_(std::move(pipe)), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t capacity) override {
    if (replayed_ < kept_.size()) {
      const std::size_t again = std::min(capacity, kept_.size() - replayed_);
      std::memcpy(to, kept_.data() + replayed_, again);
      replayed_ += again;
      return again;
    }
    const std::size_t got = pipe_.read(to, capacity, name_);
    if (keeping_ && kept_.size() + got <= kPipeMemory) {
      kept_.append(to, got);
      replayed_ = kept_.size();
    } else if (got > 0) {
      forget();
    }
    return got;
  }
  bool rewind() override {
    replayed_ = 0;
    return keeping_;
  }

 private:
  void forget() {
    keeping_ = false;
    kept_ = std::string();
    replayed_ = 0;
  }

  Descriptor pipe_;
  std::string name_;
  std::string kept_;
  std::size_t replayed_ = 0;
  bool keeping_ = true;
};

class MemoryStream : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* to, std::size_t capacity) override {
    const std::size_t got = std::min(capacity, bytes_.size() - done_);
    if (got > 0) { std::memcpy(to, bytes_.data() + done_, got); }
    done_ += got;
    return got;
  }
  bool rewind() override {
    done_ = 0;
    return true;
  }

 private:
  std::string_view bytes_;
  std::size_t done_ = 0;
};

/// As far as these bytes tell: the first two of gzip, of Zstandard, and of its skippable frames.
bool may_be_compressed(std::string_view bytes) {
  if (bytes.empty()) { return true; }
  const auto first = static_cast<unsigned char>(bytes[0]);
  const bool skippable = (first & 0xF0U) == 0x50U;
  if (bytes.size() == 1) { return first == 0x1F || first == 0x28 || skippable; }
  const auto second = static_cast<unsigned char>(bytes[1]);
  return (first == 0x1F && second == 0x8B) || (first == 0x28 && second == 0xB5) ||
         (skippable && second == 0x2A);
}

/// Waits for no more bytes than it takes: someone may be typing.
std::string first_bytes(ByteStream& stream) {
  std::string bytes(kMagicBytes, '\0');
  std::size_t got = 0;
  while (got < kMagicBytes && may_be_compressed({bytes.data(), got})) {
    const std::size_t more = stream.read(bytes.data() + got, kMagicBytes - got);
    if (more == 0) { break; }
    got += more;
  }
  stream.rewind();
  bytes.resize(got);
  return bytes;
}

Input stream_input(std::unique_ptr<ByteStream> raw, const std::string& name) {
  Input input;
  input.name = name;
  const std::string magic = first_bytes(*raw);
  input.stream = decompressed(std::move(raw), magic, name);
  return input;
}

Input mapped_input(const Descriptor& file, std::size_t size, const std::string& name) {
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) { fail_io("cannot map " + name, "give it on standard input instead"); }
  ::madvise(data, size, MADV_SEQUENTIAL);
  Input input;
  input.name = name;
  input.file = std::make_unique<MappedFile>(static_cast<const char*>(data), size);
  input.bytes = input.file->bytes();
  return input;
}

bool compressed_file(const Descriptor& file) {
  std::array<char, kMagicBytes> magic{};
  const auto got = ::pread(file.number(), magic.data(), magic.size(), 0);
  return looks_compressed({magic.data(), got > 0 ? static_cast<std::size_t>(got) : 0});
}

Descriptor open_file(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) { fail_io("cannot open " + path, "check the path and the permissions"); }
  return Descriptor(number);
}

struct stat status_of(const Descriptor& file, const std::string& path) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) { fail_io("cannot open " + path, "check the path"); }
  return status;
}

}  // namespace

MappedFile::~MappedFile() { ::munmap(const_cast<char*>(data_), size_); }

void MappedFile::release_before(std::size_t offset) {
  constexpr std::size_t kPiece = std::size_t{16} << 20U;  // a multiple of every page size
  if (offset < released_) { released_ = 0; }
  while (released_ + kPiece <= offset) {
    ::madvise(const_cast<char*>(data_) + released_, kPiece, MADV_DONTNEED);
    released_ += kPiece;
  }
}

Input open_input(const std::string& path) {
  if (path == "-") {
    return stream_input(
        std::make_unique<PipeStream>(Descriptor(STDIN_FILENO, false), "standard input"),
        "standard input");
  }
  Descriptor file = open_file(path);
  const struct stat status = status_of(file, path);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::io, path + " is a folder; give the name of a CSV file in it");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size == 0) {  // files in /proc say 0 and hold something
    return stream_input(std::make_unique<PipeStream>(std::move(file), path), path);
  }
  if (!compressed_file(file)) { return mapped_input(file, size, path); }
  return stream_input(std::make_unique<FileStream>(std::move(file), size, path), path);
}

std::optional<std::size_t> plain_size(const std::string& path) {
  const Descriptor file = open_file(path);
  const struct stat status = status_of(file, path);
  if (!S_ISREG(status.st_mode) || status.st_size == 0 || compressed_file(file)) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(status.st_size);
}

Input open_bytes(std::string_view bytes, const std::string& name) {
  if (looks_compressed(bytes.substr(0, kMagicBytes))) {
    return stream_input(std::make_unique<MemoryStream>(bytes), name);
  }
  Input input;
  input.name = name;
  input.bytes = bytes;
  return input;
}

}  // namespace logodds::csv
