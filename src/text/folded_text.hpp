// A document in lower case, a piece at a time, with a bit for every byte of a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace logodds::text {

/// Pieces end at any character, so the memory does not depend on the document. With `whole_words` a
/// word that a piece breaks off is moved in front of the next one.
class FoldedText {
 public:
  FoldedText(bool lower, bool whole_words);

  /// `document` must stay there until the last piece was read.
  void start(std::string_view document);
  /// False when there is nothing more.
  bool next_piece();

  /// The piece: valid UTF-8, readable to kPadding bytes behind its end.
  [[nodiscard]] const char* bytes() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Bit i: byte i is of a word character (`\w`). Words too long are left out.
  [[nodiscard]] const std::uint64_t* words() const { return words_.get(); }
  /// Words that begin before this place are whole, and none goes across it.
  [[nodiscard]] std::size_t whole() const { return whole_; }

  [[nodiscard]] std::size_t bad_characters() const { return bad_characters_; }
  [[nodiscard]] std::size_t words_too_long() const { return words_too_long_; }

 private:
  void keep_last_word();
  void fold(std::size_t end);
  void fold_foreign(std::size_t end);
  void drop_long_word();
  [[nodiscard]] std::size_t begin_of_last_word() const;

  bool lower_;
  bool whole_words_;
  bool dropping_ = false;  ///< within a word that is too long
  std::string_view document_;
  std::size_t at_ = 0;  ///< in the document
  std::size_t size_ = 0;
  std::size_t whole_ = 0;
  std::size_t bad_characters_ = 0;
  std::size_t words_too_long_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::unique_ptr<std::uint64_t[]> words_;
};

}  // namespace logodds::text
