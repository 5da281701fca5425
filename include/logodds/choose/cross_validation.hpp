// Cross-validation: how well models predict rows that they have not seen, for a whole grid
// of options.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/learner.hpp"

namespace logodds::choose {

/// Options of a family by name, as they would be typed.
using OptionMap = std::map<std::string, std::string>;

/// One option and the values that are tried.
struct GridAxis {
  std::string option;
  std::vector<std::string> values;
};

/// "blend=0,0.5,1;ridge=0,0.1": options, and values that are tried. A comma or semicolon that
/// belongs to a value is written after a backslash. Throws Error(usage).
[[nodiscard]] std::vector<GridAxis> parse_grid(std::string_view text);

struct CrossValidationRequest {
  std::string family;
  OptionMap options{};
  /// Every combination of values is tried; values of one option are to be listed from the most
  /// flexible model to the simplest, which is what the one-standard-error rule goes by.
  std::vector<GridAxis> grid{};
  std::size_t folds = 10;
  bool leave_one_out = false;  ///< `folds` then means nothing
  std::size_t repeats = 1;     ///< with other folds each
  MissingRows missing = MissingRows::use;
  bool keep_posteriors = false;
  /// Told in a sentence, before the work begins, when it is going to be long.
  std::function<void(const std::string&)> announce{};
};

/// A mean over held-out rows. The standard error is that of the means of the folds (of the rows, in
/// leave-one-out): repeats make it steadier, not smaller, because the rows are the same. The
/// interval has 95 %, by Student's t with folds - 1 degrees of freedom.
struct Estimate {
  double value = 0.0;
  double standard_error = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Means over the rows of one fold.
struct FoldResult {
  std::size_t rows = 0;
  double weight = 0.0;
  double error_rate = 0.0;
  double log_loss = 0.0;
  double brier = 0.0;
};

/// What one combination of the grid came to.
struct GridPoint {
  OptionMap options{};    ///< those of the grid
  std::string failure{};  ///< why a fold could not be fitted; the rest then means nothing
  Estimate error_rate{};
  Estimate log_loss{};
  Estimate brier{};
  std::vector<FoldResult> folds{};  ///< repeat by repeat; none of leave-one-out
  /// Of the first repeat, rows x labels in the order of the rows, NaN for rows that were skipped;
  /// only if asked for.
  std::vector<double> posteriors{};
};

struct CrossValidation {
  std::string family;
  OptionMap options;
  std::vector<std::string> labels;
  std::size_t rows = 0;            ///< that were held out and scored
  std::size_t rows_skipped = 0;    ///< not scored because a value is missing
  std::size_t rows_ruled_out = 0;  ///< whose class had posterior 0 under the chosen point
  std::size_t folds = 0;           ///< of leave-one-out as many as rows
  std::size_t repeats = 1;
  bool leave_one_out = false;
  bool from_statistics = false;  ///< folds are sums taken away from sums; else rows fitted anew
  std::vector<GridPoint> grid;
  std::size_t best = 0;  ///< least log loss
  /// The simplest whose log loss is within one standard error of the best's.
  std::size_t chosen = 0;
  std::vector<std::string> notes;
};

/// Reads all rows once, into memory, and holds out each of them once a repeat. Throws Error(usage)
/// when a class has fewer rows than there are folds (than two, in leave-one-out).
[[nodiscard]] CrossValidation cross_validate(BlockSource& source,
                                             const CrossValidationRequest& request,
                                             const Context& context = {});

}  // namespace logodds::choose
