// Regression of one column of numbers, the last of the schema, on the columns before it.
#pragma once

#include "logodds/models/concepts.hpp"
#include "logodds/models/descriptive_family.hpp"
#include "logodds/models/line.hpp"
#include "stats/cross_products.hpp"

namespace logodds::models::line {

struct LineFamily {
  using Statistics = CrossProducts;
  using Result = FittedLine;
  static CrossProducts start(const Options&) { return {}; }
  static FittedLine estimate(const CrossProducts& statistics, EstimatorInput input);
  static CrossProducts load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                       const Options&) {
    return CrossProducts::load(reader, schema);
  }
};

}  // namespace logodds::models::line
