#include "logodds/models/accumulate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "data/row_labels.hpp"
#include "logodds/error.hpp"

namespace logodds {

namespace {
constexpr std::size_t kFewLanes = 4;
/// What values of a column that is 0 elsewhere may show.
constexpr std::uint8_t kNoBinary = 1;
constexpr std::uint8_t kNoCount = 2;
}  // namespace

std::function<bool(RowBuffer&)> taking_rows(BlockSource& source, const Context& context) {
  return [&source, &context, rows = std::size_t{0}](RowBuffer& buffer) mutable {
    const bool more = source.take(buffer);
    rows += more ? buffer.rows : 0;
    if (context.progress) {
      context.progress({.what = "reading", .fraction = source.fraction_taken(), .rows = rows});
    }
    return more;
  };
}

std::size_t lanes_for(std::size_t columns) {
  return columns <= 128 ? parallel::kMostLanes : kFewLanes;
}

std::size_t lanes_for(const std::vector<SourceColumn>& columns) {
  if (std::ranges::any_of(columns, &SourceColumn::text)) { return kFewLanes; }
  return lanes_for(columns.size());
}

std::size_t lanes_for(const Schema& schema) {
  return schema.text_count() > 0 ? kFewLanes : lanes_for(schema.columns.size());
}

std::size_t lanes_for_threads(int threads) {
  const auto wanted = static_cast<std::size_t>(std::max(threads, 1));
  return std::min(std::bit_ceil(wanted), parallel::kMostLanes);  // merged in pairs
}

LaneDictionary::LaneDictionary(const BlockSource& source, bool sparse)
    : facts_(sparse ? 0 : source.columns().size()),
      sparse_facts_(sparse ? source.columns().size() : 0) {
  for (const auto& column : source.columns()) {
    if (column.coded) {
      levels.emplace_back();
    } else if (!column.text) {
      ++numeric_;
    }
  }
}

namespace {

/// Only values that a kept row uses enter the lane's dictionary.
void adopt_codes(std::vector<std::int32_t>& codes, const Dictionary& from, Dictionary& to) {
  std::vector<std::int32_t> map(from.size(), kMissingCode);
  for (auto& code : codes) {
    if (code < 0) { continue; }
    auto& mapped = map[static_cast<std::size_t>(code)];
    if (mapped < 0) { mapped = to.code(from.values()[static_cast<std::size_t>(code)]); }
    code = mapped;
  }
}

/// Every value that a lane has met.
std::vector<std::string> met_by(const std::vector<std::unique_ptr<LaneDictionary>>& lanes,
                                const Dictionary& (*pick)(const LaneDictionary&, std::size_t),
                                std::size_t c) {
  Dictionary all;
  for (const auto& lane : lanes) {
    for (const auto& value : pick(*lane, c).values()) { all.code(value); }
  }
  return all.values();
}

const Dictionary& labels_of(const LaneDictionary& lane, std::size_t) { return lane.labels; }
const Dictionary& levels_of(const LaneDictionary& lane, std::size_t c) { return lane.levels[c]; }

/// From a lane's codes to those of the schema that all lanes share.
Recoding recoding_of(const LaneDictionary& lane, const Schema& schema) {
  Recoding recoding{.shape = shape_of(schema),
                    .labels = codes_between(lane.labels.values(), schema.labels),
                    .levels = {}};
  for (const auto& column : schema.columns) {
    if (!column.coded()) { continue; }
    const auto& values = lane.levels[recoding.levels.size()].values();
    recoding.levels.push_back(codes_between(values, column.levels));
  }
  return recoding;
}

void check_any_row(const BlockSource& source, const Discovery& found) {
  if (found.rows > 0) { return; }
  throw Error(ErrorCode::input,
              source.name() + ": no row is left to train on" +
                  (found.rows_skipped > 0 ? ": every row lacks a value; leave out the columns that "
                                            "are mostly empty with --ignore"
                                          : "; give at least one row with a positive weight"));
}

}  // namespace

bool LaneDictionary::note_facts(const RowBuffer& buffer) {
  if (buffer.is_sparse()) { note_sparse(buffer); }
  for (std::size_t c = 0; c < facts_.size(); ++c) {
    facts_[c].merge(buffer.facts[c]);
    contradicted_ = contradicted_ || facts_[c].not_number.has_value();
  }
  return !contradicted_;
}

void LaneDictionary::note_sparse(const RowBuffer& buffer) {
  for (std::size_t i = 0; i < buffer.sparse_values.size(); ++i) {
    const double value = buffer.sparse_values[i];
    if (value == 1 || std::isnan(value)) { continue; }
    const bool count = value >= 0 && value == std::floor(value);
    auto& facts = sparse_facts_[buffer.sparse_indices[i]];
    facts = static_cast<std::uint8_t>(facts | (count ? kNoBinary : kNoBinary | kNoCount));
  }
}

void LaneDictionary::merge_facts(std::vector<ColumnFacts>& into) const {
  for (std::size_t c = 0; c < facts_.size(); ++c) { into[c].merge(facts_[c]); }
  for (std::size_t c = 0; c < sparse_facts_.size(); ++c) {
    into[c].any_value = true;
    into[c].zero_one = into[c].zero_one && (sparse_facts_[c] & kNoBinary) == 0;
    into[c].counts = into[c].counts && (sparse_facts_[c] & kNoCount) == 0;
  }
}

void LaneDictionary::adopt(RowBuffer& buffer) {
  adopt_codes(buffer.labels, buffer.label_values, labels);
  for (std::size_t c = 0; c < levels.size(); ++c) {
    adopt_codes(buffer.codes[c], buffer.levels[c], levels[c]);
  }
  count_labels(buffer);
  rows += buffer.rows;
}

void LaneDictionary::count_labels(const RowBuffer& buffer) {
  label_weights.resize(labels.size(), 0.0);
  for (std::size_t r = 0; r < buffer.labels.size(); ++r) {
    if (buffer.labels[r] < 0) { continue; }
    const double weight = buffer.weights.empty() ? 1.0 : buffer.weights[r];
    label_weights[static_cast<std::size_t>(buffer.labels[r])] += weight;
  }
}

Shape LaneDictionary::shape() const {
  Shape shape{.classes = labels.size(), .numeric = numeric_, .levels = {}};
  for (const auto& dictionary : levels) { shape.levels.push_back(dictionary.size()); }
  return shape;
}

namespace {

/// What the coded columns hold; one without any value holds what it is known to.
std::vector<std::vector<std::string>> all_levels(
    const BlockSource& source, const std::vector<std::unique_ptr<LaneDictionary>>& lanes,
    const Schema* known) {
  std::vector<std::vector<std::string>> levels;
  for (std::size_t c = 0; c < source.columns().size(); ++c) {
    if (!source.columns()[c].coded) { continue; }
    levels.push_back(met_by(lanes, levels_of, levels.size()));
    const bool fits = known != nullptr && known->columns.size() == source.columns().size();
    if (levels.back().empty() && fits) { levels.back() = known->columns[c].levels; }
  }
  return levels;
}

}  // namespace

Discovery unify(const BlockSource& source,
                const std::vector<std::unique_ptr<LaneDictionary>>& lanes, const Schema* known,
                std::vector<std::size_t>& contradicted) {
  Discovery found;
  std::vector<ColumnFacts> facts(source.columns().size());
  for (const auto& lane : lanes) {
    lane->merge_facts(facts);
    found.rows += lane->rows;
    found.rows_skipped += lane->rows_skipped;
  }
  for (std::size_t c = 0; c < facts.size(); ++c) {
    if (facts[c].not_number) { contradicted.push_back(c); }
  }
  if (!contradicted.empty()) { return found; }
  if (found.rows == 0 && found.rows_skipped > 0) { check_values(source, facts); }
  check_any_row(source, found);
  found.schema = infer_schema(source, facts, all_levels(source, lanes, known),
                              met_by(lanes, labels_of, 0), known == nullptr);
  found.class_weights.assign(found.schema.labels.size(), 0.0);
  for (const auto& lane : lanes) {
    found.recodings.push_back(recoding_of(*lane, found.schema));
    const auto& labels = found.recodings.back().labels;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      found.class_weights[static_cast<std::size_t>(labels[k])] += lane->label_weights[k];
    }
  }
  return found;
}

