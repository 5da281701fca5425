// Costs and thresholds as people write them.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "data/csv_text.hpp"
#include "data/small_table.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/decide/costs_text.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"
#include "models/lists.hpp"

namespace logodds::decide {

namespace {

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kReason = "rejected rows could not be told from its own";

using Labels = std::vector<std::string>;

std::optional<std::size_t> find(const Labels& labels, const std::string& name) {
  const auto found = std::ranges::find(labels, name);
  if (found == labels.end()) { return std::nullopt; }
  return static_cast<std::size_t>(found - labels.begin());
}

/// A class called like a rejection would make columns ambiguous.
void check_no_reject_class(const Labels& labels, const std::string& where) {
  if (!find(labels, kRejectName)) { return; }
  throw Error(ErrorCode::usage, where + ": a class of the model is called 'reject', so " +
                                    std::string(kReason) + "; rename the class");
}

[[noreturn]] void refuse(const std::string& option, const std::string& item,
                         const std::string& problem) {
  throw Error(ErrorCode::usage, option + ": '" + item + "' " + problem);
}

/// "NAME=NUMBER", cut at the last '='.
struct Item {
  std::string name;  ///< backslashes still in it
  double value = 0.0;
};

Item parse_item(const std::string& text, const std::string& option, const std::string& form) {
  const std::size_t equals = text.rfind('=');
  const auto value = equals == std::string::npos || equals == 0
                         ? std::nullopt
                         : parse_number(text.substr(equals + 1));
  if (!value) { refuse(option, text, "is not of the form " + form); }
  return {text.substr(0, equals), *value};
}

/// A matrix that is being filled.
class Draft {
 public:
  explicit Draft(const Labels& labels)
      : labels_(labels), costs_(labels.size() * labels.size(), kNotGiven) {}

  void set(std::size_t truth, std::size_t decision, double cost) {
    costs_[truth * labels_.size() + decision] = cost;
  }
  [[nodiscard]] bool has(std::size_t truth, std::size_t decision) const {
    const double cost = costs_[truth * labels_.size() + decision];
    return cost == cost;
  }
  void set_reject(std::size_t truth, double cost) {
    if (reject_.empty()) { reject_.assign(labels_.size(), kNotGiven); }
    reject_[truth] = cost;
  }
  /// Of a rejection that nothing is said of: the default of a wrong decision.
  [[nodiscard]] Costs finished() const {
    const std::size_t classes = labels_.size();
    std::vector<double> matrix = costs_;
    std::vector<double> reject = reject_;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (matrix[i] != matrix[i]) { matrix[i] = i % (classes + 1) == 0 ? 0.0 : 1.0; }
    }
    for (double& cost : reject) {
      if (cost != cost) { cost = 1.0; }
    }
    return {classes, std::move(matrix), std::move(reject)};
  }

 private:
  const Labels& labels_;
  std::vector<double> costs_;
  std::vector<double> reject_;
};

/// Class names may hold colons: the one is meant that has a name on either side.
void set_pair(Draft& draft, const Item& item, const Labels& labels, const std::string& option) {
  for (std::size_t colon = item.name.find(':'); colon != std::string::npos;
       colon = item.name.find(':', colon + 1)) {
    const auto truth = find(labels, models::unescaped(item.name.substr(0, colon)));
    const std::string decision = models::unescaped(item.name.substr(colon + 1));
    if (!truth) { continue; }
    if (decision == kRejectName) { return draft.set_reject(*truth, item.value); }
    if (const auto decided = find(labels, decision)) {
      if (draft.has(*truth, *decided)) {
        refuse(option, item.name, "gives a decision its second cost; keep one");
      }
      return draft.set(*truth, *decided, item.value);
    }
  }
  const std::size_t colon = item.name.find(':');
  if (colon == std::string::npos) {
    refuse(option, item.name, "is not of the form TRUTH:DECISION=COST, as in a:b=5");
  }
  static_cast<void>(
      models::find_class(models::unescaped(item.name.substr(0, colon)), labels, option));
  static_cast<void>(
      models::find_class(models::unescaped(item.name.substr(colon + 1)), labels, option));
}

/// A table of costs, line by line.
class CostFile {
 public:
  CostFile(const std::string& path, const Labels& labels) : labels_(labels), table_(path) {
    match_columns();
  }

