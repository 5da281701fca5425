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

std::vector<std::string> united(const std::vector<std::unique_ptr<LaneDictionary>>& lanes,
                                const Dictionary& (*pick)(const LaneDictionary&, std::size_t),
                                std::size_t c) {
  Dictionary all;
  for (const auto& lane : lanes) {
    for (const auto& value : pick(*lane, c).values()) { all.code(value); }
  }
  return all.values();
}

std::vector<std::int32_t> codes_in(const Dictionary& from, const Dictionary& to) {
  std::vector<std::int32_t> map;
  for (const auto& value : from.values()) { map.push_back(to.find(value)); }
  return map;
}

const Dictionary& labels_of(const LaneDictionary& lane, std::size_t) { return lane.labels; }
const Dictionary& levels_of(const LaneDictionary& lane, std::size_t c) { return lane.levels[c]; }

}  // namespace

void LaneDictionary::adopt(RowBuffer& buffer) {
  adopt_codes(buffer.labels, buffer.label_values, labels);
  for (std::size_t c = 0; c < levels.size(); ++c) {
    adopt_codes(buffer.codes[c], buffer.levels[c], levels[c]);
  }
  for (std::size_t c = 0; c < facts.size(); ++c) { facts[c].merge(buffer.facts[c]); }
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
  if (found.rows == 0) {
    throw Error(ErrorCode::input,
                source.name() + ": no row is left to train on" +
                    (found.rows_skipped > 0 ? ": every row lacks a value; leave out the columns "
                                              "that are mostly empty with --ignore"
                                            : "; give at least one row with a positive weight"));
  }
  std::vector<std::vector<std::string>> levels;
  for (std::size_t c = 0; c < lanes.front()->levels.size(); ++c) {
    levels.push_back(united(lanes, levels_of, c));
  }
  found.schema = infer_schema(source, facts, levels, united(lanes, labels_of, 0));
  const Dictionary labels(found.schema.labels);
  found.class_weights.assign(labels.size(), 0.0);
  std::vector<Dictionary> final_levels;
  for (const auto& column : found.schema.columns) {
    if (column.coded()) { final_levels.emplace_back(column.levels); }
  }
  for (const auto& lane : lanes) {
    Recoding recoding{
        .shape = lane->shape(), .labels = codes_in(lane->labels, labels), .levels = {}};
    recoding.shape.classes = labels.size();
    for (std::size_t c = 0; c < final_levels.size(); ++c) {
      recoding.levels.push_back(codes_in(lane->levels[c], final_levels[c]));
      recoding.shape.levels[c] = final_levels[c].size();
    }
    for (std::size_t k = 0; k < recoding.labels.size(); ++k) {
      found.class_weights[static_cast<std::size_t>(recoding.labels[k])] += lane->label_weights[k];
    }
    found.recodings.push_back(std::move(recoding));
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