namespace {

/// The name of the first column without a value in row `r`.
std::string missing_column(const RowBuffer& buffer, const BlockSource& source, std::size_t r) {
  if (buffer.is_sparse()) {
    std::size_t i = buffer.sparse_starts[r];
    while (!std::isnan(buffer.sparse_values[i])) { ++i; }
    return source.columns()[buffer.sparse_indices[i]].name;
  }
  std::size_t number = 0;
  std::size_t coded = 0;
  std::size_t text = 0;
  for (const auto& column : source.columns()) {
    bool missing = false;
    if (column.text) {
      missing = buffer.texts[text++][r].data() == nullptr;
    } else if (column.coded) {
      missing = buffer.codes[coded++][r] == kMissingCode;
    } else {
      missing = std::isnan(buffer.numeric_data[r * buffer.numeric_stride + number++]);
    }
    if (missing) { return column.name; }
  }
  return {};
}

}  // namespace

std::size_t drop_incomplete(RowBuffer& buffer, const BlockSource& source, MissingRows missing) {
  const auto flags = buffer.incomplete_rows();
  if (flags.empty()) { return 0; }
  if (missing == MissingRows::error) {
    const auto r =
        static_cast<std::size_t>(std::find(flags.begin(), flags.end(), 1) - flags.begin());
    throw Error(
        ErrorCode::input,
        source.place(buffer.row_number(r)) + ", column '" + missing_column(buffer, source, r) +
            "': the value is missing; fill it in, or leave such rows out with --missing skip");
  }
  const auto dropped = static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
  buffer.drop_rows(flags);
  return dropped;
}

