#include "logodds/models/accumulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"

namespace logodds {

std::size_t lanes_for(std::size_t columns) { return columns <= 128 ? 16 : 4; }

LaneDictionary::LaneDictionary(const BlockSource& source) : facts(source.columns().size()) {
  for (const auto& column : source.columns()) {
    if (column.coded) {
      levels.emplace_back();
    } else {
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
  for (std::size_t c = 0; c < facts.size(); ++c) {
    facts[c].merge(buffer.facts[c]);
    contradicted_ = contradicted_ || facts[c].not_number.has_value();
  }
  return !contradicted_;
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

Discovery unify(const BlockSource& source,
                const std::vector<std::unique_ptr<LaneDictionary>>& lanes,
                std::vector<std::size_t>& contradicted) {
  Discovery found;
  std::vector<ColumnFacts> facts(source.columns().size());
  for (const auto& lane : lanes) {
    for (std::size_t c = 0; c < facts.size(); ++c) { facts[c].merge(lane->facts[c]); }
    found.rows += lane->rows;
    found.rows_skipped += lane->rows_skipped;
  }
  for (std::size_t c = 0; c < facts.size(); ++c) {
    if (facts[c].not_number) { contradicted.push_back(c); }
  }
  if (!contradicted.empty()) { return found; }
  check_any_row(source, found);
  std::vector<std::vector<std::string>> levels;
  for (std::size_t c = 0; c < lanes.front()->levels.size(); ++c) {
    levels.push_back(met_by(lanes, levels_of, c));
  }
  found.schema = infer_schema(source, facts, levels, met_by(lanes, labels_of, 0));
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

std::size_t drop_incomplete(RowBuffer& buffer, const BlockSource& source, MissingRows missing) {
  const auto flags = buffer.incomplete_rows();
  if (flags.empty()) { return 0; }
  if (missing == MissingRows::error) {
    const auto r =
        static_cast<std::size_t>(std::find(flags.begin(), flags.end(), 1) - flags.begin());
    const std::size_t row =
        buffer.row_numbers.empty() ? buffer.first_row + r : buffer.row_numbers[r];
    throw Error(ErrorCode::input,
                source.place(row) +
                    ": a value is missing, and this model cannot use incomplete rows; fill it in, "
                    "or leave such rows out with --missing skip");
  }
  const auto dropped = static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
  buffer.drop_rows(flags);
  return dropped;
}

void throw_contradiction(const BlockSource& source, std::size_t column,
                         const std::vector<std::unique_ptr<LaneDictionary>>& lanes) {
  ColumnFacts facts;
  for (const auto& lane : lanes) { facts.merge(lane->facts[column]); }
  const std::string name = source.columns()[column].name;
  throw Error(ErrorCode::input, source.place(facts.not_number->row) + ", column '" + name + "': '" +
                                    facts.not_number->value +
                                    "' is not a number, though every value before it was, and the "
                                    "rows cannot be read twice; say --kinds " +
                                    name + "=categorical, or name it in --missing-tokens");
}

}  // namespace logodds
