// What a fitted product says about words: the factors of its text columns are asked.
#include "models/naive_bayes/documents/text_factor.hpp"
#include "models/naive_bayes/naive_bayes.hpp"

namespace logodds::models::naive_bayes {

namespace {

const TextFactor& text_factor(const Product& product, std::size_t factor) {
  return static_cast<const TextFactor&>(*product.factors[factor]);
}

std::string_view document_of(const RowBlock& block, const Factor& factor, std::size_t row) {
  return block.texts[factor.places().front().position][row];
}

}  // namespace

std::vector<WordShare> NaiveDiscriminant::words(const RowBlock& block, std::size_t row,
                                                std::int32_t first, std::int32_t second) const {
  std::vector<WordShare> all;
  for (const auto f : texts_) {
    const auto& factor = text_factor(*all_, f);
    for (auto& word : factor.words(document_of(block, factor, row), first, second)) {
      word.part = f;
      all.push_back(std::move(word));
    }
  }
  return all;
}

std::vector<TextMark> NaiveDiscriminant::marks(const RowBlock& block, std::size_t row,
                                               std::int32_t first, std::int32_t second) const {
  std::vector<TextMark> all;
  for (const auto f : texts_) {
    const auto& factor = text_factor(*all_, f);
    for (auto mark : factor.marks(document_of(block, factor, row), first, second)) {
      mark.part = f;
      all.push_back(mark);
    }
  }
  return all;
}

std::vector<std::string> NaiveDiscriminant::text_columns() const {
  std::vector<std::string> names;
  for (const auto f : texts_) { names.push_back(parts_[f]); }
  return names;
}

std::vector<std::string> NaiveDiscriminant::vocabulary(std::size_t column) const {
  return text_factor(*all_, texts_[column]).vocabulary();
}

std::vector<std::vector<TopWord>> NaiveDiscriminant::top_words(std::size_t column,
                                                               std::size_t most) const {
  return text_factor(*all_, texts_[column]).top_words(most);
}

}  // namespace logodds::models::naive_bayes
