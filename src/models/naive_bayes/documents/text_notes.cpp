#include "models/naive_bayes/documents/text_notes.hpp"

#include <cmath>

#include "logodds/error.hpp"

namespace logodds::models::naive_bayes {

namespace {

std::string counted(double number, const std::string& one, const std::string& many) {
  return format_number(std::round(number)) + " " + (number == 1.0 ? one : many);
}

/// Of this reading; a model file knows nothing of it.
void note_totals(const TermTotals& totals, const TermPlan& plan, const std::string& place,
                 std::vector<std::string>& notes) {
  if (totals.terms_ignored > 0.0) {
    notes.push_back(place + counted(totals.terms_ignored, "term is", "terms are") +
                    " outside of the given vocabulary and not counted");
  }
  if (totals.terms_dropped > 0) {
    notes.push_back(place + "beyond " + std::to_string(plan.most_terms) +
                    " different terms the rarest were dropped while reading: " +
                    counted(static_cast<double>(totals.terms_dropped), "term", "terms") +
                    ", which occurred " + counted(totals.dropped_amount, "time", "times"));
  }
  if (totals.bad_characters > 0) {
    notes.push_back(place +
                    counted(static_cast<double>(totals.bad_characters),
                            "invalid UTF-8 sequence was", "invalid UTF-8 sequences were") +
                    " read as U+FFFD");
  }
  if (totals.words_too_long > 0) {
    notes.push_back(place +
                    counted(static_cast<double>(totals.words_too_long), "word is", "words are") +
                    " longer than " + std::to_string(text::kLongestTerm) + " bytes and left out");
  }
}

}  // namespace

void note_documents(const TextFactor& factor, const TermCounts& counts, bool alone,
                    std::vector<std::string>& notes) {
  const std::string place = "column '" + factor.name() + "': ";
  note_totals(counts.totals(), counts.plan(), place, notes);
  if (factor.vocabulary_size() > 0) { return; }
  const std::string why = counts.size() == 0
                              ? "the documents hold no term that could be counted"
                              : "no term is left of " + std::to_string(counts.size()) +
                                    "; lower --min-df, or raise --max-df";
  if (alone) { throw Error(ErrorCode::input, place + why); }
  notes.push_back(place + why + "; the column says nothing");
}

}  // namespace logodds::models::naive_bayes
