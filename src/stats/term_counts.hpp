// Counts of the terms of documents by class: the statistic of a text column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/stats/shape.hpp"
#include "memory/large_array.hpp"
#include "text/term_rules.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

/// What a document adds to the sum of a term that it holds x times.
enum class TermAmount : std::uint8_t {
  counts,    ///< x
  presence,  ///< 1
  l1,        ///< x over the sum of all x of the document
  l2,        ///< x over the root of the sum of all x^2
};

/// How documents are counted; of equal plans the counts can be added.
struct TermPlan {
  text::TermRules rules{};
  TermAmount amount = TermAmount::counts;
  /// Pairs of neighboring words are counted besides, as the term "FIRST SECOND".
  bool bigrams = false;
  /// Above 0: beyond so many different terms the rarest are dropped while rows are read.
  std::size_t most_terms = 0;
  /// Not empty: only these terms are counted; in ascending order.
  std::vector<std::string> vocabulary{};

  friend bool operator==(const TermPlan&, const TermPlan&) = default;
};

/// What was met while documents were counted. Not kept in model files.
struct TermTotals {
  std::size_t documents = 0;
  double terms = 0.0;             ///< all occurrences
  double terms_ignored = 0.0;     ///< of these, outside of a given vocabulary
  std::size_t terms_dropped = 0;  ///< different ones, see TermPlan::most_terms
  double dropped_amount = 0.0;    ///< what they had come to
  std::size_t bad_characters = 0;
  std::size_t words_too_long = 0;

  void add(const TermTotals& other);
};

/// Terms in ascending order of their bytes; of each, the classes that have it. Counted by adding
/// blocks; finish() brings what was added into that order, and every other function needs it.
class TermCounts {
 public:
  struct Entry {  // without initial values: hundreds of thousands are set once
    std::int32_t label;
    double amount;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  TermCounts();
  explicit TermCounts(std::shared_ptr<const TermPlan> plan);
  TermCounts(const TermCounts& other);
  TermCounts& operator=(const TermCounts& other);
  TermCounts(TermCounts&&) noexcept;
  TermCounts& operator=(TermCounts&&) noexcept;
  ~TermCounts();

  [[nodiscard]] const TermPlan& plan() const { return *plan_; }

  /// Text column `position` of the block. Throws RowProblem, without the name of the column, for a
  /// negative count.
  void add(const RowBlock& block, std::size_t position, std::size_t classes);
  /// The same, a document counting in every class by its share: row-major rows x classes.
  void add_shares(const RowBlock& block, std::size_t position, std::size_t classes,
                  std::span<const double> shares);
  void finish();
  /// The same for parts that were counted side by side, in several threads: the first then holds
  /// what all have counted, and the others nothing of it.
  static void join(std::span<TermCounts* const> lanes, int threads);
  void merge(const TermCounts& other);
  /// Throws Error(input) when more would go than there is, naming class and term.
  void unmerge(const TermCounts& other, const Schema& schema, const std::string& column);
  void recode(std::span<const std::int32_t> labels, std::size_t classes);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view term(std::size_t t) const {
    const std::size_t begin = t == 0 ? 0 : ends_[t - 1];
    return {bytes_.data() + begin, ends_[t] - begin};
  }
  /// In ascending order of their labels.
  [[nodiscard]] std::span<const Entry> entries(std::size_t t) const {
    const std::size_t begin = t == 0 ? 0 : entry_ends_[t - 1];
    return std::span(entries_).subspan(begin, entry_ends_[t] - begin);
  }
  /// Of all terms, one after the other.
  [[nodiscard]] std::span<const Entry> all_entries() const { return entries_; }
  /// Weight of the documents, of any class, that have the term.
  [[nodiscard]] double documents_with(std::size_t t) const { return term_documents_[t]; }
  /// Weight of the documents of each class.
  [[nodiscard]] const std::vector<double>& documents() const { return documents_; }
  /// Weight of all documents.
  [[nodiscard]] double all_documents() const;
  [[nodiscard]] const TermTotals& totals() const { return totals_; }

  /// Tensors PREFIX.terms, ...
  void save(modelfile::Writer& writer, const std::string& prefix) const;
  [[nodiscard]] static TermCounts load(const modelfile::Reader& reader, std::size_t classes,
                                       const std::string& prefix,
                                       std::shared_ptr<const TermPlan> plan);

 private:
  class Counting;  ///< what is being added, in a hash table
  friend class Counting;

  /// Each class gets another number, and none the same.
  void rename_labels(std::span<const std::int32_t> labels);
  void take_away(const TermCounts& other, const Schema& schema, const std::string& column);
  void append(std::string_view term, double documents, std::span<const Entry> entries);
  void append(const TermCounts& from, std::size_t t) {
    append(from.term(t), from.documents_with(t), from.entries(t));
  }
  void reserve(std::size_t terms, std::size_t bytes, std::size_t entries);
  /// What stands before a part of the terms.
  struct Before {
    std::size_t terms = 0;
    std::size_t bytes = 0;
    std::size_t entries = 0;
    [[nodiscard]] Before with(const Before& part) const;
  };
  /// Room for so many, into which parts are then put, in any order and in many threads at once.
  void make_room(const Before& all);
  [[nodiscard]] bool in_order(std::size_t first, std::size_t last) const;
  /// Takes the terms of `other` in the place of its own.
  void swap_terms(TermCounts& other);

  std::shared_ptr<const TermPlan> plan_;
  std::unique_ptr<Counting> counting_;  ///< null: nothing has been added since finish()
  memory::LargeVector<char> bytes_;     ///< of all terms, one after the other
  memory::LargeVector<std::size_t> ends_;
  memory::LargeVector<double> term_documents_;
  memory::LargeVector<Entry> entries_;
  memory::LargeVector<std::size_t> entry_ends_;
  std::vector<double> documents_;
  TermTotals totals_;
};

}  // namespace logodds
