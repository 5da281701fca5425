// One of L levels: (n_l + alpha) / (N_k + alpha L). A column of 0 and 1 has these two levels.
#include <array>

#include "models/naive_bayes/columns/levels.hpp"

namespace logodds::models::naive_bayes::columns {

const ColumnFamily& bernoulli();

namespace {

class Categorical final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "categorical"; }
  [[nodiscard]] std::string_view summary() const override {
    return "share of each level, with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::categorical, ColumnKind::binary};
    return kKinds;
  }
  [[nodiscard]] std::string_view refusal(double x) const override { return bernoulli().refusal(x); }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    return rows.column.coded() ? level_law(rows, rule) : bernoulli().estimate(rows, rule, notes);
  }
};

}  // namespace

const ColumnFamily& categorical() {
  static const Categorical family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
