// The different values of one column of numbers with their weights by class: the whole of what the
// rows say about it. Memory grows with the number of different values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

namespace modelfile {
class Reader;
class Writer;
}  // namespace modelfile

class ValueTable {
 public:
  /// `column`: the place among the columns of numbers.
  void add(const RowBlock& block, std::size_t column);
  void merge(const ValueTable& other);
  /// Throws Error(input) when a value would have less than no weight.
  void unmerge(const ValueTable& other, const std::vector<std::string>& labels,
               const std::string& column);
  /// New places of the classes; -1 drops one.
  void recode(std::span<const std::int32_t> labels);

  struct Entry {
    double value;
    std::int32_t label;
    double weight;
  };
  /// By value, then by label; each pair once.
  [[nodiscard]] std::vector<Entry> entries() const;

  void save(modelfile::Writer& writer, const std::string& prefix) const;
  [[nodiscard]] static ValueTable load(const modelfile::Reader& reader, std::size_t classes,
                                       const std::string& prefix);

 private:
  void compact();

  std::vector<Entry> entries_;
  std::size_t compacted_ = 0;  ///< so many of them are in order, and different
};

}  // namespace logodds
