// One pass over labelled rows: all that a page about a model says of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/logodds.hpp"
#include "report/row_sample.hpp"

namespace logodds::report {

/// A row that stands out, and why.
struct NotedRow {
  std::size_t number = 0;  ///< in the source, from 0
  std::string place;       ///< "data.csv, line 7"
  double key = 0.0;        ///< what it stands out by; the larger the more
  std::int32_t truth = 0;
  std::int32_t decision = 0;
  std::vector<double> posteriors;
  std::shared_ptr<const RowSample> values;  ///< of this row alone
};

/// The first `most` of all rows by their key, ties to the earlier row.
class NotedRows {
 public:
  explicit NotedRows(std::size_t most) : most_(most) {}
  [[nodiscard]] bool wants(double key) const {
    return most_ > 0 && (rows_.size() < most_ || key > rows_.back().key);
  }
  void add(NotedRow row);
  [[nodiscard]] const std::vector<NotedRow>& rows() const { return rows_; }

 private:
  std::size_t most_;
  std::vector<NotedRow> rows_;  ///< falling by key
};

struct Survey {
  Survey(const Schema& schema, std::size_t rows_shown)
      : wrong(rows_shown), unsure(rows_shown), sample(schema) {}

  std::shared_ptr<const Evaluation> evaluation;
  NotedRows wrong;                   ///< decided wrongly, by -ln p(truth)
  NotedRows unsure;                  ///< by how little the likeliest class is ahead of the second
  RowSample sample;                  ///< rows to draw, and to try columns on
  std::vector<std::size_t> missing;  ///< of each column of the schema
  std::vector<std::size_t> class_rows{};  ///< measured rows of each class, whatever their weights
  std::size_t rows_read = 0;
  std::vector<std::string> notes;  ///< of the source
};

[[nodiscard]] Survey survey(const Classifier& model, BlockSource& source, std::size_t rows_shown,
                            const Context& context);

}  // namespace logodds::report
