// Folders of documents as a source of row blocks. A plain file is read when its block is parsed; a
// packed one when it is taken, because only then its length is known, and blocks end by length.
#include <atomic>
#include <limits>
#include <stdexcept>
#include <utility>

#include "data/csv_input.hpp"
#include "data/document_columns.hpp"
#include "data/folder_list.hpp"
#include "data/plain_labels.hpp"
#include "logodds/data/documents.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// A document is held as a whole.
constexpr std::size_t kMostDocumentBytes = std::size_t{256} << 20U;

void check_length(std::size_t bytes, const std::string& path) {
  if (bytes <= kMostDocumentBytes) { return; }
  throw Error(ErrorCode::input, path +
                                    ": the document is longer than 256 MiB; split it, or give the "
                                    "documents as --format lines");
}

/// Appends the bytes of a file, decompressed, to `text`.
void read_document(const std::string& path, std::string& text) {
  constexpr std::size_t kChunk = std::size_t{64} << 10U;
  const csv::Input input = csv::open_input(path);
  const std::size_t begin = text.size();
  if (!input.stream) {
    check_length(input.bytes.size(), path);
    text += input.bytes;
  }
  for (std::size_t got = input.stream ? 1 : 0; got > 0;) {
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    got = input.stream->read(text.data() + before, kChunk);
    text.resize(before + got);
    check_length(text.size() - begin, path);
  }
  if (std::string_view(text).substr(begin).starts_with(kByteOrderMark)) {
    text.erase(begin, kByteOrderMark.size());
  }
}

class FoldersSource final : public BlockSource {
 public:
  FoldersSource(const std::string& path, PlainLabels labels, const std::string& column,
                std::string target)
      : path_(path),
        list_(path, !labels.needed()),
        labels_(std::move(labels)),
        target_(std::move(target)),
        columns_(text_column(column)) {}

  [[nodiscard]] std::string name() const override { return path_; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return target_; }
  [[nodiscard]] bool weighted() const override { return false; }
  [[nodiscard]] std::string place(std::size_t row) const override { return list_.path(row); }
  [[nodiscard]] std::vector<std::string> notes() const override { return list_.notes(); }
  [[nodiscard]] double fraction_taken() const override {
    return static_cast<double>(next_row_) / static_cast<double>(list_.size());
  }
  bool restart_with_coded(std::span<const std::size_t> columns) override {
    if (!columns.empty()) { return false; }
    next_row_ = next_ordinal_ = 0;
    return true;
  }

  bool take(RowBuffer& buffer) override {
    if (next_row_ == list_.size()) { return false; }
    buffer.ordinal = next_ordinal_++;
    buffer.first_row = next_row_;
    buffer.rows = 0;
    buffer.separators.clear();
    empty(buffer.text_storage);
    for (std::size_t bytes = 0;
         bytes < kBlockTextBytes && buffer.rows < kBlockRows && next_row_ < list_.size();
         ++buffer.rows, ++next_row_) {
      bytes += claim(buffer, list_.path(next_row_));
    }
    return true;
  }

  void parse(RowBuffer& buffer) const override {
    begin_documents(buffer);
    read_text(buffer);
    labels_.begin(buffer);
    for (std::size_t r = 0; r < buffer.rows; ++r) { add_label(buffer, buffer.first_row + r); }
  }

 private:
  /// In `separators`, which hold the lengths of the documents in `text_storage`: not read yet.
  static constexpr std::uint32_t kUnread = std::numeric_limits<std::uint32_t>::max();

  static void empty(std::string& text) {
    constexpr std::size_t kMostKept = std::size_t{16} << 20U;
    if (text.capacity() > kMostKept) { text = std::string(); }
    text.clear();
  }

  /// The length of the document.
  static std::size_t claim(RowBuffer& buffer, const std::string& path) {
    if (const auto size = csv::plain_size(path)) {
      buffer.separators.push_back(kUnread);
      return *size;
    }
    const std::size_t begin = buffer.text_storage.size();
    read_document(path, buffer.text_storage);
    const std::size_t length = buffer.text_storage.size() - begin;
    buffer.separators.push_back(static_cast<std::uint32_t>(length));
    return length;
  }

  /// What was read when the block was taken is in `text_storage`, the rest goes to `text_copies`.
  void read_text(RowBuffer& buffer) const {
    empty(buffer.text_copies);
    std::vector<std::size_t> lengths(buffer.separators.begin(), buffer.separators.end());
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      if (buffer.separators[r] != kUnread) { continue; }
      const std::size_t begin = buffer.text_copies.size();
      read_document(list_.path(buffer.first_row + r), buffer.text_copies);
      lengths[r] = buffer.text_copies.size() - begin;
    }
    buffer.text = buffer.text_storage;
    std::string_view taken = buffer.text_storage;
    std::string_view read = buffer.text_copies;
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      std::string_view& left = buffer.separators[r] == kUnread ? read : taken;
      buffer.texts.front().push_back(left.substr(0, lengths[r]));
      left.remove_prefix(lengths[r]);
    }
  }

  void add_label(RowBuffer& buffer, std::size_t document) const {
    try {
      labels_.add(buffer, list_.folders().empty() ? std::string_view()
                                                  : list_.folders()[list_.folder(document)]);
    } catch (const std::invalid_argument& problem) {
      throw Error(ErrorCode::input, list_.path(document) + ": " + problem.what());
    }
  }

  std::string path_;
  FolderList list_;
  PlainLabels labels_;
  std::string target_;
  std::vector<SourceColumn> columns_;
  std::atomic<std::size_t> next_row_ = 0;
  std::size_t next_ordinal_ = 0;
};

}  // namespace

std::unique_ptr<BlockSource> open_folders(const std::string& path) {
  return std::make_unique<FoldersSource>(path, PlainLabels(), std::string(kTextColumn),
                                         std::string(kLabelColumn));
}

std::unique_ptr<BlockSource> open_folders(const std::string& path, const Schema& schema,
                                          LabelUse labels) {
  check_document_schema(schema, "a file in a folder is one document");
  return std::make_unique<FoldersSource>(path, PlainLabels(schema, labels),
                                         schema.columns.front().name,
                                         labels == LabelUse::unread ? "" : schema.target);
}

std::unique_ptr<BlockSource> open_folders_extending(const std::string& path, const Schema& schema) {
  check_document_schema(schema, "a file in a folder is one document");
  return std::make_unique<FoldersSource>(path, PlainLabels(), schema.columns.front().name,
                                         schema.target);
}

}  // namespace logodds