std::string why_coded(const BlockSource& source, std::size_t column,
                      const std::vector<std::unique_ptr<LaneDictionary>>& lanes) {
  std::vector<ColumnFacts> facts(source.columns().size());
  for (const auto& lane : lanes) { lane->merge_facts(facts); }
  const auto& value = *facts[column].not_number;
  return source.place(value.row) + ", column '" + source.columns()[column].name + "': '" +
         value.value + "' is not a number";
}

void throw_contradiction(const BlockSource& source, std::size_t column,
                         const std::vector<std::unique_ptr<LaneDictionary>>& lanes) {
  throw Error(ErrorCode::input, why_coded(source, column, lanes) +
                                    ", though every value before it was, and the rows cannot be "
                                    "read twice; say --kinds " +
                                    source.columns()[column].name +
                                    "=categorical, or name it in --missing-tokens");
}

namespace {

/// "; " and the reason that names the column, if one does.
std::string reason_on(const std::string& column, const std::vector<std::string>& reasons) {
  for (const auto& reason : reasons) {
    if (reason.find("column '" + column + "'") != std::string::npos) { return "; " + reason; }
  }
  return {};
}

}  // namespace

void throw_at_place(const BlockSource& source, const RowBuffer& buffer, const RowProblem& problem) {
  const std::string place = source.place(buffer.row_number(problem.row));
  if (problem.column.empty()) { throw Error(ErrorCode::input, place + ": " + problem.sentence); }
  throw Error(ErrorCode::input, place + ", column '" + problem.column +
                                    "': " + format_number(problem.value) + " " + problem.sentence);
}

void check_labels(const RowBuffer& buffer, const BlockSource& source) {
  const auto none = std::ranges::find(buffer.labels, kMissingCode);
  if (none == buffer.labels.end()) { return; }
  const auto row = static_cast<std::size_t>(none - buffer.labels.begin());
  throw Error(ErrorCode::input, source.place(buffer.row_number(row)) +
                                    ": the row has no label; remove the row or fill it in" +
                                    std::string(kUseUnlabeled));
}

void check_no_text(const BlockSource& source) {
  for (const auto& column : source.columns()) {
    if (!column.text) { continue; }
    throw Error(
        ErrorCode::usage,
        "column '" + column.name +
            "' holds documents, which only the model naive-bayes can use; leave it out with "
            "--ignore " +
            column.name);
  }
}

void check_columns_usable(const Schema& schema, std::size_t rows,
                          const std::vector<std::string>& reasons, bool identifiers_fit) {
  constexpr std::size_t kManyLevels = 1000;
  if (schema.columns.empty()) {
    throw Error(ErrorCode::input,
                "there is no column to learn from besides the target; give at least one feature");
  }
  for (const auto& column : schema.columns) {
    if (!identifiers_fit && column.levels.size() > kManyLevels && 2 * column.levels.size() > rows) {
      throw Error(ErrorCode::input, "column '" + column.name + "' has " +
                                        std::to_string(column.levels.size()) +
                                        " different values in " + std::to_string(rows) +
                                        " rows, which looks like an identifier; leave it out with "
                                        "--ignore " +
                                        column.name + reason_on(column.name, reasons));
    }
  }
}

void check_size(std::size_t doubles, const Shape& shape, const BlockSource& source,
                const std::vector<std::string>& reasons) {
  constexpr std::size_t kMost = std::size_t{1} << 25U;  // 256 MiB
  constexpr std::size_t kWorthNaming = 100;
  if (doubles <= kMost) { return; }
  std::string text = source.name() + ": " + std::to_string(shape.classes) + " classes and " +
                     std::to_string(source.columns().size()) + " columns";
  std::size_t coded = 0;
  for (const auto& column : source.columns()) {
    if (!column.coded || shape.levels[coded++] < kWorthNaming) { continue; }
    text += ", of which '" + column.name + "' has at least " +
            std::to_string(shape.levels[coded - 1]) + " levels";
  }
  text +=
      ", are too many for the covariances of this model; leave columns out with --ignore, or take "
      "--covariance diagonal";
  for (const auto& reason : reasons) { text += "; " + reason; }
  throw Error(ErrorCode::numeric, text);
}

}  // namespace logodds
