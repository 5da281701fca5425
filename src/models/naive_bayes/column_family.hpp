// The law of one column within each class, p(x | C_k): what it wants to know of the rows, how it is
// estimated, what it can say. One file in columns/ and one line in column_families.def each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::naive_bayes {

/// What is kept of a column, class by class. Missing values count nowhere. Vectors are by class
/// unless said; those that a family does not need may be empty.
struct ColumnSummary {
  const Column& column;
  const std::vector<std::string>& labels;
  std::vector<double> weights{};  ///< of the rows that have a value

  // Of a column of numbers. Sums of whole numbers are exact.
  std::vector<double> sums{};            ///< sum w x
  std::vector<double> means{};           ///< sum w x / weight, or 0 where there is no weight
  std::vector<double> scatters{};        ///< sum w (x - mean)^2
  std::vector<double> log_factorials{};  ///< sum w ln x!, if every value is a count; else NaN
  std::vector<double> log_means{};       ///< the same of ln x, with Needs::logs
  std::vector<double> log_scatters{};
  std::vector<double> values{};         ///< different ones in ascending order, with Needs::values
  std::vector<double> value_weights{};  ///< values x classes, row-major

  // Of a coded column.
  std::vector<double> level_weights{};  ///< classes x levels, row-major

  [[nodiscard]] std::size_t classes() const { return labels.size(); }
};

/// How a law is regularised.
struct ColumnRule {
  double smoothing = 1.0;       ///< pseudo-count alpha of discrete laws
  double variance_floor = 0.0;  ///< least variance, as a share of the column's own total variance
};

/// What a family wants to be kept besides weights, sums and squares of numbers, and weights of
/// levels.
enum class Needs : std::uint8_t { nothing, logs, values };

/// h(x) exp(eta . T(x) - A(eta)).
struct NaturalForm {
  std::vector<std::string> statistics;  ///< names of the entries of T: "age", "age^2", "sex=male"
  std::vector<double> parameters;       ///< eta, classes x statistics, row-major
  std::vector<double> log_partitions;   ///< A(eta), by class
};

/// p(x | C_k) of one column for every class. `x` is a number of the column, or the code of a level
/// (kUnseenCode for a level that training has not met); never missing. Immutable.
class ColumnLaw {
 public:
  ColumnLaw() = default;
  ColumnLaw(const ColumnLaw&) = delete;
  ColumnLaw& operator=(const ColumnLaw&) = delete;
  virtual ~ColumnLaw() = default;

  /// ln p(x | C_k) with every constant; -infinity where p is 0, never NaN.
  [[nodiscard]] virtual double log_density(std::size_t k, double x) const = 0;
  /// A value: of a coded column the code of a level.
  [[nodiscard]] virtual double draw(std::size_t k, random::RowDraws& draws) const = 0;
  /// Free parameters of all classes together.
  [[nodiscard]] virtual double parameter_count() const = 0;
  /// sum w ln p(x | C_k) over the training rows, classes added.
  [[nodiscard]] virtual double log_likelihood(const ColumnSummary& rows) const = 0;
  /// Nothing for a law that is not of the exponential family.
  [[nodiscard]] virtual std::optional<NaturalForm> natural() const { return {}; }
  /// For tables: "mean", "sd", ... with one number a class.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const = 0;

  /// scores[k * stride + r] += ln p(x_r | C_k), but for what all classes have in common; nothing
  /// where x_r is missing (NaN, kMissingCode). `log_density` of every value unless a law knows a
  /// faster way. Of the two the one that fits the column is called.
  virtual void add_scores(std::span<const double> x, std::size_t stride, double* scores) const;
  virtual void add_scores(std::span<const std::int32_t> codes, std::size_t stride,
                          double* scores) const;
  [[nodiscard]] virtual std::size_t classes() const = 0;
};

class ColumnFamily {
 public:
  ColumnFamily() = default;
  ColumnFamily(const ColumnFamily&) = delete;
  ColumnFamily& operator=(const ColumnFamily&) = delete;
  virtual ~ColumnFamily() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;  ///< one line, no full stop
  /// Kinds of columns that it suits; for the first one it may be the default.
  [[nodiscard]] virtual std::span<const ColumnKind> kinds() const = 0;
  [[nodiscard]] virtual Needs needs() const { return Needs::nothing; }
  /// Whether p(x | C_k) may be 0 for a value that can occur: so of discrete laws without smoothing.
  [[nodiscard]] virtual bool excludes() const { return false; }
  /// Why a number cannot be a value of this law ("is not positive"), or empty.
  [[nodiscard]] virtual std::string_view refusal(double x) const;
  /// Throws Error(numeric) with a cure when the rows do not tell the law; `notes` are for the user.
  [[nodiscard]] virtual std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule, std::vector<std::string>& notes) const = 0;
};

/// All of them, in the order of column_families.def.
[[nodiscard]] std::span<const ColumnFamily* const> column_families();
/// Throws Error(usage) with the nearest name when there is none.
[[nodiscard]] const ColumnFamily& find_column_family(std::string_view name);
/// The family of a column whose family the user does not name.
[[nodiscard]] const ColumnFamily& default_family(ColumnKind kind);

}  // namespace logodds::models::naive_bayes
