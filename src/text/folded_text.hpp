// A document in lower case, a piece at a time, with a bit for every byte of a word or item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "kernels/kernels.hpp"

namespace logodds::text {

/// Words are runs of word characters (`\w`), items are what stands between white space. Pieces end
/// at any character, so the memory does not depend on the document; but if `whole_runs`, a word or
/// item that a piece breaks off is moved in front of the next one.
class FoldedText {
 public:
  FoldedText(bool lower, kernels::Marks kind, bool whole_runs);

  /// `document` must stay there until the last piece was read.
  void start(std::string_view document);
  /// False when there is nothing more.
  bool next_piece();

  /// The piece: valid UTF-8, readable to kPadding bytes behind its end.
  [[nodiscard]] const char* bytes() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Bit i: byte i belongs to a word or item. Those too long are left out.
  [[nodiscard]] const std::uint64_t* marks() const { return marks_.get(); }
  /// Words or items that begin before this place are whole, and none goes across it.
  [[nodiscard]] std::size_t whole() const { return whole_; }

  [[nodiscard]] std::size_t bad_characters() const { return bad_characters_; }
  [[nodiscard]] std::size_t runs_too_long() const { return runs_too_long_; }

 private:
  void keep_last_run();
  void fold(std::size_t end);
  void fold_foreign(std::size_t end);
  void drop_long_run();
  [[nodiscard]] std::size_t begin_of_last_run() const;

  bool lower_;
  bool whole_runs_;
  kernels::Marks kind_;
  bool dropping_ = false;  ///< within a run that is too long
  std::string_view document_;
  std::size_t at_ = 0;  ///< in the document
  std::size_t size_ = 0;
  std::size_t whole_ = 0;
  std::size_t bad_characters_ = 0;
  std::size_t runs_too_long_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::unique_ptr<std::uint64_t[]> marks_;
};

}  // namespace logodds::text
