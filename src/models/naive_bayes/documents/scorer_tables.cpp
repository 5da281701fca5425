// What scoring needs, made of the counts by all threads that wait for it.
#include <algorithm>
#include <array>

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

/// How much there is, room for it, the terms and their rows, and the rest.
std::vector<parallel::SharedWork::Step> DocumentScorer::steps() {
  const auto pieces = [this] { return pieces_.size(); };
  const auto one = [] { return std::size_t{1}; };
  return {{pieces, [this](std::size_t piece) { count_piece(piece); }},
          {one, [this](std::size_t) { make_room(); }},
          {pieces, [this](std::size_t piece) { fill_piece(piece); }},
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
  if (has_deltas_apart(family_)) {
    scores_.deltas.resize(unmet_ + 1, all.deltas);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      const bool is_last = piece + 1 == pieces_.size();
      scores_.deltas.set_row_end(terms_of(piece).second - 1,
                                 is_last ? all.deltas : pieces_[piece + 1].deltas);
    }
    scores_.deltas.set_row_end(unmet_, all.deltas);
  }
  table_.prepare(unmet_, all.long_bytes);
  dense_ = memory::LargeArray<double>(std::min(all.rows, kMost / dense_stride_) * dense_stride_);
}

void DocumentScorer::fill_piece(std::size_t piece) {
  const auto [first, last] = terms_of(piece);
  const Piece& before = pieces_[piece];
  if (has_deltas_apart(family_)) { fill_deltas(input_, first, last, before.deltas, scores_); }
  place_terms(first, last, before.long_bytes);
}

void DocumentScorer::fill_row(std::size_t i, std::size_t row) {
  const auto labels = scores_.deltas.labels(i);
  const auto values = scores_.deltas.values(i);
  double* const to = dense_.data() + row * dense_stride_;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    to[static_cast<std::size_t>(labels[j])] = values[j];
  }
}

void DocumentScorer::place_terms(std::size_t first, std::size_t last, std::size_t long_at) {
  constexpr std::size_t kTogether = 16;  // slots that are on their way from memory
  const std::size_t padded = input_.counts.size() - std::min(input_.counts.size(), text::kPadding);
  std::array<text::TermTable::Key, kTogether> keys;
  text::PaddedTerm copy;
  std::size_t row = pieces_[first / kPieceTerms].rows;
  for (std::size_t i = first; i < last; i += kTogether) {
    const std::size_t end = std::min(i + kTogether, last);
    for (std::size_t j = i; j < end; ++j) {
      const std::size_t t = input_.vocabulary.terms[j];
      const auto term = input_.counts.term(t);  // padded by those behind it
      keys[j - i] = text::TermTable::key(t < padded ? term : copy.of(term));
      table_.prefetch(keys[j - i]);
    }
    for (std::size_t j = i; j < end; ++j) {
      const auto term = input_.counts.term(input_.vocabulary.terms[j]);
      auto& slot = table_.place(term, keys[j - i], static_cast<std::uint32_t>(j), long_at);
      long_at += term.size() > text::TermTable::kShort ? term.size() : 0;
      if (!wants_row(scores_.deltas.labels(j).size())) { continue; }
      if ((row + 1) * dense_stride_ > dense_.size()) { continue; }
      fill_row(j, row);
      slot.document = static_cast<std::uint32_t>(++row);
    }
  }
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
