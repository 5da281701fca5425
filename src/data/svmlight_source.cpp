#include "data/svmlight_source.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "data/dense_columns.hpp"
#include "data/document_columns.hpp"
#include "data/line_source.hpp"
#include "data/svmlight_line.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

constexpr const char* kWanted = "one row a line: LABEL INDEX:VALUE INDEX:VALUE ...";

SvmlightLine checked_line(std::string_view line, const PlainLabels& labels) {
  const SvmlightLine row = split_svmlight(line);
  if (labels.refuses_none() && row.label.empty()) {
    throw std::invalid_argument("there is no label; write one before the first pair");
  }
  return row;
}

/// Rows as documents of pairs.
class PairsSource final : public LineSource {
 public:
  PairsSource(csv::Input input, const PlainLabels& labels, const std::string& column,
              const std::string& target)
      : LineSource(std::move(input), false, labels, target) {
    set_columns(text_column(column));
    start(kWanted);
  }

  void parse(RowBuffer& buffer) const override {
    begin_documents(buffer);
    labels().begin(buffer);
    std::vector<Rewritten> rewritten;
    for_each_row(buffer, [&](std::string_view line) {
      if (!svmlight_row(line)) { return false; }
      const SvmlightLine row = checked_line(line, labels());
      labels().add(buffer, row.label);
      if (!plain_amounts(row.pairs)) {
        const std::size_t begin = buffer.text_copies.size();
        rewrite(row.pairs, buffer.text_copies);
        rewritten.push_back({buffer.texts.front().size(), begin, buffer.text_copies.size()});
      }
      buffer.texts.front().push_back(row.pairs);
      return true;
    });
    for (const auto& [row, begin, end] : rewritten) {
      buffer.texts.front()[row] = {buffer.text_copies.data() + begin, end - begin};
    }
  }

 private:
  struct Rewritten {
    std::size_t row;
    std::size_t begin;  ///< in the copies
    std::size_t end;
  };

  /// In the shortest way, without zeros.
  static void rewrite(std::string_view pairs, std::string& text) {
    PairReader reader(pairs);
    while (const auto pair = reader.next()) {
      if (pair->value == 0) { continue; }
      text += std::to_string(pair->index) + ":" + format_number(pair->value) + " ";
    }
  }

  static bool plain_amounts(std::string_view pairs) {
    PairReader reader(pairs);
    while (const auto pair = reader.next()) {
      if (pair->value >= 0) { continue; }
      throw std::invalid_argument("the value of index " + std::to_string(pair->index) + " is " +
                                  format_number(pair->value) +
                                  ", and an amount cannot be below 0; take a model of numbers, "
                                  "such as --model softmax");
    }
    return reader.plain();
  }
};

/// The least and the largest index of a file.
struct IndexRange {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  [[nodiscard]] bool empty() const { return first > last; }
};

/// Rows as columns of numbers.
class NumbersSource final : public LineSource {
 public:
  /// Columns by the indices of the file.
  explicit NumbersSource(csv::Input input)
      : LineSource(std::move(input), false, PlainLabels(), std::string(kLabelColumn)) {
    start(kWanted);
    const IndexRange range = indices();
    offset_ = std::min<std::size_t>(range.first, 1);
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    width_ = std::min(range.last, kLargest - 1) - offset_ + 1;
    if (width_ <= kMostDenseColumns) { set_columns(numbered_columns(offset_, width_)); }
    limit_rows(dense_block_rows(width_));
    if (!restart_with_coded({})) {
      throw Error(ErrorCode::input, name() +
                                        ": the rows have to be read twice, the first time for the "
                                        "largest index, and so much of a pipe is not kept; give "
                                        "the name of a file");
    }
  }

  /// Columns of a schema.
  NumbersSource(csv::Input input, const PlainLabels& labels, const Schema& schema,
                const std::string& target)
      : LineSource(std::move(input), false, labels, target),
        offset_(first_numbered(schema)),
        width_(schema.columns.size()) {
    set_columns(numbered_columns(offset_, width_));
    limit_rows(dense_block_rows(width_));
    start(kWanted);
  }

  bool keep_sparse() override {
    check_sparse_columns(width_, name());
    if (columns().size() != width_) { set_columns(numbered_columns(offset_, width_)); }
    limit_rows(kBlockRows);  // the first block, which has been claimed, is as short as dense ones
    sparse_ = true;
    return true;
  }

  bool take(RowBuffer& buffer) override {
    if (!sparse_) { check_dense_columns(width_, name()); }
    return LineSource::take(buffer);
  }

  void parse(RowBuffer& buffer) const override {
    if (sparse_) {
      parse_sparse(buffer);
    } else {
      parse_dense(buffer);
    }
  }

