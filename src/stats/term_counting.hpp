// Documents into a hash table of terms and sums by class.
#pragma once

#include <memory>
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

  void add(const RowBlock& block, std::size_t position, std::size_t classes);
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
  void count(text::TermTable::Slot& slot, double amount) {
    if (slot.document != document_) {
      slot.document = document_;
      slot.count = static_cast<std::uint32_t>(in_document_.size());
      in_document_.push_back({slot.number(), amount});
    } else {
      in_document_[slot.count].amount += amount;
    }
  }
  void ignore(std::string_view term, double amount);
  /// Over all terms of the document, those outside of a given vocabulary too.
  [[nodiscard]] double norm() const;
  void normalize();
  [[nodiscard]] bool normed() const {
    return plan_->amount == TermAmount::l1 || plan_->amount == TermAmount::l2;
  }
  void next_document();
  void drop_rarest();
  [[nodiscard]] std::vector<double> sums() const;

  std::shared_ptr<const TermPlan> plan_;
  text::TermReader reader_;
  text::TermTable table_;
  std::vector<SparseSums> classes_;
  std::vector<double> term_documents_;  ///< by number in the table
  std::vector<double> documents_;
  std::uint32_t document_ = 0;
  std::vector<InDocument> in_document_;
  text::TermTable ignored_;  ///< terms of the document outside of a given vocabulary, for its norm
  std::vector<double> ignored_amounts_;
  text::PaddedTerm bigram_;
  std::string previous_;
  TermTotals totals_;
};

}  // namespace logodds
