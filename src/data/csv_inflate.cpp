// Gzip and Zstandard data as streams of text.
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "data/csv_input.hpp"
#include "logodds/error.hpp"

namespace logodds::csv {
namespace {

using namespace std::string_view_literals;
constexpr auto kGzipMagic = "\x1f\x8b"sv;
constexpr auto kZstdMagic = "\x28\xb5\x2f\xfd"sv;
constexpr std::size_t kChunk = std::size_t{256} << 10U;

[[noreturn]] void fail_damaged(const std::string& name, const std::string& format) {
  throw Error(ErrorCode::input, name + ": the " + format +
                                    " data is damaged; get the file again, or unpack it yourself");
}

[[noreturn]] void fail_truncated(const std::string& name, const std::string& format) {
  throw Error(ErrorCode::input,
              name + ": the " + format + " data ends early; the file is cut off, get it again");
}

[[noreturn]] void fail_zstd(const std::string& name, std::size_t status) {
  if (ZSTD_getErrorCode(status) != ZSTD_error_frameParameter_windowTooLarge) {
    fail_damaged(name, "Zstandard");
  }
  throw Error(ErrorCode::input, name +
                                    ": the Zstandard window is too large (more than 128 MiB); "
                                    "unpack it with zstd -d --long=31 and give the text");
}

/// Zstandard data begins with a frame, or with a skippable one: 0x184D2A50 to 0x184D2A5F.
bool looks_zstd(std::string_view bytes) {
  const bool skippable = bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) >> 4U) == 5 &&
                         bytes.substr(1, 3) == "\x2A\x4D\x18"sv;
  return skippable || bytes.starts_with(kZstdMagic);
}

/// Compressed bytes, a chunk at a time.
class Chunks {
 public:
  explicit Chunks(std::unique_ptr<ByteStream> raw) : raw_(std::move(raw)), bytes_(kChunk) {}

  /// The bytes not yet consumed, read anew when there are none; empty at the end.
  std::string_view peek() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = raw_->read(bytes_.data(), bytes_.size());
    }
    return {bytes_.data() + begin_, end_ - begin_};
  }
  void consume(std::size_t bytes) { begin_ += bytes; }
  bool rewind() {
    begin_ = end_ = 0;
    return raw_->rewind();
  }
  [[nodiscard]] double fraction() const { return raw_->fraction(); }

 private:
  std::unique_ptr<ByteStream> raw_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// One or more gzip members, one after the other; zero bytes behind the last are padding.
class GzipStream : public ByteStream {
 public:
  GzipStream(std::unique_ptr<ByteStream> raw, std::string name)
      : chunks_(std::move(raw)), name_(std::move(name)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&state_, MAX_WBITS + kGzipOnly) != Z_OK) { fail_damaged(name_, "gzip"); }
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { inflateEnd(&state_); }

  std::size_t read(char* to, std::size_t capacity) override {
    capacity = std::min<std::size_t>(capacity, std::numeric_limits<uInt>::max());
    std::size_t done = 0;
    while (done == 0) {
      if (between_members_ && !next_member()) { return 0; }
      done = inflate_some(to, capacity);
    }
    return done;
  }
  bool rewind() override {
    inflateReset(&state_);
    between_members_ = false;
    return chunks_.rewind();
  }
  [[nodiscard]] double fraction() const override { return chunks_.fraction(); }

 private:
  bool next_member() {
    for (auto bytes = chunks_.peek(); !bytes.empty(); bytes = chunks_.peek()) {
      if (bytes.front() != '\0') {
        inflateReset(&state_);
        between_members_ = false;
        return true;
      }
      chunks_.consume(std::min(bytes.find_first_not_of('\0'), bytes.size()));
    }
    return false;
  }

  std::size_t inflate_some(char* to, std::size_t capacity) {
    const auto bytes = chunks_.peek();  // when empty, output may still be pending in `state_`
    // zlib's interface is not const-correct; it does not write to its input.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state_.avail_in = static_cast<uInt>(bytes.size());
    state_.next_out = reinterpret_cast<Bytef*>(to);
    state_.avail_out = static_cast<uInt>(capacity);
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail_damaged(name_, "gzip");
    }
    between_members_ = status == Z_STREAM_END;
    chunks_.consume(bytes.size() - state_.avail_in);
    const std::size_t done = capacity - state_.avail_out;
    if (bytes.empty() && done == 0 && !between_members_) { fail_truncated(name_, "gzip"); }
    return done;
  }

  Chunks chunks_;
  std::string name_;
  z_stream state_{};
  bool between_members_ = false;
};

/// One or more Zstandard frames. Windows above 128 MiB are refused by the library's default.
class ZstdStream : public ByteStream {
 public:
  ZstdStream(std::unique_ptr<ByteStream> raw, std::string name)
      : chunks_(std::move(raw)), name_(std::move(name)), state_(ZSTD_createDStream()) {}

  std::size_t read(char* to, std::size_t capacity) override {
    ZSTD_outBuffer out{to, capacity, 0};
    while (out.pos == 0) {
      const auto bytes = chunks_.peek();
      if (bytes.empty() && !inside_frame_) { return 0; }
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      const std::size_t status = ZSTD_decompressStream(state_.get(), &out, &in);
      if (ZSTD_isError(status) != 0) { fail_zstd(name_, status); }
      inside_frame_ = status != 0;
      chunks_.consume(in.pos);
      if (bytes.empty() && out.pos == 0) { fail_truncated(name_, "Zstandard"); }
    }
    return out.pos;
  }
  bool rewind() override {
    ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
    inside_frame_ = false;
    return chunks_.rewind();
  }
  [[nodiscard]] double fraction() const override { return chunks_.fraction(); }

 private:
  struct Free {
    void operator()(ZSTD_DStream* state) const { ZSTD_freeDStream(state); }
  };
  Chunks chunks_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, Free> state_;
  bool inside_frame_ = false;
};

}  // namespace

bool looks_compressed(std::string_view first_bytes) {
  return first_bytes.starts_with(kGzipMagic) || looks_zstd(first_bytes);
}

std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> raw,
                                         std::string_view first_bytes, const std::string& name) {
  if (first_bytes.starts_with(kGzipMagic)) {
    return std::make_unique<GzipStream>(std::move(raw), name);
  }
  if (looks_zstd(first_bytes)) { return std::make_unique<ZstdStream>(std::move(raw), name); }
  return raw;
}

}  // namespace logodds::csv
