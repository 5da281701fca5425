// The text of one block of rows into numbers, codes, documents, labels and weights.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/csv_field.hpp"
#include "data/csv_plan.hpp"
#include "logodds/data/row_block.hpp"

namespace logodds::csv {

class BlockParser {
 public:
  /// Probing only looks which columns hold text: an infinite number is no error yet, because its
  /// column may turn out to be one of words, and neither is a row without a label, which may be
  /// wanted.
  enum class Mode : std::uint8_t { full, probing };

  BlockParser(const Plan& plan, RowBuffer& buffer, Mode mode);
  /// Parses all of buffer.text. Throws Error(input) naming the first offence.
  void run();

 private:
  void prepare();
  void finish();
  const char* parse_indexed();
  void parse_indexed_fields(const std::uint32_t* separators);
  bool begin_row();
  const char* parse_row();
  const char* parse_fields(const char* at);
  const char* skip_row(const char* at);
  const char* any_number(const char* at, const FieldPlan& field, bool last);
  const char* any_field(const char* at, std::size_t index);
  void use_field(std::string_view text, std::size_t index);
  bool use_known_word(const char* at, const char* stop, const FieldPlan& field);
  [[nodiscard]] bool holds_escape(const char* at, const char* stop) const;
  void use_plain_word(const char* at, const char* stop, std::size_t index);
  [[nodiscard]] Field checked_field(const char* at, std::size_t index) const;
  /// What the field says; valid until the next call.
  std::string_view plain_text(const Field& field);

  void use_number(std::string_view token, std::size_t index);
  void use_no_number(std::string_view token, std::size_t index);
  void use_level(std::string_view token, std::size_t index);
  void use_label(std::string_view token, std::size_t index);
  void use_document(Field field, std::size_t index);
  double read_weight(const char* at);
  void store(const FieldPlan& field, double value) {
    numbers_[field.slot] = value;
    buffer_.facts[field.column].add(value);
  }
  void store_checked(const FieldPlan& field, double value, std::string_view token,
                     std::size_t index);
  /// The code of a value that may be new; new values must be valid text.
  std::int32_t discover(Dictionary& dictionary, std::string_view value, std::size_t index);

  [[nodiscard]] std::size_t line_of(const char* at) const;
  [[nodiscard]] std::string place_of(std::size_t index) const;
  [[noreturn]] void fail_value(std::string_view value, std::size_t index,
                               const std::string& sentence) const;
  [[noreturn]] void fail_not_number(std::string_view token, std::size_t index) const;
  [[noreturn]] void fail_ragged();

  const Plan& plan_;
  RowBuffer& buffer_;
  Mode mode_;
  const char* begin_;
  const char* end_;
  const char* row_begin_;      ///< of the row being parsed
  std::size_t seen_ = 0;       ///< rows of the text so far
  std::size_t kept_ = 0;       ///< of these, rows whose weight is not 0
  double* numbers_ = nullptr;  ///< of the row being parsed
  std::string scratch_;
  /// Levels of up to 8 bytes that this block has had: most are met again, and known by one word.
  struct KnownWord {
    std::uint64_t word = 0;
    std::size_t length = 0;  ///< 0: nothing is here
    std::int32_t code = 0;
  };
  static constexpr std::size_t kKnownWords = 64;  ///< of each coded column
  std::vector<KnownWord> known_words_;
};

}  // namespace logodds::csv
