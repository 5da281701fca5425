// The family k-means: rows to centers, and what the rest of the program sees of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/centers.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/k_means.hpp"
#include "models/clusters/cluster_rows.hpp"
#include "models/clusters/columns.hpp"

namespace logodds::models::k_means {

/// What is told of a fit besides its centers.
struct FitFacts {
  std::vector<double> weights;  ///< of the clusters
  std::vector<double> errors;   ///< of the clusters: they sum to E
  std::int32_t steps = 0;
  KMeansEnd end = KMeansEnd::max_steps;
};

/// "no row changed", "centers still" or "max-iterations"
[[nodiscard]] std::string_view end_text(KMeansEnd end);

/// Scores 0 for the nearest center, ties to the lower index, and -infinity for the others.
class KMeansDiscriminant final : public Centers {
 public:
  /// Centers in the units in which distances are taken, row-major clusters x columns.
  KMeansDiscriminant(const Schema& schema, clusters::Standardization units,
                     std::vector<double> centers, FitFacts facts);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  void center_distances(const RowBlock& block, std::span<double> out) const override;
  [[nodiscard]] Description describe() const;
  /// "centers", in the units of the columns, "weights" and "errors".
  [[nodiscard]] std::vector<NamedArray> arrays() const;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static KMeansDiscriminant load(const modelfile::Reader& reader,
                                               const Schema& schema, const Options& options);

 private:
  void squared_distances(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] std::vector<double> centers_in_columns_units() const;

  std::vector<std::string> labels_;
  Design design_;
  clusters::Standardization units_;
  std::vector<double> centers_;
  FitFacts facts_;
};

struct KMeansFamily {
  using Statistics = clusters::ClusterRows;
  using Discriminant = KMeansDiscriminant;
  static constexpr bool keeps_statistics = false;

  static clusters::ClusterRows start(const Options&) { return {}; }
  /// How many clusters, where the start tells it, and their names.
  static void settle(clusters::ClusterRows& rows, Options& options, Schema& schema,
                     const Context& context, FitReport& report);
  static KMeansDiscriminant estimate(const clusters::ClusterRows& rows, EstimatorInput input);
};

}  // namespace logodds::models::k_means
