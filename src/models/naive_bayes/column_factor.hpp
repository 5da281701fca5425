// A factor that is the law of one column.
#pragma once

#include "models/naive_bayes/factor.hpp"

namespace logodds::models::naive_bayes {

class ColumnFactor final : public Factor {
 public:
  /// `column`: its place in the schema.
  ColumnFactor(const Schema& schema, std::size_t column, Place place, const ColumnFamily& family,
               std::unique_ptr<ColumnLaw> law);

  void add_scores(const ColumnBlock& block, double* scores) const override;
  void add_log_densities(const ColumnBlock& block, double* scores) const override;
  void draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const override;
  [[nodiscard]] double parameter_count() const override { return law_->parameter_count(); }
  [[nodiscard]] std::optional<double> log_likelihood(
      const NaiveStatistics& statistics) const override;
  [[nodiscard]] std::optional<NaturalForm> natural() const override { return law_->natural(); }
  [[nodiscard]] std::string law() const override { return std::string(family_.name()); }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return law_->parameters();
  }
  [[nodiscard]] bool excludes() const override { return family_.excludes(); }
  void check(const ColumnBlock& block) const override;

 private:
  const Schema& schema_;
  std::size_t column_;
  const ColumnFamily& family_;
  bool restricted_;  ///< the family has no place for some numbers
  std::unique_ptr<ColumnLaw> law_;
};

/// scores[k * stride + r] += ln p(x_r | C_k) of every value that is there.
void add_log_densities(const ColumnLaw& law, const Place& place, const ColumnBlock& block,
                       double* scores);

}  // namespace logodds::models::naive_bayes
