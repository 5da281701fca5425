// The rows of a block turned into columns, as factors want them.
#pragma once

#include <vector>

#include "kernels/scratch.hpp"
#include "models/naive_bayes/factor.hpp"

namespace logodds::models::naive_bayes {

class ColumnRows {
 public:
  explicit ColumnRows(const RowBlock& block);
  [[nodiscard]] const ColumnBlock& block() const { return columns_; }

 private:
  kernels::Scratch numbers_;
  ColumnBlock columns_;
};

}  // namespace logodds::models::naive_bayes
