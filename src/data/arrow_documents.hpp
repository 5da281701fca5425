// Columns of documents in Arrow record batches: their values, and how many rows make a block.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/arrow_batches.hpp"

namespace logodds {

/// Column `field` of the rows from `first` on, in the producer's memory; one out for each.
void read_documents(const ArrowTable::Batches& batches, std::size_t field, std::size_t first,
                    std::span<std::string_view> out);

/// Rows from `first` on that make a block when the columns `fields` hold documents: most_rows, or
/// up to the row that brings these to kBlockTextBytes.
[[nodiscard]] std::size_t rows_of_documents(const ArrowTable::Batches& batches,
                                            const std::vector<std::size_t>& fields,
                                            std::size_t first, std::size_t most_rows);

/// Words on average, when the first block of a column of strings looks like documents. Rows of
/// weight 0 do not count; no weights: every row does.
[[nodiscard]] std::optional<double> words_of_documents(const ArrowTable::Batches& batches,
                                                       std::size_t field,
                                                       std::span<const double> weights);

}  // namespace logodds
