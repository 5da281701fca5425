// What is kept of columns that are modelled together: full moments if they are numbers, weights of
// cells if they are discrete. Rows that lack one of the columns do not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/stats/class_moments.hpp"
#include "models/naive_bayes/plan.hpp"
#include "stats/cell_counts.hpp"

namespace logodds::models::naive_bayes {

class JointStatistic {
 public:
  /// Places in ascending order of the table's columns.
  explicit JointStatistic(std::vector<Place> places);

  /// Far more than `most_cells` different cells are refused: Error(usage).
  void add(const RowBlock& block, const Shape& shape, double most_cells);
  void merge(const JointStatistic& other);
  void unmerge(const JointStatistic& other, const Schema& schema);
  void recode(const Recoding& recoding);

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] std::string name() const;  ///< "a+b"
  /// There unless a column is coded.
  [[nodiscard]] const std::optional<ClassMoments>& moments() const { return moments_; }
  /// There while every number is 0 or 1, its own code.
  [[nodiscard]] const std::optional<CellCounts>& cells() const { return cells_; }
  /// Of the rows of class k that have all the columns.
  [[nodiscard]] double weight(std::size_t k) const;
  [[nodiscard]] std::size_t doubles(std::size_t classes) const;

  void save(modelfile::Writer& writer, std::size_t classes, const std::string& prefix) const;
  [[nodiscard]] static JointStatistic load(const modelfile::Reader& reader,
                                           std::vector<Place> places, const Shape& shape,
                                           const std::string& prefix);

 private:
  void add_moments(const RowBlock& block, const Shape& shape);
  void add_cells(const RowBlock& block, double most_cells);

  std::vector<Place> places_;
  std::optional<ClassMoments> moments_;
  std::optional<CellCounts> cells_;
};

}  // namespace logodds::models::naive_bayes
