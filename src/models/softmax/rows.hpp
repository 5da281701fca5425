// The rows of a fit, as its parts need them: features, checked, some columns or some rows of them.
#pragma once

#include <vector>

#include "logodds/models/concepts.hpp"
#include "models/linear/features.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Features of all rows, and where they lie if they are not the rows' own memory.
struct Encoded {
  FitRows rows;
  std::vector<double> storage;
};
[[nodiscard]] Encoded encode_rows(const linear::Features& features, const RowBlock& rows,
                                  const Schema& schema, double weight, const Context& context);

/// Throws Error(input) that names the first value of a feature that is not finite: only a basis can
/// bring such about, because no source hands out infinite numbers.
void check_features(const FitRows& rows, const linear::Features& features);

/// Rows copied: some columns, or some rows.
struct Copied {
  FitRows rows;
  std::vector<double> values;
  std::vector<std::size_t> starts{};
  std::vector<std::uint32_t> indices{};
  std::vector<std::int32_t> labels{};
  std::vector<double> weights{};

  Copied() = default;
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
};
/// Only the columns `kept`, ascending; labels and weights stay where they are. `to` must stay where
/// it is.
void copy_columns(const FitRows& rows, const std::vector<std::size_t>& kept, Copied& to);
/// Only the rows `kept`, ascending.
void copy_rows(const FitRows& rows, const std::vector<std::size_t>& kept, Copied& to);

}  // namespace logodds::models::softmax
