// The perceptron of several classes, by itself: Rosenblatt's rule in Kesler's form. A class whose
// score is not the largest by itself makes a mistake; then w_y += z and w_q -= z, q the best of the
// other classes (the first of them at a tie). A row of weight w makes steps of w.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/perceptron/inner_rows.hpp"

namespace logodds::models::perceptron {

struct Learning {
  std::size_t classes = 0;
  std::size_t passes = 10;
  std::uint64_t seed = 0;  ///< every pass has its own order of the rows
  int threads = 1;
  /// Told about every pass, from 1, and its mistakes; may throw.
  std::function<void(std::size_t, std::size_t)> told{};
};

/// One change of the weights.
struct Change {
  std::size_t row = 0;
  std::size_t up = 0;    ///< the row's class
  std::size_t down = 0;  ///< the class that was taken for it
  double step = 0.0;     ///< the row's weight
  double votes = 0.0;    ///< weight of the rows that came until the next change, this one included
};

/// The best class but `label`; `label` itself when there is no other.
[[nodiscard]] std::size_t rival_of(std::span<const double> scores, std::size_t label);

/// Walks through the rows until a pass has no mistake: `scores(row)` are those of a row under the
/// present weights, `change` is told of every mistake. Returns the mistakes of every pass.
std::vector<std::size_t> walk(const InnerRows& rows, const Learning& learning,
                              const std::function<std::span<const double>(std::size_t)>& scores,
                              const std::function<void(const Change&)>& change,
                              std::vector<Change>* history = nullptr);

/// Weights (columns + 1) x classes, row-major, the last row the bias.
struct LinearWeights {
  std::vector<double> last;
  std::vector<double> mean;  ///< over all rows of all passes, as they were after each row
  std::vector<std::size_t> mistakes;
};
/// `history`, if any, is given every change.
[[nodiscard]] LinearWeights learn_linear(const InnerRows& rows, const Learning& learning,
                                         std::vector<Change>* history = nullptr);
/// z W, of a row.
void linear_scores(const InnerRow& row, std::span<const double> weights, std::span<double> out);

}  // namespace logodds::models::perceptron
