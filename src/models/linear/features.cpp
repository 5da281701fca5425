#include "models/linear/features.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/design_parts.hpp"

namespace logodds::models::linear {

OptionSpec basis_option() {
  return {.name = "basis",
          .type = OptionType::text,
          .default_value = "none",
          .help = "functions of the columns to take instead of the columns themselves",
          .form = "none|polynomial:DEGREE|spline:KNOTS|interactions",
          .canonical = [](const std::string& value) {
            if (value != "none") { throw std::invalid_argument("is no basis"); }
            return value;
          }};
}

Features::Features(const Schema& schema, OneHot one_hot)
    : design_(schema, one_hot), names_(design_.names()) {
  auto parts = design_parts(schema, design_);
  parts_ = std::move(parts.names);
  of_feature_ = std::move(parts.of_design);
}

Features Features::fitted(const Schema& schema, OneHot one_hot, const std::string& /*basis*/,
                          const RowBlock& /*rows*/) {
  return {schema, one_hot};
}

bool Features::takes_sparse() const {
  return plain() &&
         std::ranges::none_of(design_.columns(), [](const auto& c) { return c.level >= 0; });
}

DesignRows Features::encode(const RowBlock& block, std::vector<double>& scratch) const {
  if (!block.is_sparse()) { return design_.encode(block, scratch); }
  scratch.assign(block.rows * block.numeric_columns, 0.0);
  for (std::size_t r = 0; r < block.rows; ++r) {
    double* const row = scratch.data() + r * block.numeric_columns;
    for (std::size_t i = block.sparse.starts[r]; i < block.sparse.starts[r + 1]; ++i) {
      row[block.sparse.indices[i]] = block.sparse.values[i];
    }
  }
  return {scratch.data(), block.rows, block.numeric_columns, block.numeric_columns};
}

void Features::save(modelfile::Writer& /*writer*/) const {}

Features Features::load(const modelfile::Reader& /*reader*/, const Schema& schema, OneHot one_hot,
                        const std::string& /*basis*/) {
  return {schema, one_hot};
}

}  // namespace logodds::models::linear
