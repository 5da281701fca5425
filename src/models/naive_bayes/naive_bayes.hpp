// Naive Bayes for any mix of columns: p(x | C_k) is a product of factors.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/words.hpp"
#include "models/naive_bayes/factor.hpp"
#include "models/naive_bayes/simulation.hpp"
#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

/// What an estimator makes.
struct Product {
  std::shared_ptr<const Schema> schema;
  std::vector<double> weights;     ///< of the classes
  std::vector<double> log_priors;  ///< finite
  double prior_parameters = 0.0;
  /// Roots of a tree before what hangs on them.
  std::vector<std::unique_ptr<const Factor>> factors;
  /// Which law each column has, and why: for tables.
  DescriptionTable laws;
  std::optional<DescriptionTable> tree;  ///< which column depends on which
  std::vector<std::pair<std::string, Cell>> facts;
};

class NaiveDiscriminant final : public Generative, public Evidence, public Words {
 public:
  explicit NaiveDiscriminant(Product product);

  [[nodiscard]] bool takes_missing() const { return true; }
  [[nodiscard]] bool takes_unseen_levels() const { return true; }
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  /// priors, weights, and "COLUMN: PARAMETER" for each parameter of each law.
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  [[nodiscard]] NaturalParameters natural_parameters() const;

  [[nodiscard]] std::span<const double> log_priors() const override { return all_->log_priors; }
  [[nodiscard]] double parameter_count() const override;
  void log_joint(const RowBlock& block, std::span<double> out) const override;
  void outlier_p_values(const RowBlock& block, std::span<double> out) const override;
  void sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
              RowBuffer& out) const override;

  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_; }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override;

  [[nodiscard]] std::vector<WordShare> words(const RowBlock& block, std::size_t row,
                                             std::int32_t first,
                                             std::int32_t second) const override;
  [[nodiscard]] std::vector<TextMark> marks(const RowBlock& block, std::size_t row,
                                            std::int32_t first, std::int32_t second) const override;

  [[nodiscard]] std::vector<std::string> text_columns() const override;
  [[nodiscard]] std::vector<std::string> vocabulary(std::size_t column) const override;
  [[nodiscard]] std::vector<std::vector<TopWord>> top_words(std::size_t column,
                                                            std::size_t most) const override;
  /// Null without text columns.
  [[nodiscard]] const Words* words_face() const { return texts_.empty() ? nullptr : this; }
  /// Null with text columns: of documents neither lengths nor orders have a law.
  [[nodiscard]] const Generative* generative() const { return texts_.empty() ? this : nullptr; }

  [[nodiscard]] const Product& product() const { return *all_; }

 private:
  std::shared_ptr<const Product> all_;
  /// What few models are asked for, made when it first is; shared by copies.
  struct Lazy {
    std::once_flag once;
    std::unique_ptr<Simulation> simulation;
    Simulation& simulation_of(const Product& product);
  };
  std::shared_ptr<Lazy> lazy_;
  std::vector<std::string> parts_;
  std::vector<std::size_t> texts_;  ///< which of the factors are of text columns
};

struct NaiveFamily {
  using Statistics = NaiveStatistics;
  using Discriminant = NaiveDiscriminant;
  static constexpr bool keeps_statistics = true;

  static NaiveStatistics start(const Options& options) { return NaiveStatistics(Wish(options)); }
  /// Replaces --blocks auto by the blocks that predict best.
  static void settle(NaiveStatistics& statistics, Options& options, const Schema& schema,
                     const Context& context, FitReport& report);
  static NaiveDiscriminant estimate(const NaiveStatistics& statistics, EstimatorInput input);
  static std::optional<Likelihood> likelihood(const NaiveStatistics& statistics,
                                              const NaiveDiscriminant& discriminant);
  static NaiveStatistics load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                         const Options& options) {
    return NaiveStatistics::load(reader, schema, Wish(options));
  }
};

}  // namespace logodds::models::naive_bayes
