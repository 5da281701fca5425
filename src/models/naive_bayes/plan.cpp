#include "models/naive_bayes/plan.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "logodds/error.hpp"
#include "models/lists.hpp"

namespace logodds::models::naive_bayes {

namespace {

/// "age=kernel" at its last '='.
std::pair<std::string, std::string> name_and_value(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) { return {"", text}; }
  return {unescaped(text.substr(0, equals)), text.substr(equals + 1)};
}

std::vector<std::pair<std::string, const ColumnFamily*>> parse_families(const std::string& text) {
  std::vector<std::pair<std::string, const ColumnFamily*>> families;
  if (text.empty()) { return families; }
  for (const auto& part : split(text, ',')) {
    const auto [column, family] = name_and_value(part);
    if (column.empty()) {
      throw std::invalid_argument(
          "cannot be read; give a family for each column as in age=kernel,visits=poisson");
    }
    for (const auto& [known, law] : families) {
      if (known == column) { throw std::invalid_argument("names '" + column + "' twice"); }
    }
    try {
      families.emplace_back(column, &find_column_family(family));
    } catch (const Error& error) {
      throw std::invalid_argument("cannot be read: " + std::string(error.what()));
    }
  }
  return families;
}

struct Smoothing {
  double alpha = 1.0;
  std::vector<std::pair<std::string, double>> columns;
};

Smoothing parse_smoothing(const std::string& text) {
  Smoothing smoothing;
  bool any = false;
  for (const auto& part : split(text, ',')) {
    const auto [column, value] = name_and_value(part);
    const auto alpha = parse_number(value);
    if (!alpha || *alpha < 0.0) {
      throw std::invalid_argument(
          "needs pseudo-counts of at least 0, as in 1 or in 1,visits=0.5 for one column");
    }
    if (column.empty() && any) {
      throw std::invalid_argument("must begin with the one pseudo-count of all other columns");
    }
    any = true;
    if (column.empty()) {
      smoothing.alpha = *alpha;
    } else {
      smoothing.columns.emplace_back(column, *alpha);
    }
  }
  return smoothing;
}

std::vector<std::vector<std::string>> parse_blocks(const std::string& text) {
  std::vector<std::vector<std::string>> blocks;
  if (text.empty()) { return blocks; }
  for (const auto& part : split(text, ',')) {
    blocks.emplace_back();
    for (const auto& name : split(part, '+')) {
      if (name.empty()) {
        throw std::invalid_argument(
            "cannot be read; join the columns of a block by +, as in a+b,c+d");
      }
      blocks.back().push_back(unescaped(name));
    }
    if (blocks.back().size() < 2) {
      throw std::invalid_argument("holds a block of one column; a block joins at least two by +");
    }
  }
  return blocks;
}

Structure structure_of(const Options& options) {
  if (!options.has("structure")) { return Structure::table; }
  return options.choice("structure") == "tree" ? Structure::tree : Structure::naive;
}

void check_column(const std::string& name, const std::vector<std::string>& names,
                  const std::string& option) {
  if (std::find(names.begin(), names.end(), name) != names.end()) { return; }
  constexpr std::size_t kShown = 12;
  std::string known;
  for (std::size_t c = 0; c < std::min(names.size(), kShown); ++c) {
    known += (c == 0 ? "'" : ", '") + names[c] + "'";
  }
  if (names.size() > kShown) { known += ", ..."; }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::usage, option + ": there is no column '" + name + "'" +
                                    (near.empty() ? "; the columns are " + known : near));
}

bool is_kind(const std::string& name) {
  return name == "real" || name == "binary" || name == "categorical" || name == "count";
}

}  // namespace

std::string canonical_families(const std::string& value) {
  std::string text;
  for (const auto& [column, family] : parse_families(value)) {
    text += (text.empty() ? "" : ",") + escaped(column) + "=" + std::string(family->name());
  }
  return text;
}

