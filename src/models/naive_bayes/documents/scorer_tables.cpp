// What scoring needs, made of the counts by all threads that wait for it.
#include <algorithm>
#include <array>
#include <span>

#include "models/naive_bayes/documents/document_scorer.hpp"

namespace logodds::models::naive_bayes {

DocumentScorer::DocumentScorer(const WordInput& input)
    : input_(input),
      family_(input.wish.family),
      plan_(input.wish.plan),
      classes_(input.classes),
      known_bigrams_(known_bigrams(input)),
      scores_(has_deltas_apart(family_) ? estimate_without_deltas(input)
                                        : estimate_words(input, known_bigrams_)),
      dense_stride_((classes_ + 7) / 8 * 8),
      unmet_(input.vocabulary.terms.size()),
      pieces_((unmet_ + kPieceTerms - 1) / kPieceTerms),
      work_(steps()) {}

/// How much there is, room for it, the frequent terms and all rows, the other terms, and the rest.
std::vector<parallel::SharedWork::Step> DocumentScorer::steps() {
  const auto pieces = [this] { return pieces_.size(); };
  const auto one = [] { return std::size_t{1}; };
  return {{pieces, [this](std::size_t piece) { count_piece(piece); }},
          {one, [this](std::size_t) { make_room(); }},
          {pieces, [this](std::size_t piece) { fill_piece(piece); }},
          {pieces, [this](std::size_t piece) { place_terms(piece, false); }},
          {one, [this](std::size_t) { finish_tables(); }}};
}

std::pair<std::size_t, std::size_t> DocumentScorer::terms_of(std::size_t piece) const {
  return {piece * kPieceTerms, std::min((piece + 1) * kPieceTerms, unmet_)};
}

void DocumentScorer::count_piece(std::size_t piece) {
  Piece counted;
  const bool apart = has_deltas_apart(family_);
  const auto [first, last] = terms_of(piece);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t deltas =
        apart ? delta_count(input_, scores_, i) : scores_.deltas.labels(i).size();
    const std::size_t bytes = input_.counts.term(input_.vocabulary.terms[i]).size();
    counted.deltas += deltas;
    counted.long_bytes += bytes > text::TermTable::kShort ? bytes : 0;
    counted.rows += wants_row(deltas) ? 1U : 0U;
  }
  pieces_[piece] = counted;
}

/// Counts to places.
void DocumentScorer::make_room() {
  constexpr std::size_t kMost = std::size_t{1} << 23U;  // doubles
  Piece all;
  for (Piece& piece : pieces_) {
    const Piece counted = std::exchange(piece, all);
    all.deltas += counted.deltas;
    all.long_bytes += counted.long_bytes;
    all.rows += counted.rows;
  }
  // In this order what was read of the model file makes room for the first of them.
  dense_ = memory::LargeArray<double>(std::min(all.rows, kMost / dense_stride_) * dense_stride_);
  table_.prepare(unmet_, all.long_bytes);
  if (has_deltas_apart(family_)) {
    scores_.deltas.resize(unmet_ + 1, all.deltas);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      const bool is_last = piece + 1 == pieces_.size();
      scores_.deltas.set_row_end(terms_of(piece).second - 1,
                                 is_last ? all.deltas : pieces_[piece + 1].deltas);
    }
    scores_.deltas.set_row_end(unmet_, all.deltas);
  }
}

void DocumentScorer::fill_piece(std::size_t piece) {
  const auto [first, last] = terms_of(piece);
  if (has_deltas_apart(family_)) {
    fill_deltas(input_, first, last, pieces_[piece].deltas, scores_);
  }
  place_terms(piece, true);
}

void DocumentScorer::fill_row(std::size_t i, std::size_t row) {
  const auto labels = scores_.deltas.labels(i);
  const auto values = scores_.deltas.values(i);
  double* const to = dense_.data() + row * dense_stride_;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    to[static_cast<std::size_t>(labels[j])] = values[j];
  }
}

bool DocumentScorer::frequent(std::size_t i) const {
  constexpr double kMany = 16.0;
  return input_.counts.documents_with(input_.vocabulary.terms[i]) >= kMany;
}

/// Whoever comes first has the slot that it is looked for in first: frequent terms do, so that
/// nearly every word of a document is found there.
void DocumentScorer::place_terms(std::size_t piece, bool frequent_ones) {
  constexpr std::size_t kTogether = 16;  // slots that are on their way from memory
  std::array<Placed, kTogether> placed;
  std::size_t count = 0;
  const auto flush = [&] {
    for (const Placed& term : std::span(placed).first(count)) { place(term); }
    count = 0;
  };
  Piece next = pieces_[piece];
  const auto [first, last] = terms_of(piece);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t bytes = input_.counts.term(input_.vocabulary.terms[i]).size();
    const bool dense = wants_row(scores_.deltas.labels(i).size()) &&
                       (next.rows + 1) * dense_stride_ <= dense_.size();
    if (frequent(i) == frequent_ones) {
      placed[count] = {key_of(i), i, next.long_bytes, dense ? next.rows + 1 : 0};
      table_.prefetch(placed[count].key);
      if (++count == kTogether) { flush(); }
    }
    next.rows += dense ? 1U : 0U;
    next.long_bytes += bytes > text::TermTable::kShort ? bytes : 0;
  }
  flush();
}

text::TermTable::Key DocumentScorer::key_of(std::size_t i) const {
  const std::size_t t = input_.vocabulary.terms[i];
  const auto term = input_.counts.term(t);
  if (t + text::kPadding < input_.counts.size()) {  // padded by those behind it
    return text::TermTable::key(term);
  }
  text::PaddedTerm copy;
  return text::TermTable::key(copy.of(term));
}

void DocumentScorer::place(const Placed& term) {
  auto& slot = table_.place(input_.counts.term(input_.vocabulary.terms[term.i]), term.key,
                            static_cast<std::uint32_t>(term.i), term.long_at);
  if (term.row_plus_1 == 0) { return; }
  fill_row(term.i, term.row_plus_1 - 1);
  slot.document = static_cast<std::uint32_t>(term.row_plus_1);
}

void DocumentScorer::finish_tables() {
  text::PaddedTerm padded;
  for (const auto& term : plan_->vocabulary) { table_.insert(padded.of(term)); }
  bigram_table_.reserve(known_bigrams_.size());
  for (const auto& bigram : known_bigrams_) {
    bigram_table_.insert(padded.of(input_.counts.term(bigram.place)));
  }
  finished_.store(true, std::memory_order_release);
}

}  // namespace logodds::models::naive_bayes