  [[nodiscard]] Costs read() {
    const std::size_t classes = labels_.size();
    std::vector<double> matrix(classes * classes, 0.0);
    std::vector<double> reject(rejects_ ? classes : 0, 0.0);
    std::vector<bool> seen(classes, false);
    for (auto fields = table_.next(); !fields.empty(); fields = table_.next()) {
      const std::size_t truth = row_class(fields.front());
      if (seen[truth]) {
        table_.fail("the class " + csv::shown(fields.front()) + " has two rows; keep one");
      }
      seen[truth] = true;
      for (std::size_t f = 1; f < fields.size(); ++f) {
        (columns_[f] == classes ? reject[truth] : matrix[truth * classes + columns_[f]]) =
            table_.number(fields, f, "give a cost");
      }
    }
    check_all(seen, "row");
    return {classes, std::move(matrix), std::move(reject)};
  }

 private:
  [[nodiscard]] std::string classes_text() const {
    constexpr std::size_t kMostNames = 10;
    return csv::name_list(labels_, kMostNames);
  }

  void match_columns() {
    std::vector<bool> seen(labels_.size(), false);
    columns_.assign(table_.names().size(), 0);
    for (std::size_t f = 1; f < table_.names().size(); ++f) {
      const std::string& name = table_.names()[f];
      const auto decision = find(labels_, name);
      if (decision) {
        columns_[f] = *decision;
        seen[*decision] = true;
      } else if (name == kRejectName) {
        columns_[f] = labels_.size();
        rejects_ = true;
      } else {
        table_.fail("the column " + csv::shown(name) + " is no class of the model (" +
                    classes_text() + ") and not 'reject'; correct or remove it");
      }
    }
    check_all(seen, "column");
  }

  void check_all(const std::vector<bool>& seen, const std::string& what) const {
    const auto absent = std::ranges::find(seen, false);
    if (absent == seen.end()) { return; }
    throw Error(ErrorCode::input,
                table_.file() + ": there is no " + what + " for the class " +
                    csv::shown(labels_[static_cast<std::size_t>(absent - seen.begin())]) +
                    "; costs need a row (the truth) and a column (the decision) for every class "
                    "of the model: " +
                    classes_text());
  }

  [[nodiscard]] std::size_t row_class(const std::string& name) const {
    if (const auto truth = find(labels_, name)) { return *truth; }
    table_.fail("the row " + csv::shown(name) + " is no class of the model (" + classes_text() +
                "); correct or remove it");
  }

  const Labels& labels_;
  csv::SmallTable table_;
  std::vector<std::size_t> columns_;  ///< decision of each field; the number of labels: reject
  bool rejects_ = false;
};

}  // namespace

Costs parse_costs(const std::string& text, const std::vector<std::string>& labels,
                  const std::string& option) {
  check_no_reject_class(labels, option);
  Draft draft(labels);
  for (const std::string& part : models::split(text, ',')) {
    const Item item = parse_item(part, option, "TRUTH:DECISION=COST, as in a:b=5");
    if (item.name != kRejectName) {
      set_pair(draft, item, labels, option);
      continue;
    }
    for (std::size_t k = 0; k < labels.size(); ++k) { draft.set_reject(k, item.value); }
  }
  return draft.finished();
}

Costs read_costs(const std::string& path, const std::vector<std::string>& labels) {
  check_no_reject_class(labels, path);
  return CostFile(path, labels).read();
}

Costs costs_of(const std::string& text, const std::vector<std::string>& labels,
               const std::string& option) {
  std::error_code ignored;
  const bool pairs = text.find('=') != std::string::npos && !std::filesystem::exists(text, ignored);
  return pairs ? parse_costs(text, labels, option) : read_costs(text, labels);
}

std::vector<double> parse_thresholds(const std::string& text,
                                     const std::vector<std::string>& labels,
                                     const std::string& option) {
  std::vector<double> thresholds(labels.size(), 0.0);
  for (const std::string& part : models::split(text, ',')) {
    const Item item = parse_item(part, option, "CLASS=P, as in spam=0.8");
    if (!(item.value > 0.0 && item.value <= 1.0)) {
      refuse(option, part, "is no posterior; give a number above 0 and at most 1");
    }
    double& threshold =
        thresholds[models::find_class(models::unescaped(item.name), labels, option)];
    if (threshold > 0.0) { refuse(option, part, "gives a class its second threshold; keep one"); }
    threshold = item.value;
  }
  return thresholds;
}

}  // namespace logodds::decide
