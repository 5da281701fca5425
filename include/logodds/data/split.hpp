// A labelled text divided into parts: stratified, reproducible, in bounded memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/csv.hpp"

namespace logodds {

/// Rows as they stand in a text, with their labels.
struct RecordBlock {
  struct Record {
    std::string_view text;   ///< with its line end, if it has one
    std::string_view label;  ///< into the text, or into `rewritten`
  };
  std::vector<Record> records;
  std::size_t first_row = 0;   ///< from 0
  std::size_t first_line = 0;  ///< from 1
  std::size_t rows = 0;
  std::string_view text;
  std::string storage;                                  ///< of the text, where it is no file
  std::vector<std::unique_ptr<std::string>> rewritten;  ///< labels that held doubled quotes
};

/// Hands out blocks of records. take() is called by one thread at a time, parse() by many.
class RecordSource {
 public:
  RecordSource() = default;
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;
  virtual ~RecordSource() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// What stands before the first row and belongs to every part; empty without a header.
  [[nodiscard]] virtual const std::string& header() const = 0;
  [[nodiscard]] virtual bool take(RecordBlock& block) = 0;
  virtual void parse(RecordBlock& block) const = 0;
  /// Back to the first row.
  virtual void rewind() = 0;
  [[nodiscard]] virtual double fraction_taken() const = 0;
  [[nodiscard]] virtual char delimiter() const { return 0; }  ///< of a table
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// Rows are read twice: what comes through a pipe is kept meanwhile in a file without a name in
/// `folder`. All throw Error(io | input | usage); `options.target` names the label column.
[[nodiscard]] std::unique_ptr<RecordSource> open_table_records(const std::string& path,
                                                               const CsvOptions& options,
                                                               const std::string& folder);
/// LABEL, a tab, and a document.
[[nodiscard]] std::unique_ptr<RecordSource> open_line_records(const std::string& path,
                                                              const std::string& folder);
/// Comments and blank lines are no rows, and are left out.
[[nodiscard]] std::unique_ptr<RecordSource> open_svmlight_records(const std::string& path,
                                                                  const std::string& folder);

/// How many of `rows` rows go to each part: rows * share rounded down, and those left over one by
/// one to the parts with the largest remainders, of equal ones to the first.
[[nodiscard]] std::vector<std::size_t> part_sizes(std::size_t rows, std::span<const double> shares);

struct SplitReport {
  std::size_t rows = 0;
  std::vector<std::string> labels;               ///< in label order
  std::vector<std::vector<std::size_t>> counts;  ///< by label, then by part
};

/// Sends every row to one part. Of each class part_sizes() rows, every choice of them as likely as
/// any other, drawn by context.seed and the number of the row: the same for any number of threads
/// and whichever way the rows come. `sink` gets rows of a part in the order of the text, complete
/// lines all of them. The shares sum to 1.
[[nodiscard]] SplitReport split_rows(
    RecordSource& source, std::span<const double> shares,
    const std::function<void(std::size_t part, std::string_view rows)>& sink,
    const Context& context = {});

}  // namespace logodds
