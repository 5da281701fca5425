// Weights of the rows by class and joint value of several discrete columns: the cells of a table
// that any row has been in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class CellCounts {
 public:
  explicit CellCounts(std::size_t columns = 0) : columns_(columns) {}

  /// One row: a code >= 0 for each column.
  void add(std::span<const std::int32_t> codes, std::size_t label, double weight);
  void merge(const CellCounts& other);
  /// Throws Error(input) naming `place` when a cell would have less than no weight.
  void unmerge(const CellCounts& other, const std::string& place);
  /// Codes of each column and labels to their new places; -1 drops the cell. An empty map leaves
  /// the codes of its column as they are.
  void recode(std::span<const std::int32_t> labels,
              std::span<const std::vector<std::int32_t>> codes);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return index_.size(); }

  /// Of all cells together.
  [[nodiscard]] double weight(std::size_t k) const;

  struct Cell {
    std::vector<std::int32_t> codes;
    std::vector<double> weights;  ///< by class, as many as are asked for
  };
  /// In ascending order of their codes.
  [[nodiscard]] std::vector<Cell> cells(std::size_t classes) const;

  void save(modelfile::Writer& writer, std::size_t classes, const std::string& prefix) const;
  [[nodiscard]] static CellCounts load(const modelfile::Reader& reader, std::size_t classes,
                                       std::span<const std::size_t> levels,
                                       const std::string& prefix);

 private:
  using Key = std::u32string;  ///< two columns fit into the string object itself

  std::size_t columns_;
  std::unordered_map<Key, std::vector<double>> index_;
};

}  // namespace logodds
