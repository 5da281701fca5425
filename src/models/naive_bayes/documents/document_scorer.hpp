// Documents to scores, and to what each of their words says.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/models/evidence.hpp"
#include "memory/large_array.hpp"
#include "models/naive_bayes/documents/word_laws.hpp"
#include "parallel/shared_work.hpp"
#include "text/term_reader.hpp"
#include "text/term_table.hpp"

namespace logodds::models::naive_bayes {

/// Once finished immutable, shared by all threads; what they change is in a Scratch each.
class DocumentScorer {
 public:
  /// What `input` refers to must outlive it.
  explicit DocumentScorer(const WordInput& input);
  /// To be called before anything else: does, together with other threads that call it, what is
  /// left of the work.
  void finish() {
    if (!finished_.load(std::memory_order_acquire)) { work_.finish(); }
  }

  struct Found {
    std::size_t term = 0;
    double amount = 0.0;
  };
  /// What scoring a document needs; one a block.
  struct Scratch {
    Scratch(const text::TermRules& rules, std::size_t classes)
        : reader(rules), scores((classes + 7) / 8 * 8), impossible(classes) {}
    text::TermReader reader;
    std::vector<double> scores;      ///< of the present document, by class; padded to 8
    std::vector<double> impossible;  ///< terms that exclude the class
    std::vector<Found> found;
    /// Rows of dense_, and terms that have none, each with factors where they are not 1.
    std::vector<std::uint32_t> rows;
    std::vector<double> factors;
    std::vector<std::uint32_t> sparse;
    std::vector<double> sparse_factors;
    text::TermTable others;  ///< terms of the document outside of the vocabulary, for its norm
    text::PaddedTerm bigram;
    std::string previous;
    TextTally tally;
    std::size_t known = 0;  ///< of the present document
    double total = 0.0;     ///< sum_t m_t x_t
    double least = 0.0;     ///< amount of a term, where one is negative
  };
  [[nodiscard]] Scratch scratch() const { return Scratch(plan_->rules, classes_); }

  /// scratch.scores: ln p(document | C_k), but for what all classes have in common.
  void score(std::string_view document, Scratch& scratch) const;
  /// See Evidence::words() and marks(); `part` is left 0.
  [[nodiscard]] std::vector<WordShare> words(std::string_view document, std::int32_t first,
                                             std::int32_t second) const;
  [[nodiscard]] std::vector<TextMark> marks(std::string_view document, std::int32_t first,
                                            std::int32_t second) const;

  [[nodiscard]] const WordScores& scores() const { return scores_; }
  [[nodiscard]] const std::vector<Bigram>& bigrams() const { return known_bigrams_; }

 private:
  static constexpr std::size_t kUnknown = ~std::size_t{0};
  static void note_amount(double amount, Scratch& scratch) {
    scratch.least = std::min(scratch.least, amount);
  }
  /// Terms that are brought into the table and the rows at a time, and what comes before them.
  struct Piece {
    std::size_t deltas = 0;
    std::size_t long_bytes = 0;  ///< of terms that a slot does not hold itself
    std::size_t rows = 0;        ///< of dense_
  };
  static constexpr std::size_t kPieceTerms = 4096;
  [[nodiscard]] std::vector<parallel::SharedWork::Step> steps();
  [[nodiscard]] std::pair<std::size_t, std::size_t> terms_of(std::size_t piece) const;
  void count_piece(std::size_t piece);
  void make_room();
  void fill_piece(std::size_t piece);
  void fill_row(std::size_t i, std::size_t row);
  /// A term on its way into the table.
  struct Placed {
    text::TermTable::Key key;
    std::size_t i = 0;
    std::size_t long_at = 0;
    std::size_t row_plus_1 = 0;  ///< of dense_; 0: none
  };
  void place_terms(std::size_t piece, bool frequent_ones);
  void place(const Placed& term);
  [[nodiscard]] bool frequent(std::size_t i) const;
  [[nodiscard]] text::TermTable::Key key_of(std::size_t i) const;
  void finish_tables();
  /// A term of which a quarter of the classes or more has deltas is added faster as a whole.
  [[nodiscard]] bool wants_row(std::size_t deltas) const {
    constexpr std::size_t kFewestClasses = 4;
    return classes_ >= kFewestClasses && 4 * deltas >= classes_;
  }
  /// The row of a term in scores_, or kUnknown. Every bucket of hashed terms is known.
  [[nodiscard]] std::size_t number_of(std::string_view term) const {
    return number_of(table_.find(term));
  }
  [[nodiscard]] std::size_t number_of(const text::TermTable::Slot* slot) const {
    if (slot == nullptr) { return plan_->rules.hash_bits > 0 ? unmet_ : kUnknown; }
    return std::min<std::size_t>(slot->number(), unmet_);
  }
  void add_terms(std::string_view document, Scratch& scratch) const;
  std::size_t add_keys(std::span<const text::TermTable::Key> keys, Scratch& scratch) const;
  void add_distinct_terms(std::string_view document, Scratch& scratch) const;
  void add_chain(std::string_view document, Scratch& scratch) const;
  void collect(std::string_view document, Scratch& scratch) const;
  void collect_words(std::string_view document, Scratch& scratch) const;
  [[nodiscard]] double norm(std::string_view document, Scratch& scratch) const;
  void exclude_impossible(Scratch& scratch) const;
  /// Of one occurrence of a term.
  [[nodiscard]] double difference(std::size_t term, std::int32_t first, std::int32_t second) const;

  void add_base(std::int32_t first, std::int32_t second, std::vector<WordShare>& shares) const;
  [[nodiscard]] double log_absent(std::size_t term, std::int32_t label) const;
  /// Of a pair of words, beyond the second word alone.
  [[nodiscard]] double bigram_difference(std::size_t before, std::string_view previous,
                                         std::string_view word, std::int32_t first,
                                         std::int32_t second) const;

  /// Adds the words whose rows the scratch has collected.
  void add_rows(bool weighted, Scratch& scratch) const;

  WordInput input_;
  TextFamily family_;
  std::shared_ptr<const TermPlan> plan_;
  std::size_t classes_;
  std::vector<Bigram> known_bigrams_;
  WordScores scores_;
  /// Rows of deltas with most classes once more, as a table. The slot of a term has its row, plus
  /// 1, in `document`; 0 for the others.
  memory::LargeArray<double> dense_;
  std::size_t dense_stride_ = 0;
  /// Numbers are places in the vocabulary; unmet_ and above: given terms that training has not met.
  text::TermTable table_;
  std::size_t unmet_ = 0;
  text::TermTable bigram_table_;
  std::vector<Piece> pieces_;
  parallel::SharedWork work_;
  std::atomic<bool> finished_ = false;
};

}  // namespace logodds::models::naive_bayes
