// Documents into a hash table of terms and sums by class.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stats/sparse_sums.hpp"
#include "stats/term_counts.hpp"
#include "stats/whole_counts.hpp"
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
  /// Each class gets another number, and none the same.
  void recode(std::span<const std::int32_t> labels, std::size_t classes);

  /// What all lanes have counted, in the order of the terms, whatever the number of threads; null:
  /// a lane that has counted nothing. Amounts are added in pairs of lanes, then in pairs of pairs.
  [[nodiscard]] static TermCounts joined(std::span<Counting* const> lanes, int threads);

 private:
  class Lane;  ///< what is joined of one
  class Part;  ///< of the terms that are joined
  static void add_totals(TermCounts& result, std::span<Counting* const> lanes);
  struct InDocument {
    std::uint32_t number = 0;
    double amount = 0.0;
  };
  void start();
  /// The usual case: whole documents, each of the class of its label, whose terms count as often as
  /// they occur, or once. Every occurrence is then counted in the slot of its term, at once.
  [[nodiscard]] bool counts_whole(const RowBlock& block, std::size_t classes,
                                  std::span<const double> shares) const;
  /// Brings the slots to what the documents to come need.
  void use_whole(bool whole);
  void empty_slots();
  void count_whole(std::string_view document, std::size_t k);
  void count_whole(std::span<const text::TermTable::Key> keys, std::uint32_t label);
  /// Of Slot::count while documents count whole: the class, the documents, the occurrences in them.
  static constexpr unsigned kLabelShift = 16;
  static constexpr unsigned kDocumentShift = 8;
  static constexpr std::uint32_t kMostInSlot = 0xFF;
  /// Of Slot::document while documents count whole: the term may have counts in whole_, too. Most
  /// terms are of one class, and have none.
  static constexpr std::uint32_t kElsewhere = ~WholeCounts::kMostDocuments;
  /// One more occurrence, in a document of class `label`. A slot holds one class at a time, and few
  /// occurrences.
  void count_whole(text::TermTable::Slot& slot, std::uint32_t label) {
    std::uint32_t counted = slot.count ^ label << kLabelShift;
    if (counted >> kLabelShift != 0 || (counted & kMostInSlot) == kMostInSlot) {
      give_up(slot);
      counted = 0;
    }
    const std::uint32_t first = (slot.document & ~kElsewhere) != document_ ? 1U : 0U;
    slot.document = (slot.document & kElsewhere) | document_;
    slot.count = label << kLabelShift | (counted + (first << kDocumentShift) + (first | repeats_));
  }
  /// What a slot has counted goes to whole_.
  void give_up(text::TermTable::Slot& slot);
  /// Of a slot or of what it has given up: its class, after recode().
  [[nodiscard]] std::size_t label_of(std::uint32_t count) const {
    const std::size_t label = count >> kLabelShift;
    return slot_labels_.empty() ? label : static_cast<std::size_t>(slot_labels_[label]);
  }
  /// Whole counts to sums.
  void settle();
  /// Any other case.
  void add_document(const RowBlock& block, std::size_t r, std::string_view document,
                    std::size_t classes, std::span<const double> shares);
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
  WholeCounts whole_;                    ///< by number in the table
  std::uint32_t repeats_;                ///< 0: a term counts once in a document
  bool slots_whole_ = false;             ///< else Slot::count is a place in in_document_
  /// What recode() has made of the labels in slots; empty: nothing.
  std::vector<std::int32_t> slot_labels_;
  bool sums_used_ = false;   ///< classes_ and term_documents_ hold something
  text::TermTable ignored_;  ///< terms of the document outside of a given vocabulary, for its norm
  std::vector<double> ignored_amounts_;
  text::PaddedTerm bigram_;
  std::string previous_;
  TermTotals totals_;
};

}  // namespace logodds