std::string canonical_smoothing(const std::string& value) {
  const Smoothing smoothing = parse_smoothing(value);
  std::string text = format_number(smoothing.alpha);
  for (const auto& [column, alpha] : smoothing.columns) {
    text += "," + escaped(column) + "=" + format_number(alpha);
  }
  return text;
}

std::string canonical_blocks(const std::string& value) {
  if (value == "auto") { return value; }
  std::string text;
  for (const auto& block : parse_blocks(value)) {
    text += text.empty() ? "" : ",";
    for (std::size_t i = 0; i < block.size(); ++i) {
      text += (i == 0 ? "" : "+") + escaped(block[i]);
    }
  }
  return text;
}

Wish::Wish(const Options& options) : structure(structure_of(options)) {
  const Smoothing parsed = parse_smoothing(options.text("smoothing"));
  smoothing = parsed.alpha;
  column_smoothing = parsed.columns;
  max_cells = static_cast<double>(options.integer("max-cells"));
  if (structure == Structure::table) { return; }
  families = parse_families(options.text("families"));
  blocks_auto = options.text("blocks") == "auto";
  if (blocks_auto && structure == Structure::tree) {
    throw Error(ErrorCode::usage,
                "--blocks auto and --structure tree both look for columns that depend on each "
                "other; take one of them");
  }
  if (!blocks_auto) { blocks = parse_blocks(options.text("blocks")); }
  variance_floor = options.real("variance-floor");
  text = TextWish(options);
}

std::pair<const ColumnFamily*, bool> Wish::family_of(const Column& column) const {
  for (const auto& [name, family] : families) {
    if (name == column.name) { return {family, true}; }
  }
  for (const auto& [name, family] : families) {
    if (name == to_string(column.kind)) { return {family, true}; }
  }
  return {&default_family(column.kind), false};
}

ColumnRule Wish::rule_of(const std::string& column) const {
  ColumnRule rule{smoothing, variance_floor};
  for (const auto& [name, alpha] : column_smoothing) {
    if (name == column) { rule.smoothing = alpha; }
  }
  return rule;
}

void Wish::check_columns(const std::vector<std::string>& names) const {
  for (const auto& [name, family] : families) {
    if (!is_kind(name)) { check_column(name, names, "--families"); }
  }
  for (const auto& [name, alpha] : column_smoothing) { check_column(name, names, "--smoothing"); }
  std::set<std::string> used;
  for (const auto& block : blocks) {
    for (const auto& name : block) {
      check_column(name, names, "--blocks");
      if (!used.insert(name).second) {
        throw Error(ErrorCode::usage,
                    "--blocks names column '" + name + "' twice; a column belongs to one block");
      }
      for (const auto& [column, family] : families) {
        if (column != name) { continue; }
        throw Error(ErrorCode::usage, "column '" + name +
                                          "' stands in --blocks and in --families, and a block has "
                                          "a law of its own; take it out of one of them");
      }
    }
  }
}

std::vector<Place> places_of(std::span<const SourceColumn> columns) {
  std::vector<Place> places;
  std::size_t numbers = 0;
  std::size_t coded = 0;
  std::size_t texts = 0;
  for (const auto& column : columns) {
    auto& next = column.text ? texts : (column.coded ? coded : numbers);
    places.push_back({column.coded, next++, column.name, column.text});
  }
  return places;
}

std::vector<Place> places_of(const Schema& schema) {
  std::vector<SourceColumn> columns;
  for (const auto& column : schema.columns) {
    columns.push_back({column.name, column.coded(), {}, column.text()});
  }
  return places_of(columns);
}

