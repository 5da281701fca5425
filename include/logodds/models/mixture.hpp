// Gaussian mixtures: groups of rows that nobody has labelled, found by EM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/learner.hpp"

namespace logodds {

/// Where a mixture starts: with K-means clusters of the rows in units of the columns' deviations,
/// or with random shares of every row in every component.
enum class MixtureStart : std::uint8_t { k_means, random };

struct MixtureRule {
  std::size_t components = 1;
  MixtureStart start = MixtureStart::k_means;
  std::size_t restarts = 1;  ///< starts, of which that with the largest likelihood counts
  std::size_t max_iterations = 1000;
  double tolerance = 1e-6;  ///< ends when a step changes the mean log-likelihood of a row by less
  /// Instead of `start`: shares of the rows in the components, row-major rows x components, each
  /// row non-negative with sum 1. The rows are those that count, see MixtureRows::rows().
  std::span<const double> shares{};
  /// Instead of `start`: a center for each component, row-major components x columns (of levels:
  /// an indicator each); every row begins in the component of the nearest, in units of the columns'
  /// deviations.
  std::span<const double> centers{};
};

/// Rows that mixtures are fitted to, read once and kept in memory (a row-major float64 matrix stays
/// where it lies, and must).
class MixtureRows {
 public:
  /// `options` are of the family gaussian; covariances are `own` unless they say otherwise. Labels,
  /// where the source has some, change nothing.
  MixtureRows(BlockSource& source, const std::map<std::string, std::string>& options,
              const Context& context, MissingRows missing = MissingRows::use);
  MixtureRows(const MixtureRows&) = delete;
  MixtureRows& operator=(const MixtureRows&) = delete;
  ~MixtureRows();

  /// A model of the family gaussian with the classes 1, ..., K: every row counts in every class by
  /// its posterior. Its training_likelihood() is that of the rows, whatever their component.
  /// Throws Error(numeric) when a component collapses in every start, naming it and the cure.
  [[nodiscard]] Fit fit(const MixtureRule& rule, const Context& context) const;

  /// Rows of positive weight, without those that the options leave out.
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] const Schema& schema() const;  ///< without labels
  /// Adds to the report how the components that decide for the rows agree with their labels, where
  /// they have some.
  void compare_with_labels(Fit& fit, const Context& context) const;

  struct Parts;  ///< in src/models/mixture/rows.hpp

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace logodds
