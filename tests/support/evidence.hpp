// Evidence of the rows of a table, against the scores that it is to add up to.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/table.hpp"

namespace logodds::test {

/// The rows of a table as the model reads them.
class BoundRows {
 public:
  BoundRows(const Classifier& model, const Table& table) : text_(table.csv()) {
    const auto source = open_csv_bytes(text_, "table", {}, model.schema(), false);
    source->take(buffer_);
    source->parse(buffer_);
  }
  [[nodiscard]] RowBlock block() { return buffer_.view(); }

 private:
  std::string text_;
  RowBuffer buffer_;
};

/// Terms of class a against class b, in every row.
struct Terms {
  std::vector<double> base;
  std::vector<double> values;  ///< rows x parts
};

inline Terms terms_of(const Classifier& model, const RowBlock& block, std::size_t a,
                      std::size_t b) {
  const std::size_t parts = model.evidence()->parts().size();
  const std::vector<std::int32_t> first(block.rows, static_cast<std::int32_t>(a));
  const std::vector<std::int32_t> second(block.rows, static_cast<std::int32_t>(b));
  Terms terms{std::vector<double>(block.rows, 7.0), std::vector<double>(block.rows * parts, 7.0)};
  model.evidence()->contributions(block, first, second, terms.values, terms.base);
  return terms;
}

/// Over all rows and pairs of classes, the largest difference between base + terms and the
/// difference of the scores, in units of 1 + the largest of these numbers.
inline double worst_sum(const Classifier& model, const Table& table) {
  BoundRows rows(model, table);
  const RowBlock block = rows.block();
  const std::size_t classes = model.labels().size();
  const std::size_t parts = model.evidence()->parts().size();
  std::vector<double> scores(block.rows * classes);
  model.log_scores(block, scores);
  double worst = 0.0;
  for (std::size_t pair = 0; pair < classes * classes; ++pair) {
    const std::size_t a = pair / classes;
    const std::size_t b = pair % classes;
    const Terms terms = terms_of(model, block, a, b);
    for (std::size_t r = 0; r < block.rows; ++r) {
      double sum = terms.base[r];
      double largest = std::abs(sum);
      for (std::size_t i = 0; i < parts; ++i) {
        sum += terms.values[r * parts + i];
        largest = std::max(largest, std::abs(terms.values[r * parts + i]));
      }
      const double wanted = scores[r * classes + a] - scores[r * classes + b];
      const double error = std::abs(sum - wanted) / (1.0 + std::max(largest, std::abs(wanted)));
      worst = std::isnan(error) ? 1.0 : std::max(worst, error);
    }
  }
  return worst;
}

/// The same table with some values gone.
inline Table with_gaps(Table table, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (auto& row : table.rows) {
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (random() % 4 == 0) { row[c] = "NA"; }
    }
  }
  return table;
}

}  // namespace logodds::test
