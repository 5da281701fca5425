// What fits a model, as the command, Python and the web see it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds {

/// What to do with a row that lacks a value. `use`: what the family can do with it; a family that
/// can do nothing leaves it out and counts it, as `skip` does in every family.
enum class MissingRows : std::uint8_t { use, skip, error };

/// `rows...` count what was read: of an update or a forgetting, the rows of its source.
struct FitReport {
  std::size_t rows = 0;            ///< rows used
  std::size_t rows_skipped = 0;    ///< rows left out because a value was missing
  double weight = 0.0;             ///< sum of the weights of all rows of the model
  std::vector<std::string> notes;  ///< sentences for the user
  /// The same by label; of a clustering by cluster.
  std::vector<double> class_weights{};
  std::size_t rows_incomplete = 0;  ///< among `rows`: used although a value is missing
  std::size_t rows_unlabeled = 0;   ///< among `rows`: used although there is no label
  /// With rows that have no label: all weight by label, theirs as EM expects it. Else empty.
  std::vector<double> expected_weights{};
  std::vector<DescriptionTable> tables{};  ///< what the estimator tried: a grid, say
  /// Objective by iteration, of an estimator that iterates.
  std::optional<DescriptionTable> trace{};
  /// What else the estimator found: of K-means E, the steps, how clusters agree with labels.
  std::vector<std::pair<std::string, Cell>> facts{};
  /// Of a clustering: the cluster of every row that was used, in the order of the rows, from 0.
  std::vector<std::int32_t> clusters{};
  bool converged = true;  ///< false: EM was ended by its number of steps
};

struct Fit {
  std::unique_ptr<Classifier> model;
  FitReport report;
};

/// For families whose model keeps its statistics: what arithmetic on them can do. Every result is
/// the model of the resulting rows, with the learner's options.
class Incremental {
 public:
  virtual ~Incremental() = default;
  /// The model of all the rows together. Throws Error(usage) when the columns do not agree.
  [[nodiscard]] virtual Fit merge(std::span<const Classifier* const> models,
                                  const Context& context) const = 0;
  /// The model with the rows of `source` added. A new class or level joins; columns of another name
  /// or kind are refused.
  [[nodiscard]] virtual Fit update(const Classifier& model, BlockSource& source,
                                   MissingRows missing, const Context& context) const = 0;
  /// The model without the rows of `source`, which were among its own. A class or level that is
  /// left without a row goes. Rows that cannot have been there are refused: Error(input).
  [[nodiscard]] virtual Fit forget(const Classifier& model, BlockSource& source,
                                   MissingRows missing, const Context& context) const = 0;
};

class Learner {
 public:
  virtual ~Learner() = default;
  [[nodiscard]] virtual Fit fit(BlockSource& source, MissingRows missing,
                                const Context& context) const = 0;
  /// Null when the family has no incremental interface.
  [[nodiscard]] virtual const Incremental* incremental() const { return nullptr; }
};

}  // namespace logodds
