// Small made tables for tests: rows of text, CSV out, models trained and rows scored from it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "data/csv_source.hpp"
#include "logodds/logodds.hpp"

namespace logodds::test {

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::size_t column(const std::string& name) const;
  void add_column(const std::string& name, const std::string& value);
  void permute_rows(std::mt19937_64& random);
  void permute_columns(std::mt19937_64& random);
};

/// Five columns of numbers in different units, a column of three levels, one of two, and a target
/// `class` with `classes` labels; the classes overlap.
[[nodiscard]] Table made_table(std::size_t rows, std::size_t classes, std::uint64_t seed);

/// The same columns, where the numbers are counts that can switch `class1` on, each by itself.
[[nodiscard]] Table made_causes(std::size_t rows, std::uint64_t seed);

/// Whether the family reads numbers as causes, which are there 0, 1, 2, ... times.
[[nodiscard]] bool takes_causes(const FamilyRecord& family);

/// made_table(), or made_causes() where the family wants them, with two classes if it takes no
/// more.
[[nodiscard]] Table suited_table(const FamilyRecord& family, std::size_t rows, std::size_t classes,
                                 std::uint64_t seed);

using OptionMap = std::map<std::string, std::string>;

/// A family that takes no numbers is given the levels alone.
[[nodiscard]] Fit train_table(const Table& table, const std::string& family,
                              const OptionMap& options, int threads = 2,
                              const std::string& weights = {});

/// Posteriors of every row, row-major rows x labels.
[[nodiscard]] std::vector<double> posteriors_of(const Classifier& model, const Table& table,
                                                int threads = 2);

/// Largest absolute difference.
[[nodiscard]] double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace logodds::test
