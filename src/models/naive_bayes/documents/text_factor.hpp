// A factor that is the law of a text column.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "logodds/models/words.hpp"
#include "models/naive_bayes/documents/document_scorer.hpp"
#include "models/naive_bayes/factor.hpp"

namespace logodds::models::naive_bayes {

class TextFactor final : public Factor {
 public:
  /// The counts must outlive it. `unweighed_priors`, ln pi_k or empty: the words of a document that
  /// has some are weighed without these, which the product adds.
  TextFactor(Place place, const TermCounts& counts, const TextWish& wish, double smoothing,
             const std::vector<std::string>& labels, std::vector<double> unweighed_priors = {});

  void add_scores(const ColumnBlock& block, double* scores) const override;
  /// The same: lengths and orders of documents have no law.
  void add_log_densities(const ColumnBlock& block, double* scores) const override {
    add_scores(block, scores);
  }
  /// Documents are not drawn: throws Error(usage).
  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override;
  [[nodiscard]] double parameter_count() const override;
  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override;
  [[nodiscard]] std::string law() const override { return wish_.family_name; }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override;
  [[nodiscard]] bool excludes() const override { return smoothing_ == 0.0; }

  [[nodiscard]] std::size_t vocabulary_size() const { return vocabulary_.terms.size(); }
  [[nodiscard]] std::vector<std::string> vocabulary() const;
  [[nodiscard]] std::vector<std::vector<TopWord>> top_words(std::size_t most) const;
  /// See Evidence::words() and marks(); `part` is left 0.
  [[nodiscard]] std::vector<WordShare> words(std::string_view document, std::int32_t first,
                                             std::int32_t second) const {
    return scorer().words(document, first, second);
  }
  [[nodiscard]] std::vector<TextMark> marks(std::string_view document, std::int32_t first,
                                            std::int32_t second) const {
    return scorer().marks(document, first, second);
  }

 private:
  /// Made when it is first asked for, by all who ask: who trains and saves a model scores nothing.
  [[nodiscard]] const DocumentScorer& scorer() const;
  [[nodiscard]] WordInput input() const;

  const TermCounts& counts_;
  TextWish wish_;
  double smoothing_;
  std::vector<std::string> labels_;
  std::vector<double> unweighed_priors_;
  Vocabulary vocabulary_;
  std::vector<double> class_amounts_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<DocumentScorer> scorer_;
};

}  // namespace logodds::models::naive_bayes
