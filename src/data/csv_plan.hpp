// What becomes of each field of a table: a number, a level, a document, the label, the weight, or
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv_header.hpp"
#include "logodds/data/csv.hpp"
#include "logodds/data/dictionary.hpp"

namespace logodds::csv {

enum class FieldUse : std::uint8_t { skip, number, level, text, label, weight };

struct FieldPlan {
  FieldUse use = FieldUse::skip;
  /// A number that no kind named by the user restricts (binary, count), so any one will do.
  bool quick = false;
  std::size_t slot = 0;    ///< which number of the row, coded column or text column
  std::size_t column = 0;  ///< index of the feature in `Plan::columns`
};

/// Tokens that stand for a missing value.
class MissingTokens {
 public:
  MissingTokens() = default;
  explicit MissingTokens(const std::vector<std::string>& given);
  [[nodiscard]] bool contains(std::string_view token) const;
  /// True when `value` is the number of a token such as -999, whose text then has to be compared.
  [[nodiscard]] bool may_be(double value) const {
    for (const double number : numbers_) {
      if (number == value) { return true; }
    }
    return false;
  }

 private:
  std::vector<std::string> given_;
  std::vector<double> numbers_;
};

struct Plan {
  std::string file;
  Dialect dialect;
  bool named = true;               ///< the file has a header
  std::vector<std::string> names;  ///< one a field
  std::vector<FieldPlan> fields;   ///< one a field
  std::vector<SourceColumn> columns;
  std::size_t number_count = 0;
  std::size_t coded_count = 0;
  std::size_t text_count = 0;
  std::optional<std::size_t> label_field;
  std::optional<std::size_t> weight_field;
  std::string target;
  MissingTokens missing;
  std::vector<std::string> notes;

  /// Columns of a schema: which of them are coded or text is settled.
  bool columns_given = false;
  /// Bound to a schema: the codes are given as well.
  bool bound = false;
  /// A label that is missing or unknown is no error.
  bool lenient_labels = false;
  std::vector<Dictionary> level_codes;
  Dictionary label_codes;

  /// Decides slots anew after SourceColumn::coded or text changed.
  void assign_slots();
};

[[nodiscard]] Plan plan_discovery(const Header& header, const CsvOptions& options);
/// What to do about labels: leave them, insist on them, or read them where the file has them.
enum class Labels : std::uint8_t { unread, required, if_there };

[[nodiscard]] Plan plan_bound(const Header& header, const CsvOptions& options, const Schema& schema,
                              Labels labels);
/// Columns of the schema; labels and levels are discovered.
[[nodiscard]] Plan plan_extending(const Header& header, const CsvOptions& options,
                                  const Schema& schema);

/// Field positions by name, for plans.
class FieldFinder {
 public:
  explicit FieldFinder(const Header& header);
  /// By exact name, else by 1-based number.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& wanted) const;
  /// The same, or Error(usage): `what` ("target", ...) does not exist, with the nearest name.
  [[nodiscard]] std::size_t require(const std::string& wanted, const std::string& what) const;

 private:
  const Header& header_;
  std::vector<std::pair<std::string_view, std::size_t>> sorted_;
};

/// Target, weights and ignored fields, checked against each other; ignored fields are `taken`.
struct Roles {
  std::optional<std::size_t> target;
  std::optional<std::size_t> weights;
  std::vector<bool> ignored;
};
[[nodiscard]] Roles find_roles(const FieldFinder& finder, const Header& header,
                               const CsvOptions& options);
/// The parts of a plan that do not depend on the mode.
[[nodiscard]] Plan start_plan(const Header& header, const CsvOptions& options);

}  // namespace logodds::csv
