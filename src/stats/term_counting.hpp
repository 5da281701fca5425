// Documents into a hash table of terms and sums by class.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stats/sparse_sums.hpp"
#include "stats/term_counts.hpp"
#include "text/read_ahead.hpp"
#include "text/term_reader.hpp"
#include "text/term_table.hpp"

namespace logodds {

class TermCounts::Counting {
 public:
  explicit Counting(std::shared_ptr<const TermPlan> plan);
  Counting(const Counting& other);
  Counting& operator=(const Counting&) = delete;

  /// `shares`: of each document in each class; empty: it counts in the class of its label.
  void add(const RowBlock& block, std::size_t position, std::size_t classes,
           std::span<const double> shares);
  /// All of it in the order of the terms.
  [[nodiscard]] TermCounts sorted() const;

 private:
  struct InDocument {
    std::uint32_t number = 0;
    double amount = 0.0;
  };
  void start();
  void read(std::string_view document);
  /// The usual case: words are counted, whatever they are, each by itself.
  void read_words(std::string_view document);
  void read_chosen(std::string_view document);
  /// Null for a term outside of a given vocabulary.
  text::TermTable::Slot* slot_of(std::string_view term);
  /// For so many more terms of the document, and one.
  void make_room(std::size_t terms) {
    if (in_document_.size() <= distinct_ + terms) {
      in_document_.resize(2 * (distinct_ + terms) + 1024);
    }
  }
  /// Each once, in the document.
  void count(std::span<const text::TermTable::Key> keys);
  /// Needs room. Whether a word has been in the document before cannot be foreseen, so there is no
  /// branch: the next place is set in any case.
  void count(text::TermTable::Slot& slot, double amount) {
    const bool first = slot.document != document_;
    in_document_[distinct_] = {slot.number(), 0.0};
    slot.document = document_;
    slot.count = first ? distinct_ : slot.count;
    in_document_[slot.count].amount += amount;
    distinct_ += first ? 1U : 0U;
  }
  [[nodiscard]] std::span<InDocument> in_document() { return {in_document_.data(), distinct_}; }
  [[nodiscard]] std::span<const InDocument> in_document() const {
    return {in_document_.data(), distinct_};
  }
  void ignore(std::string_view term, double amount);
  /// Over all terms of the document, those outside of a given vocabulary too.
  [[nodiscard]] double norm() const;
  void normalize();
  [[nodiscard]] bool normed() const {
    return plan_->amount == TermAmount::l1 || plan_->amount == TermAmount::l2;
  }
  void next_document();
  /// Adds the terms of the document to a class.
  void add_to(std::size_t k, double weight);
  void drop_rarest();
  [[nodiscard]] std::vector<double> sums() const;

  std::shared_ptr<const TermPlan> plan_;
  text::TermReader reader_;
  text::TermTable table_;
  std::vector<SparseSums> classes_;
  std::vector<double> term_documents_;  ///< by number in the table
  std::vector<double> documents_;
  std::uint32_t document_ = 0;
  std::vector<InDocument> in_document_;  ///< of which the first are the terms of the document
  std::uint32_t distinct_ = 0;           ///< how many
  text::TermTable ignored_;  ///< terms of the document outside of a given vocabulary, for its norm
  std::vector<double> ignored_amounts_;
  text::PaddedTerm bigram_;
  std::string previous_;
  TermTotals totals_;
};

}  // namespace logodds
