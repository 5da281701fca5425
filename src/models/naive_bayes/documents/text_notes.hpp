// What the user should know about the documents of a column.
#pragma once

#include <string>
#include <vector>

#include "models/naive_bayes/documents/text_factor.hpp"

namespace logodds::models::naive_bayes {

/// Throws Error(input) when the column is the only one and not a term of it is left.
void note_documents(const TextFactor& factor, const TermCounts& counts, bool alone,
                    std::vector<std::string>& notes);

}  // namespace logodds::models::naive_bayes
