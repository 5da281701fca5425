// What fits a model, as the command, Python and the web see it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds {

/// What to do with a row that lacks a value, in a family that cannot use it.
enum class MissingRows : std::uint8_t { skip, error };

struct FitReport {
  std::size_t rows = 0;            ///< rows used
  std::size_t rows_skipped = 0;    ///< rows left out because a value was missing
  double weight = 0.0;             ///< sum of the weights of the rows used
  std::vector<std::string> notes;  ///< sentences for the user
  /// Sum of the weights of the rows used, by label.
  std::vector<double> class_weights{};
};

struct Fit {
  std::unique_ptr<Classifier> model;
  FitReport report;
};

/// For families whose model keeps its statistics.
class Incremental {
 public:
  virtual ~Incremental() = default;
  /// The model of all the rows together. Throws Error(usage) when the columns do not agree.
  [[nodiscard]] virtual std::unique_ptr<Classifier> merge(std::span<const Classifier* const> models,
                                                          const Context& context) const = 0;
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
