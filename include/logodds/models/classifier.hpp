// A fitted model, as the command, Python and the web see it.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/models/model.hpp"
#include "logodds/models/natural.hpp"

namespace logodds {

class Centers;
class Coefficients;
class Evidence;
class Generative;
class Geometry;
class Neighborhood;
class Words;

/// How well a model fits rows: sum_n w_n ln p(x_n, t_n), and what it took.
struct Likelihood {
  double log_likelihood = 0.0;
  double parameters = 0.0;  ///< free ones
  double weight = 0.0;      ///< of the rows
  [[nodiscard]] double aic() const { return 2.0 * parameters - 2.0 * log_likelihood; }
  [[nodiscard]] double bic() const { return parameters * std::log(weight) - 2.0 * log_likelihood; }
};

class Classifier : public Model {
 public:
  using Model::Model;

  /// Discriminants a_k(x) for every row of the block, up to a constant of the row:
  /// out is row-major, block.rows x labels().size(). The block must be complete (no missing
  /// values) unless the family says it takes them. -infinity is a score. Scores that overflow may
  /// be NaN or infinite: score(), evaluate() and posteriors() refuse such a row.
  virtual void log_scores(const RowBlock& block, std::span<double> out) const = 0;
  /// Whether rows that lack a value can be scored.
  [[nodiscard]] virtual bool takes_missing() const { return false; }
  /// Whether a level that training has not met (kUnseenCode) is more than a missing value.
  [[nodiscard]] virtual bool takes_unseen_levels() const { return false; }
  /// Whether log_scores() takes RowBlock::sparse.
  [[nodiscard]] virtual bool takes_sparse() const { return false; }
  /// What only a model of p(x | C_k) can do; null when this is none.
  [[nodiscard]] virtual const Generative* generative() const { return nullptr; }
  /// Boundaries, distances and axes; null when the family has none to show.
  [[nodiscard]] virtual const Geometry* geometry() const { return nullptr; }
  /// Log odds as sums over columns; null when the scores of this model are none.
  [[nodiscard]] virtual const Evidence* evidence() const { return nullptr; }
  /// Coefficients with their errors; null for a model that is not linear in its features.
  [[nodiscard]] virtual const Coefficients* coefficients() const { return nullptr; }
  /// The training rows near a row; null for a model that does not decide by them.
  [[nodiscard]] virtual const Neighborhood* neighborhood() const { return nullptr; }
  /// Distances to centers; null for a model that has none.
  [[nodiscard]] virtual const Centers* centers() const { return nullptr; }
  /// Vocabularies and what their words say; null for a model without text.
  [[nodiscard]] virtual const Words* words() const { return nullptr; }
  /// Posteriors as a linear function of sufficient statistics; nothing for a model that has none.
  /// Throws Error(usage) when only some column stands in the way, naming it.
  [[nodiscard]] virtual std::optional<NaturalParameters> natural_parameters() const { return {}; }
  /// Of the training rows, where the model's statistics tell it.
  [[nodiscard]] virtual std::optional<Likelihood> training_likelihood() const { return {}; }

  [[nodiscard]] const std::vector<std::string>& labels() const { return schema().labels; }
};

}  // namespace logodds
