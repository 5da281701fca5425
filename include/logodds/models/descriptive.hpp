// Models that describe rows and decide nothing: axes, lines. They keep their statistics, so they
// can be merged, updated and made to forget.
#pragma once

#include <memory>
#include <span>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/models/model.hpp"

namespace logodds {

class FittedAxes;
class FittedLine;
struct DescriptiveFit;

class DescriptiveModel : public Model {
 public:
  using Model::Model;

  /// Directions that rows are projected on; null for a model of another kind.
  [[nodiscard]] virtual const FittedAxes* axes() const { return nullptr; }
  /// Regression of one column on others; null for a model of another kind.
  [[nodiscard]] virtual const FittedLine* line() const { return nullptr; }

  // Arithmetic on the statistics, with the options of this model. Each throws Error(usage) when the
  // columns do not agree.
  /// The model of the rows of this and all others together.
  [[nodiscard]] virtual DescriptiveFit merged(std::span<const DescriptiveModel* const> others,
                                              const Context& context) const = 0;
  /// The model with the rows of `source` added.
  [[nodiscard]] virtual DescriptiveFit updated(BlockSource& source, MissingRows missing,
                                               const Context& context) const = 0;
  /// The model without the rows of `source`, which were among its own.
  [[nodiscard]] virtual DescriptiveFit without(BlockSource& source, MissingRows missing,
                                               const Context& context) const = 0;
};

struct DescriptiveFit {
  std::unique_ptr<DescriptiveModel> model;
  FitReport report;
};

}  // namespace logodds
