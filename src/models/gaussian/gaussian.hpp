// Gaussian class-conditional densities: statistics, estimator, discriminant.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/models/natural.hpp"
#include "models/gaussian/densities.hpp"
#include "models/gaussian/scores.hpp"
#include "models/gaussian/statistics.hpp"
#include "models/gaussian/uses.hpp"
#include "models/joint_scores.hpp"

namespace logodds::models::gaussian {

/// A linear boundary, around the middle of its classes:
/// normal . (x - middle) + offset, with a normal of length 1.
struct LinearPair {
  std::vector<double> normal;
  std::vector<double> middle;
  double offset = 0.0;
};

class GaussianDiscriminant final : public Generative, public Geometry {
 public:
  GaussianDiscriminant(const Schema& schema, Design design, std::optional<Projection> projection,
                       Densities densities);

  /// Missing values are integrated out, but not under principal components.
  [[nodiscard]] bool takes_missing() const { return !projection_; }
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  /// priors, weights, means, covariances (one a different one) and whose they are, their diagonals,
  /// and the projection, if any.
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  [[nodiscard]] NamedArray array(std::string_view name) const;
  /// Null under own or group covariances that are full, and under principal components.
  [[nodiscard]] const Evidence* evidence() const;
  /// Over the columns of the design, their squares where variances differ, and their products where
  /// full covariances do; nothing under principal components.
  [[nodiscard]] std::optional<NaturalParameters> natural_parameters() const;

  [[nodiscard]] std::span<const double> log_priors() const override {
    return densities_.log_priors;
  }
  [[nodiscard]] double parameter_count() const override { return densities_.parameter_count(); }
  void log_joint(const RowBlock& block, std::span<double> out) const override;
  void outlier_p_values(const RowBlock& block, std::span<double> out) const override;
  void sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
              RowBuffer& out) const override;

  [[nodiscard]] const std::vector<std::string>& column_names() const override {
    return design_.names();
  }
  [[nodiscard]] std::vector<Boundary> boundaries() const override;
  void signed_distances(const RowBlock& block, std::span<double> out) const override;
  [[nodiscard]] std::size_t axis_count() const override;
  void project(const RowBlock& block, std::size_t axes, std::span<double> out) const override;

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const Densities& densities() const { return densities_; }
  [[nodiscard]] const std::optional<Projection>& projection() const { return projection_; }
  [[nodiscard]] const Scores& scores() const { return scores_; }

 private:
  /// Design rows, projected where the model is.
  [[nodiscard]] DesignRows rows_of(const RowBlock& block, std::vector<double>& scratch,
                                   std::vector<double>& projected) const;

  Schema schema_;
  Design design_;
  std::optional<Projection> projection_;
  Densities densities_;
  Scores scores_;
  /// What few models are asked for, made when it first is; shared by copies.
  struct Lazy;
  [[nodiscard]] const std::vector<LinearPair>& linear_pairs() const;
  [[nodiscard]] const CanonicalAxes& axes() const;
  std::shared_ptr<Lazy> lazy_;
};

class GaussianExpectation;

struct GaussianFamily {
  using Statistics = GaussianStatistics;
  using Discriminant = GaussianDiscriminant;
  using Expectation = GaussianExpectation;  ///< in expectation.hpp
  static constexpr bool keeps_statistics = true;

  static GaussianStatistics start(const Options& options);
  static GaussianDiscriminant estimate(const GaussianStatistics& statistics, EstimatorInput input);
  /// Says `own` where --blend makes it so, replaces --blend auto by the pair that predicts best
  /// (blend.cpp), and keeps what EM made of incomplete rows.
  static void settle(GaussianStatistics& statistics, Options& options, const Schema& schema,
                     const Context& context, FitReport& report);
  static std::optional<Likelihood> likelihood(const GaussianStatistics& statistics,
                                              const GaussianDiscriminant& discriminant);
  /// How many models with such options, over these columns, are worth holding at once, because
  /// joint_runs() may score them together; 1 where it does not.
  static std::size_t held_at_once(const Options& options, const Schema& schema);
  static std::vector<JointRun> joint_runs(std::span<const GaussianDiscriminant* const> models);
  static GaussianStatistics load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                            const Options& options);
};

}  // namespace logodds::models::gaussian
