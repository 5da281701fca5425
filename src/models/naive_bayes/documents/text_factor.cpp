#include "models/naive_bayes/documents/text_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"
#include "logodds/models/row_problem.hpp"

namespace logodds::models::naive_bayes {

TextFactor::TextFactor(Place place, const TermCounts& counts, const TextWish& wish,
                       double smoothing, const std::vector<std::string>& labels,
                       std::vector<double> unweighed_priors)
    : Factor({std::move(place)}),
      counts_(counts),
      wish_(wish),
      smoothing_(smoothing),
      labels_(labels),
      unweighed_priors_(std::move(unweighed_priors)),
      vocabulary_(choose_terms(counts, wish)) {
  class_amounts_ = class_amounts(input(), {});
  check_law(input());
}

WordInput TextFactor::input() const {
  return {.counts = counts_,
          .vocabulary = vocabulary_,
          .wish = wish_,
          .smoothing = smoothing_,
          .classes = labels_.size(),
          .unweighed_priors = unweighed_priors_,
          .column = places().front().name,
          .class_amounts = class_amounts_};
}

const DocumentScorer& TextFactor::scorer() const {
  std::call_once(once_, [this] { scorer_ = std::make_unique<DocumentScorer>(input()); });
  scorer_->finish();
  return *scorer_;
}

void TextFactor::add_scores(const ColumnBlock& block, double* scores) const {
  const std::size_t classes = labels_.size();
  const DocumentScorer& scores_of = scorer();
  auto scratch = scores_of.scratch();
  const std::string_view* const documents = block.texts[places().front().position];
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (documents[r].data() == nullptr) { continue; }
    scores_of.score(documents[r], scratch);
    if (scratch.least < 0.0) {
      throw RowProblem{r, places().front().name, scratch.least,
                       "is the count of a term, and counts are not negative; correct it"};
    }
    for (std::size_t k = 0; k < classes; ++k) { scores[k * block.stride + r] += scratch.scores[k]; }
  }
  scratch.tally.bad_characters = scratch.reader.bad_characters();
  if (block.tally != nullptr) { block.tally->add(scratch.tally); }
}

void TextFactor::draw(std::size_t /*k*/, random::RowDraws& /*draws*/, DrawnRow& /*row*/) const {
  throw Error(ErrorCode::usage, "column '" + places().front().name +
                                    "' holds documents, and how long they are has no law, so none "
                                    "can be drawn");
}

double TextFactor::parameter_count() const {
  const auto classes = static_cast<double>(labels_.size());
  const auto bigrams = static_cast<double>(wish_.plan->bigrams ? scorer().bigrams().size() : 0);
  const double terms = vocabulary_.size;
  if (wish_.family == TextFamily::bernoulli) { return classes * terms; }
  return classes * (std::max(0.0, terms - 1.0) + bigrams);
}

std::optional<double> TextFactor::log_likelihood(const NaiveStatistics& /*statistics*/) const {
  if (wish_.family == TextFamily::complement || smoothing_ == 0.0) { return {}; }
  return word_likelihood(input(), scorer().scores(), scorer().bigrams());
}

std::vector<std::pair<std::string, std::vector<double>>> TextFactor::parameters() const {
  std::vector<std::pair<std::string, std::vector<double>>> all;
  all.emplace_back("documents", counts_.documents());
  if (wish_.family != TextFamily::bernoulli) {
    all.emplace_back("terms", class_amounts(input(), wish_.tf_idf ? scorer().scores().multipliers
                                                                  : std::vector<double>{}));
  }
  return all;
}

std::vector<std::string> TextFactor::vocabulary() const {
  std::vector<std::string> terms;
  terms.reserve(vocabulary_.terms.size());
  for (const auto t : vocabulary_.terms) { terms.emplace_back(counts_.term(t)); }
  return terms;
}

}  // namespace logodds::models::naive_bayes