 private:
  void parse_sparse(RowBuffer& buffer) const {
    begin_sparse(buffer, width_);
    labels().begin(buffer);
    for_each_row(buffer, [&](std::string_view line) {
      if (!svmlight_row(line)) { return false; }
      const SvmlightLine row = checked_line(line, labels());
      labels().add(buffer, row.label);
      PairReader reader(row.pairs);
      while (const auto pair = reader.next()) {
        check_index(pair->index);
        if (pair->value == 0) { continue; }
        buffer.sparse_indices.push_back(static_cast<std::uint32_t>(pair->index - offset_));
        buffer.sparse_values.push_back(pair->value);
      }
      end_sparse_row(buffer);
      return true;
    });
  }

  void parse_dense(RowBuffer& buffer) const {
    begin_dense(buffer, width_);
    labels().begin(buffer);
    double* numbers = buffer.numeric.data();
    for_each_row(buffer, [&](std::string_view line) {
      if (!svmlight_row(line)) { return false; }
      const SvmlightLine row = checked_line(line, labels());
      labels().add(buffer, row.label);
      fill(row.pairs, numbers, buffer.facts);
      numbers += width_;
      return true;
    });
  }

  void check_index(std::uint64_t index) const {
    if (index >= offset_ && index - offset_ < width_) { return; }
    throw std::invalid_argument("the model has no column x" + std::to_string(index) + ", only " +
                                columns().front().name + " to " + columns().back().name +
                                "; remove the pair of that index");
  }

  void fill(std::string_view pairs, double* numbers, std::vector<ColumnFacts>& facts) const {
    PairReader reader(pairs);
    while (const auto pair = reader.next()) {
      check_index(pair->index);
      numbers[pair->index - offset_] = pair->value;
      facts[pair->index - offset_].add(pair->value);
    }
  }

  IndexRange indices() {
    IndexRange range;
    RowBuffer buffer;
    while (LineSource::take(buffer)) {
      for_each_row(buffer, [&](std::string_view line) {
        PairReader reader(split_svmlight(line).pairs);
        while (const auto pair = reader.next()) {
          range.first = std::min(range.first, pair->index);
          range.last = std::max(range.last, pair->index);
        }
        return true;
      });
    }
    if (range.empty()) {
      throw Error(
          ErrorCode::input,
          name() + ": no line holds a pair INDEX:VALUE, so there is no column; give " + kWanted);
    }
    return range;
  }

  std::size_t offset_ = 1;  ///< index of the first column
  std::size_t width_ = 0;   ///< columns; named only if there are not too many
  bool sparse_ = false;
};

const char* const kPairsHold = "an svmlight row, read as pairs, is one document";

std::unique_ptr<BlockSource> pairs_for_training(csv::Input input) {
  return std::make_unique<PairsSource>(std::move(input), PlainLabels(),
                                       std::string(kFeaturesColumn), std::string(kLabelColumn));
}

std::unique_ptr<BlockSource> dense_bound(csv::Input input, const Schema& schema, LabelUse labels) {
  return std::make_unique<NumbersSource>(std::move(input), PlainLabels(schema, labels), schema,
                                         labels == LabelUse::unread ? "" : schema.target);
}

}  // namespace

std::unique_ptr<BlockSource> open_svmlight(const std::string& path) {
  return std::make_unique<NumbersSource>(open_lines_input(path));
}

std::unique_ptr<BlockSource> open_svmlight(const std::string& path, const Schema& schema,
                                           LabelUse labels) {
  return dense_bound(open_lines_input(path), schema, labels);
}

std::unique_ptr<BlockSource> open_svmlight_extending(const std::string& path,
                                                     const Schema& schema) {
  return std::make_unique<NumbersSource>(open_lines_input(path), PlainLabels(), schema,
                                         schema.target);
}

std::unique_ptr<BlockSource> open_svmlight_pairs(const std::string& path) {
  return pairs_for_training(open_lines_input(path));
}

std::unique_ptr<BlockSource> open_svmlight_pairs(const std::string& path, const Schema& schema,
                                                 LabelUse labels) {
  check_document_schema(schema, kPairsHold);
  return std::make_unique<PairsSource>(open_lines_input(path), PlainLabels(schema, labels),
                                       schema.columns.front().name,
                                       labels == LabelUse::unread ? "" : schema.target);
}

std::unique_ptr<BlockSource> open_svmlight_pairs_extending(const std::string& path,
                                                           const Schema& schema) {
  check_document_schema(schema, kPairsHold);
  return std::make_unique<PairsSource>(open_lines_input(path), PlainLabels(),
                                       schema.columns.front().name, schema.target);
}

std::unique_ptr<BlockSource> open_svmlight_bytes(std::string_view bytes, const std::string& name) {
  return std::make_unique<NumbersSource>(csv::open_bytes(bytes, name));
}

std::unique_ptr<BlockSource> open_svmlight_bytes(std::string_view bytes, const std::string& name,
                                                 const Schema& schema, LabelUse labels) {
  return dense_bound(csv::open_bytes(bytes, name), schema, labels);
}

std::unique_ptr<BlockSource> open_svmlight_pairs_bytes(std::string_view bytes,
                                                       const std::string& name) {
  return pairs_for_training(csv::open_bytes(bytes, name));
}

}  // namespace logodds
