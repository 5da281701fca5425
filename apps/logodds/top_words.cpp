#include "top_words.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "tables.hpp"

namespace logodds::app {

const Words& require_words(const Classifier& model) {
  const Words* const words = model.words();
  if (words == nullptr) {
    throw Error(ErrorCode::usage,
                "this model has no text column, so it knows no words; train one with "
                "--kinds COLUMN=text or --format lines");
  }
  return *words;
}

std::string top_words_text(const Classifier& model, std::size_t most) {
  const Words& words = require_words(model);
  const auto columns = words.text_columns();
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string title =
        columns.size() == 1 ? "top words" : fmt::format("top words of {}", columns[c]);
    DescriptionTable table{title, {"class", "word", "count", "elsewhere", "log odds"}, {}};
    const auto top = words.top_words(c, most);
    for (std::size_t k = 0; k < top.size(); ++k) {
      for (const TopWord& word : top[k]) {
        table.rows.push_back(
            {model.labels()[k], word.word, word.count, word.elsewhere, word.log_odds});
      }
    }
    text += table_text(table, table.rows.size());  // --top-words says how many
  }
  return text;
}

Json top_words_json(const Classifier& model, std::size_t most) {
  const Words& words = require_words(model);
  const auto columns = words.text_columns();
  Json all = Json::array();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto top = words.top_words(c, most);
    Json classes = Json::array();
    for (std::size_t k = 0; k < top.size(); ++k) {
      Json list = Json::array();
      for (const TopWord& word : top[k]) {
        list.push_back({{"word", word.word},
                        {"count", json_number(word.count)},
                        {"elsewhere", json_number(word.elsewhere)},
                        {"log_odds", word.log_odds}});
      }
      classes.push_back({{"class", model.labels()[k]}, {"words", std::move(list)}});
    }
    all.push_back({{"column", columns[c]},
                   {"vocabulary", words.vocabulary(c).size()},
                   {"classes", std::move(classes)}});
  }
  return all;
}

}  // namespace logodds::app
