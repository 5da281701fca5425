// The models of all rows but those of one fold, for any number of options.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "choose/table.hpp"
#include "logodds/context.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/registry/registry.hpp"
#include "models/joint_scores.hpp"

namespace logodds::choose {

class FoldModels {
 public:
  virtual ~FoldModels() = default;
  /// Made ready for models with these options, on all threads; called once for each that is wanted.
  virtual void prepare(const Options& options, const Context& context) = 0;
  /// The model without the rows of fold `fold`; may be called by many threads at once.
  [[nodiscard]] virtual Fit without(std::size_t fold, const Options& options,
                                    const Context& context) const = 0;
  /// Where no model is needed for it: writes the posteriors of all rows, each under the model
  /// without its fold, to `out`, rows x labels of the table, and flags the rows that it has done.
  [[nodiscard]] virtual std::vector<std::uint8_t> posteriors(const Options&, std::span<double>,
                                                             const Context&) const {
    return {};
  }
  /// How many models with such options are worth fitting at once, for joint_runs().
  [[nodiscard]] virtual std::size_t held_at_once(const Options&) const { return 1; }
  /// Which of some models without one fold are scored together for less than one by one.
  [[nodiscard]] virtual std::vector<JointRun> joint_runs(std::span<const Classifier* const>) const {
    return {};
  }
};

/// `folds` are ranges of `table`, which must outlive the result; rows outside of all of them train
/// every model. A family in closed form sums the statistics of every fold once, and the training
/// statistics of a fold are those of all the others together; other families are fitted to the
/// rows.
[[nodiscard]] std::unique_ptr<FoldModels> fold_models(const FamilyRecord& family,
                                                      const Table& table,
                                                      std::vector<RowRange> folds,
                                                      MissingRows missing);

/// The same with a fold a row: fold r is row r. In closed form its statistics are taken away from
/// those of all rows.
[[nodiscard]] std::unique_ptr<FoldModels> row_models(const FamilyRecord& family, const Table& table,
                                                     MissingRows missing);

/// Whether its models come from the statistics of folds.
[[nodiscard]] bool from_statistics(const FamilyRecord& family);

}  // namespace logodds::choose
