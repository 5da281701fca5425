// The options of the family, read once: which law each column has, which columns go together, and
// so what is to be kept of the rows.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "logodds/data/source.hpp"
#include "logodds/registry/options.hpp"
#include "models/naive_bayes/column_family.hpp"
#include "models/naive_bayes/documents/text_wish.hpp"

namespace logodds::models::naive_bayes {

enum class Structure : std::uint8_t { naive, tree, table };

/// What the options say, of columns by name.
struct Wish {
  std::vector<std::pair<std::string, const ColumnFamily*>> families;  ///< by column, or by kind
  std::vector<std::vector<std::string>> blocks;
  bool blocks_auto = false;
  Structure structure = Structure::naive;
  double smoothing = 1.0;
  std::vector<std::pair<std::string, double>> column_smoothing;
  double variance_floor = 0.0;
  double max_cells = 0.0;  ///< of a joint table
  TextWish text;

  Wish() = default;
  explicit Wish(const Options& options);
  /// The family of a column, and whether the user named it.
  [[nodiscard]] std::pair<const ColumnFamily*, bool> family_of(const Column& column) const;
  [[nodiscard]] ColumnRule rule_of(const std::string& column) const;
  /// Throws Error(usage), with the nearest name, for a column that does not exist.
  void check_columns(const std::vector<std::string>& names) const;
};

/// A column as a block of rows holds it.
struct Place {
  bool coded = false;
  std::size_t position = 0;  ///< among the columns of numbers, of levels, or of text
  std::string name{};
  bool text = false;
  [[nodiscard]] bool number() const { return !coded && !text; }
  friend bool operator==(const Place&, const Place&) = default;
};

/// What is kept of the rows besides moments of numbers and weights of levels.
struct Keeping {
  std::vector<Place> places;                    ///< of all columns
  std::vector<std::size_t> logs;                ///< indices into `places`: moments of ln x
  std::vector<std::size_t> values;              ///< all values
  std::vector<std::vector<std::size_t>> joint;  ///< columns whose joint law is kept
  /// Numbers that must be of the support of a family that the user named.
  std::vector<std::pair<std::size_t, const ColumnFamily*>> checked;
  /// Numbers that may get a restricted family by their kind, which is known in the end.
  std::vector<std::size_t> bounded;
  std::vector<std::size_t> texts;  ///< columns of documents
  friend bool operator==(const Keeping&, const Keeping&) = default;
};

[[nodiscard]] std::vector<Place> places_of(std::span<const SourceColumn> columns);
[[nodiscard]] std::vector<Place> places_of(const Schema& schema);
/// Which of `places` are to be kept how. Throws Error(usage) for an option that names a column
/// which is not there, or that puts a column into two blocks.
[[nodiscard]] Keeping keeping(const Wish& wish, std::vector<Place> places);

// Checks of the syntax alone, for the registry.
[[nodiscard]] std::string canonical_families(const std::string& value);
[[nodiscard]] std::string canonical_smoothing(const std::string& value);
[[nodiscard]] std::string canonical_blocks(const std::string& value);

}  // namespace logodds::models::naive_bayes
