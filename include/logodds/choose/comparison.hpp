// Which family predicts these rows best: all of them on the same folds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/choose/cross_validation.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::choose {

/// A family with options, as it is to be tried.
struct Candidate {
  std::string family;
  OptionMap options{};
  /// "gaussian (covariance own)"
  [[nodiscard]] std::string title() const;
};

/// "gaussian,gaussian:covariance=own:ridge=0.1": families, and options after colons. Throws
/// Error(usage).
[[nodiscard]] std::vector<Candidate> parse_candidates(std::string_view text);
/// Every family with the options that it has by default, and gaussian with own covariances as well.
[[nodiscard]] std::vector<Candidate> all_candidates();

struct ComparisonRequest {
  std::vector<Candidate> candidates{};  ///< empty: all_candidates() that apply to the rows
  std::size_t folds = 10;
  std::size_t repeats = 1;
  MissingRows missing = MissingRows::use;
};

/// Loss of a candidate minus that of the best. The interval is Nadeau & Bengio's (2003), which
/// allows for training sets that overlap: s^2 (1 / J + n_test / n_train) over J folds.
struct Difference {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Rows that only one of the two decides rightly, in the first repeat, and the exact probability of
/// a split at least as uneven if both erred equally often.
struct McNemar {
  std::size_t only_best = 0;
  std::size_t only_other = 0;
  double p_value = 1.0;
};

struct Compared {
  Candidate candidate;
  std::string failure{};  ///< why there is no result
  bool fits = true;       ///< false: the family is not made for such rows
  Estimate error_rate{};
  Estimate log_loss{};
  Estimate brier{};
  /// Of the model of all rows on these rows: what is far below the above is learnt by heart.
  double train_error_rate = 0.0;
  double train_log_loss = 0.0;
  /// Mean of ln p(x, t) over held-out rows, of generative models: densities of the same columns
  /// can be compared, and nothing else.
  std::optional<double> log_likelihood{};
  std::size_t rows_ruled_out = 0;  ///< held-out rows whose class had posterior 0, in all repeats
  double seconds = 0.0;            ///< for all fits and scores
  Difference log_loss_difference{};
  Difference error_rate_difference{};
  McNemar mcnemar{};
};

struct Comparison {
  std::vector<std::string> labels;
  std::size_t rows = 0;
  /// Rows that some model could not score because a value is missing: no measure counts them.
  std::size_t rows_skipped = 0;
  std::size_t folds = 0;
  std::size_t repeats = 1;
  /// By log loss, the least first; failures last.
  std::vector<Compared> models;
  std::unique_ptr<Classifier> winner;  ///< of all rows
  std::vector<std::string> notes;
};

/// Throws Error when no candidate can be fitted, and where cross_validate() does.
[[nodiscard]] Comparison compare(BlockSource& source, const ComparisonRequest& request,
                                 const Context& context = {});

}  // namespace logodds::choose
