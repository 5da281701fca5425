// inspect --top-words: the words that speak for each class.
#pragma once

#include <cstddef>
#include <string>

#include "json.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

/// Throws Error(usage) for a model without text.
[[nodiscard]] const Words& require_words(const Classifier& model);
[[nodiscard]] std::string top_words_text(const Classifier& model, std::size_t most);
[[nodiscard]] Json top_words_json(const Classifier& model, std::size_t most);

}  // namespace logodds::app
