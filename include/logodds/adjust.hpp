// What validation rows and unlabelled rows are good for, for every family: calibration, thresholds,
// shares of classes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/decide/threshold.hpp"
#include "logodds/logodds.hpp"
#include "logodds/models/adjusted.hpp"
#include "logodds/posterior/calibration.hpp"
#include "logodds/posterior/shares.hpp"

namespace logodds {

/// Labelled rows with their posteriors under the model, all kept in memory. Throws Error(input)
/// when there is none.
[[nodiscard]] posterior::ValidationRows validation_rows(const Classifier& model,
                                                        BlockSource& source, ScoreReport& report,
                                                        const Context& context = {},
                                                        MissingRows missing = MissingRows::use);

struct CalibrationReport {
  ScoreReport rows;
  std::string method;
  double log_loss_before = 0.0;  ///< of the validation rows themselves
  double log_loss_after = 0.0;
  std::vector<std::string> notes;
};

/// The model with posteriors calibrated by the labelled rows of `source`; a calibration and
/// thresholds that it has are replaced.
[[nodiscard]] std::unique_ptr<Classifier> calibrate(std::unique_ptr<Classifier> model,
                                                    BlockSource& source, std::string_view method,
                                                    CalibrationReport& report,
                                                    const Context& context = {},
                                                    MissingRows missing = MissingRows::use);

/// The same by rows whose posteriors are those of the model without adjustments. Fills in what the
/// report says besides `rows`.
[[nodiscard]] std::unique_ptr<Classifier> calibrate(std::unique_ptr<Classifier> model,
                                                    posterior::ValidationRows rows,
                                                    std::string_view method,
                                                    CalibrationReport& report);

/// What a threshold is chosen by: costs, or a precision where there are none.
struct ThresholdWish {
  std::size_t label = 0;  ///< the class
  std::optional<decide::Costs> costs{};
  double precision = 0.0;
};

struct ThresholdReport {
  ScoreReport rows;
  decide::ThresholdChoice choice;
  decide::ThresholdChoice before;  ///< by the largest posterior; its `threshold` means nothing
};

/// The model that decides for the class exactly where its posterior reaches the threshold that is
/// best on the labelled rows of `source`. Throws Error(input) when no threshold is good for it.
[[nodiscard]] std::unique_ptr<Classifier> choose_threshold(
    std::unique_ptr<Classifier> model, BlockSource& source, const ThresholdWish& wish,
    ThresholdReport& report, const Context& context = {}, MissingRows missing = MissingRows::use);

/// The same by rows whose posteriors are those of the model without thresholds; `source` names them
/// in messages.
[[nodiscard]] std::unique_ptr<Classifier> choose_threshold(std::unique_ptr<Classifier> model,
                                                           const posterior::ValidationRows& rows,
                                                           const std::string& source,
                                                           const ThresholdWish& wish,
                                                           ThresholdReport& report);

/// The model without thresholds and other priors, and with its calibration only if `calibrated`.
[[nodiscard]] std::unique_ptr<Classifier> stripped(std::unique_ptr<Classifier> model,
                                                   bool calibrated);

struct SharesReport {
  posterior::ShareEstimate estimate;
  std::size_t rows = 0;       ///< read
  std::size_t rows_used = 0;  ///< a random part of them when there are more than fit in 128 MiB
};

/// The priors of a model, one a label. Throws Error(usage) where it has none.
[[nodiscard]] std::vector<double> priors_of(const Classifier& model);

/// The shares of the classes among the rows of `source`, whose labels, if any, are not looked at.
/// The model must have priors (priors_of).
[[nodiscard]] SharesReport estimate_shares(const Classifier& model, BlockSource& source,
                                           const Context& context = {},
                                           MissingRows missing = MissingRows::use);

/// The model with these priors, one a label, in place of its own; one of 0 becomes as small as a
/// prior can be.
[[nodiscard]] std::unique_ptr<Classifier> with_priors(const Classifier& model,
                                                      std::span<const double> priors,
                                                      const Context& context = {});

}  // namespace logodds
