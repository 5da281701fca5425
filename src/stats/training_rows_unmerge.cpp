// Taking rows out of rows: each is looked up by all its values.
#include <algorithm>
#include <unordered_map>

#include "logodds/error.hpp"
#include "logodds/stats/training_rows.hpp"

namespace logodds {

namespace {

/// All that a row holds, as bytes: equal rows have equal keys.
std::string key_of(const RowBlock& rows, std::size_t r) {
  std::string key;
  const auto append = [&key](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  append(rows.labels[r]);
  append(rows.weight(r));
  for (std::size_t i = 0; i < rows.numeric_columns; ++i) {
    append(rows.numeric[r * rows.numeric_stride + i] + 0.0);  // -0 is 0
  }
  for (const auto* codes : rows.codes) { append(codes[r]); }
  return key;
}

std::vector<std::string> used(const std::vector<std::string>& names, const std::int32_t* codes,
                              std::size_t rows) {
  std::vector<bool> seen(names.size(), false);
  for (std::size_t r = 0; r < rows; ++r) {
    if (codes[r] >= 0) { seen[static_cast<std::size_t>(codes[r])] = true; }
  }
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (seen[i]) { kept.push_back(names[i]); }
  }
  return kept;
}

}  // namespace

void TrainingRows::unmerge(const TrainingRows& other, const Schema& schema) {
  const RowBlock rows = view();
  const RowBlock gone = other.view();
  std::unordered_map<std::string, std::size_t> wanted;
  for (std::size_t r = 0; r < gone.rows; ++r) { ++wanted[key_of(gone, r)]; }
  std::vector<std::uint32_t> kept;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto found = wanted.find(key_of(rows, r));
    if (found == wanted.end() || found->second == 0) {
      kept.push_back(static_cast<std::uint32_t>(r));
    } else {
      --found->second;
    }
  }
  if (kept.size() + gone.rows != rows.rows) {
    for (std::size_t r = 0; r < gone.rows; ++r) {
      if (wanted[key_of(gone, r)] == 0) { continue; }
      const std::string& label = schema.labels[static_cast<std::size_t>(gone.labels[r])];
      throw Error(ErrorCode::input,
                  (label.empty() ? "row " : "class '" + label + "': row ") + std::to_string(r + 1) +
                      " of those to be forgotten is not among those of the model; forget only rows "
                      "that it was trained on");
    }
  }
  keep_rows(kept);
}

void TrainingRows::keep_rows(const std::vector<std::uint32_t>& kept) {
  const RowBlock rows = view();
  const std::vector<std::size_t>& numbers = chunks_.front().numbers;
  Chunk rest;
  rest.joined = true;
  rest.rows = kept.size();
  rest.codes.resize(rows.codes.size());
  for (const std::uint32_t r : kept) {
    const double* const row = rows.numeric + r * rows.numeric_stride;
    rest.numeric.insert(rest.numeric.end(), row, row + rows.numeric_columns);
    for (std::size_t c = 0; c < rows.codes.size(); ++c) {
      rest.codes[c].push_back(rows.codes[c][r]);
    }
    rest.labels.push_back(rows.labels[r]);
    rest.numbers.push_back(numbers.empty() ? r : numbers[r]);
    if (rows.weights != nullptr) { rest.weights.push_back(rows.weights[r]); }
  }
  if (!rest.numbers.empty() && rest.numbers.back() + 1 == rest.rows) { rest.numbers.clear(); }
  chunks_.clear();
  chunks_.push_back(std::move(rest));
}

Schema TrainingRows::remaining(const Schema& schema) const {
  const RowBlock rows = view();
  Schema rest = schema;
  rest.labels = used(schema.labels, rows.labels, rows.rows);
  std::size_t coded = 0;
  for (auto& column : rest.columns) {
    if (!column.coded()) { continue; }
    const auto levels = used(column.levels, rows.codes[coded++], rows.rows);
    if (!levels.empty()) { column = with_levels(column, levels); }
  }
  return rest;
}

}  // namespace logodds
