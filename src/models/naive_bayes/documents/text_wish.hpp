// The options about text columns, read once: what is counted, which terms are kept, which law.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "logodds/registry/options.hpp"
#include "stats/term_counts.hpp"

namespace logodds::models::naive_bayes {

enum class TextFamily : std::uint8_t { multinomial, bernoulli, complement, markov };

/// Least or largest weight of the documents that have a term: that of "2" documents, or a share,
/// "0.5", of all.
struct DocumentLimit {
  double value = 1.0;
  bool share = false;
  [[nodiscard]] double documents(double all) const { return share ? value * all : value; }
};

struct TextWish {
  TextFamily family = TextFamily::multinomial;
  std::string family_name = "multinomial";
  std::shared_ptr<const TermPlan> plan = std::make_shared<const TermPlan>();
  DocumentLimit min_documents{};
  DocumentLimit max_documents{1.0, true};
  std::size_t max_vocabulary = 0;  ///< 0: all
  bool tf_idf = false;
  double backoff = 100.0;  ///< beta of the Markov law

  TextWish() = default;
  /// Throws Error(usage) for options that exclude each other.
  explicit TextWish(const Options& options);
};

[[nodiscard]] std::vector<OptionSpec> text_options();

}  // namespace logodds::models::naive_bayes
