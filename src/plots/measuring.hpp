// What the pictures of measures share: how rows are decided, what comes of it, and its numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plots/support.hpp"

namespace logodds::plots {

/// The class that the option "class" names; nothing where it is empty. Throws Error(usage) with the
/// nearest name.
[[nodiscard]] std::optional<std::size_t> chosen_class(const Options& options,
                                                      const Classifier& model);

/// How rows are decided.
struct Deciding {
  std::optional<decide::Policy> policy{};  ///< nothing: as the model does
  std::string words;                       ///< "by the largest posterior"
};
/// As the options "cost" and "thresholds" say, else as the model does.
[[nodiscard]] Deciding chosen_deciding(const Options& options, const Classifier& model);

/// What a picture shows of an evaluation, beyond the confusion matrix.
struct Shown {
  std::size_t bins = 0;  ///< of the calibration; 0: it is not shown
  bool rows = false;     ///< curves, or intervals that need the rows themselves
};
/// Decides all rows and compares with their labels, which must be there. That of the input, if it
/// has one that was decided alike and holds what is shown. Throws Error(input) where there is no
/// row with a label, Error(usage) where there are no rows and the evaluation lacks something.
[[nodiscard]] std::shared_ptr<const Evaluation> evaluate_rows(const PlotInput& input,
                                                              const Classifier& model,
                                                              const Context& context,
                                                              const Shown& shown,
                                                              const Deciding& deciding = {});
/// The rows themselves. Throws Error(usage) where they were too many to keep.
[[nodiscard]] const measure::KeptRows& kept_rows(const Evaluation& evaluation,
                                                 std::string_view kind);

/// "0.980 (0.951 to 0.993)", without the interval where there is none.
[[nodiscard]] std::string estimate_text(const measure::Estimate& estimate, int decimals = 3);
/// The same as shares: "2.0 % (0.7 % to 4.9 %)".
[[nodiscard]] std::string share_text(const measure::Estimate& estimate);

/// x and y of every point, row-major.
[[nodiscard]] NamedArray points_array(std::string name, const std::vector<draw::Point>& points);
/// The points at their places on the page.
[[nodiscard]] std::vector<draw::Point> on_page(const draw::Panel& panel,
                                               std::vector<draw::Point> points);
/// Without those that nobody would miss on the page; in the units of the data, as they were.
[[nodiscard]] std::vector<draw::Point> thinned(const draw::Panel& panel,
                                               const std::vector<draw::Point>& line);

}  // namespace logodds::plots