namespace {

/// The families that a column may get, its kind being unknown while rows are read.
std::vector<const ColumnFamily*> possible_families(const Wish& wish, const std::string& column) {
  std::vector<const ColumnFamily*> found;
  for (const auto& [name, family] : wish.families) {
    if (name == column) { return {family}; }
  }
  for (const auto& [name, family] : wish.families) {
    if (is_kind(name)) { found.push_back(family); }
  }
  return found;
}

void keep_for_families(const Wish& wish, Keeping& keeping) {
  for (std::size_t i = 0; i < keeping.places.size(); ++i) {
    const Place& place = keeping.places[i];
    if (!place.number()) { continue; }
    bool logs = false;
    bool values = false;
    for (const auto* family : possible_families(wish, place.name)) {
      logs = logs || family->needs() == Needs::logs;
      values = values || family->needs() == Needs::values;
    }
    if (logs) { keeping.logs.push_back(i); }
    if (values) { keeping.values.push_back(i); }
    bool named = false;
    bool restricted = false;
    for (const auto& [name, family] : wish.families) {
      named = named || name == place.name;
      if (name == place.name) { keeping.checked.emplace_back(i, family); }
      restricted = restricted || !family->refusal(-1.0).empty();
    }
    if (restricted && !named) { keeping.bounded.push_back(i); }
  }
}

std::size_t index_of(const std::vector<Place>& places, const std::string& name) {
  const auto found =
      std::ranges::find_if(places, [&](const Place& place) { return place.name == name; });
  return static_cast<std::size_t>(found - places.begin());
}

/// Under a tree: each pair of columns that are in no block.
void keep_pairs(Keeping& keeping) {
  std::set<std::size_t> used(keeping.texts.begin(), keeping.texts.end());
  for (const auto& block : keeping.joint) { used.insert(block.begin(), block.end()); }
  for (std::size_t i = 0; i < keeping.places.size(); ++i) {
    for (std::size_t j = i + 1; j < keeping.places.size(); ++j) {
      if (!used.contains(i) && !used.contains(j)) { keeping.joint.push_back({i, j}); }
    }
  }
}

}  // namespace

namespace {

/// Documents have laws of their own, and are modelled by themselves.
void check_text(const Wish& wish, const std::string& name) {
  const std::string column = "column '" + name + "' holds documents";
  for (const auto& [named, family] : wish.families) {
    if (named == name) {
      throw Error(ErrorCode::usage, "--families: " + column +
                                        ", whose law is chosen by --family; take it out of "
                                        "--families, or read it as levels with --kinds " +
                                        name + "=categorical");
    }
  }
  for (const auto& block : wish.blocks) {
    if (std::ranges::find(block, name) != block.end()) {
      throw Error(ErrorCode::usage,
                  "--blocks: " + column + ", which are modelled by themselves; take it out");
    }
  }
  if (wish.structure == Structure::table) {
    throw Error(ErrorCode::usage, column +
                                      ", and a table is over discrete columns; leave it out "
                                      "with --ignore " +
                                      name + ", or take --model naive-bayes");
  }
}

}  // namespace

Keeping keeping(const Wish& wish, std::vector<Place> places) {
  std::vector<std::string> names;
  for (const auto& place : places) { names.push_back(place.name); }
  wish.check_columns(names);
  Keeping result;
  result.places = std::move(places);
  for (std::size_t i = 0; i < result.places.size(); ++i) {
    if (!result.places[i].text) { continue; }
    check_text(wish, result.places[i].name);
    result.texts.push_back(i);
  }
  keep_for_families(wish, result);
  for (const auto& block : wish.blocks) {
    if (block.size() < 2) { continue; }
    result.joint.emplace_back();
    for (const auto& name : block) { result.joint.back().push_back(index_of(result.places, name)); }
    std::ranges::sort(result.joint.back());
  }
  if (wish.structure == Structure::tree || wish.blocks_auto) { keep_pairs(result); }
  if (wish.structure == Structure::table) {
    result.joint.emplace_back();
    for (std::size_t i = 0; i < result.places.size(); ++i) { result.joint.back().push_back(i); }
  }
  return result;
}

}  // namespace logodds::models::naive_bayes
