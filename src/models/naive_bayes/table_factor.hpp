// A factor that is a joint table of discrete columns: p = (n + alpha) / (N_k + alpha cells).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "models/naive_bayes/factor.hpp"
#include "models/naive_bayes/joint_statistic.hpp"

namespace logodds::models::naive_bayes {

class TableFactor final : public Factor {
 public:
  /// `columns` are those of the places, in their order. Throws Error(usage) when there would be
  /// more than `most_cells` cells.
  TableFactor(const JointStatistic& joint, const std::vector<Column>& columns,
              const std::vector<std::string>& labels, double smoothing, double most_cells);

  void add_log_densities(const ColumnBlock& block, double* scores) const override;
  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override;
  [[nodiscard]] double parameter_count() const override;
  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override;
  [[nodiscard]] std::optional<NaturalForm> natural() const override;
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::string law() const override { return "table"; }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override;

  [[nodiscard]] double cells() const { return cells_; }
  [[nodiscard]] double empty_share() const;  ///< of cells that no row is in

 private:
  /// The table summed over the columns that a row lacks.
  struct Marginal {
    std::unordered_map<std::uint64_t, std::vector<double>> logs;  ///< cell to ln p by class
    std::vector<double> empty;                                    ///< of a cell without rows
  };
  [[nodiscard]] std::shared_ptr<const Marginal> marginal(const std::string& observed) const;
  [[nodiscard]] Marginal summed(const std::string& observed) const;
  [[nodiscard]] double log_share(double weight, double cells, std::size_t k) const;
  [[nodiscard]] std::uint64_t index_of(const std::vector<std::int32_t>& codes,
                                       const std::string& observed) const;
  [[nodiscard]] std::string cell_name(const std::vector<std::int32_t>& codes) const;
  [[nodiscard]] std::vector<std::int32_t> codes_at(std::uint64_t cell) const;

  std::vector<std::vector<std::string>> levels_;  ///< of each column
  double cells_ = 1.0;
  double smoothing_;
  std::vector<CellCounts::Cell> counts_;
  std::vector<double> weights_;  ///< N_k
  /// Marginals are made when first wanted, and shared.
  struct Cache {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const Marginal>> marginals;
  };
  std::unique_ptr<Cache> cache_;
};

/// The names of the levels of a discrete column; "0" and "1" of a column of numbers.
[[nodiscard]] std::vector<std::string> levels_of(const Column& column);
/// The code of a row in a discrete column: kMissingCode, kUnseenCode, or a level.
[[nodiscard]] std::int32_t code_at(const ColumnBlock& block, const Place& place, std::size_t r);

}  // namespace logodds::models::naive_bayes
