// A factor of p(x | C_k): the law of one column, or of columns that are modelled together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logodds/models/description.hpp"
#include "models/naive_bayes/column_family.hpp"
#include "models/naive_bayes/plan.hpp"

namespace logodds::models::naive_bayes {

class NaiveStatistics;

/// The rows of a block by columns.
struct ColumnBlock {
  std::size_t rows = 0;
  std::size_t stride = 0;           ///< of `numbers` and of scores
  const double* numbers = nullptr;  ///< column c at numbers + c * stride; NaN where missing
  std::span<const std::int32_t* const> codes;
  std::span<const std::string_view* const> texts{};
  TextTally* tally = nullptr;

  [[nodiscard]] std::span<const double> number_column(std::size_t position) const {
    return {numbers + position * stride, rows};
  }
  [[nodiscard]] std::span<const std::int32_t> code_column(std::size_t position) const {
    return {codes[position], rows};
  }
};

/// One row that is being drawn.
struct DrawnRow {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  void set(const Place& place, double value) {
    if (place.coded) {
      codes[place.position] = static_cast<std::int32_t>(value);
    } else {
      numbers[place.position] = value;
    }
  }
};

class Factor {
 public:
  explicit Factor(std::vector<Place> places) : places_(std::move(places)) {}
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
  virtual ~Factor() = default;

  /// The columns whose values this factor is the law of.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// The columns that its log density depends on: of a tree, the parent too.
  [[nodiscard]] virtual std::vector<Place> inputs() const { return places_; }
  [[nodiscard]] std::string name() const;  ///< "a" or "a+b"
  /// scores[k * stride + r] += ln p(x_r | C_k), but for what all classes have in common. Missing
  /// values are left out.
  virtual void add_scores(const ColumnBlock& block, double* scores) const {
    add_log_densities(block, scores);
  }
  /// The same with everything.
  virtual void add_log_densities(const ColumnBlock& block, double* scores) const = 0;
  /// Columns that others depend on are drawn first.
  virtual void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const = 0;
  [[nodiscard]] virtual double parameter_count() const = 0;
  /// Of the training rows; nothing when the statistics do not tell it.
  [[nodiscard]] virtual std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const = 0;
  [[nodiscard]] virtual std::optional<NaturalForm> natural() const { return {}; }
  /// What the law is called in tables: "gaussian", "table", ...
  [[nodiscard]] virtual std::string law() const = 0;
  /// Parameters by name, one number a class each.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const = 0;
  /// Whether it may give a class probability 0; else a log density of -infinity is an overflow.
  [[nodiscard]] virtual bool excludes() const = 0;
  /// Throws RowProblem for a value that this law has no place for.
  virtual void check(const ColumnBlock& /*block*/) const {}

 private:
  std::vector<Place> places_;
};

}  // namespace logodds::models::naive_bayes
