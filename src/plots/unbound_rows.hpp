// Rows that are read against a model's schema, for a fit that finds a schema of its own.
#pragma once

#include <memory>

#include "logodds/data/source.hpp"

namespace logodds::plots {

/// The columns of `source`, which is bound to `schema`, with what a fit has to know about their
/// values: a bound source tells neither kinds nor levels. Values of coded columns that the schema
/// does not know are missing. Labels are left out.
[[nodiscard]] std::unique_ptr<BlockSource> unbound_rows(std::unique_ptr<BlockSource> source,
                                                        const Schema& schema);

}  // namespace logodds::plots
