#include "models/softmax/notes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "logodds/data/schema.hpp"
#include "models/linear/separation.hpp"

namespace logodds::models::softmax {

namespace {

/// The decay below which separable classes are a worry.
constexpr double kSmallDecay = 1e-3;

/// Four digits are enough for people.
std::string rounded(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

std::string why_short(const Solution& solution, const Wish& wish) {
  if (solution.optimizer == "sgd") {
    return " after its " + std::to_string(wish.passes) + " --passes";
  }
  if (solution.iterations >= wish.max_iterations) {
    return " after the " + std::to_string(solution.iterations) + " iterations of --max-iterations";
  }
  return " after " + std::to_string(solution.iterations) +
         " iterations, because no step made the objective smaller";
}

std::string cure(const Solution& solution, const Wish& wish, const FitRows& rows) {
  const double know_nothing = rows.weight * std::log(static_cast<double>(rows.classes));
  const bool steps = solution.optimizer == "sgd" || solution.optimizer == "gradient-descent";
  if (steps && solution.objective > know_nothing) {
    return "its steps were too long, and the objective is above that of equal posteriors; give a "
           "smaller --step, or --optimizer auto";
  }
  if (solution.optimizer == "sgd") {
    return "it circles around the optimum; give more --passes, a smaller --step or --optimizer "
           "auto";
  }
  if (solution.optimizer == "gradient-descent") {
    return "try another --step, or --optimizer auto";
  }
  if (wish.optimizer != "auto") { return "give more --max-iterations, or --optimizer auto"; }
  if (solution.iterations >= wish.max_iterations) { return "give more --max-iterations"; }
  return "give a larger --decay, or bring the columns to like scales";
}

}  // namespace

bool nearly_separable(const Solution& solution, const FitRows& rows) {
  return linear::nearly_separable(solution.objective, {rows.labels, rows.rows}, rows.weights);
}

void note_outcome(const Solution& solution, const Wish& wish, const FitRows& rows,
                  std::vector<std::string>& notes) {
  if (wish.optimizer == "auto") {
    notes.push_back("optimizer: " + solution.optimizer + " (--optimizer auto)");
  }
  const bool decayed = wish.decay > 0.0 || wish.l1 > 0.0;  // without, this would be an error
  if (decayed && wish.decay < kSmallDecay && wish.l1 < kSmallDecay &&
      nearly_separable(solution, rows)) {
    notes.emplace_back(
        "the classes are separable, or nearly so: only the decay bounds the coefficients, and "
        "posteriors lie close to 0 and 1; a larger --decay, such as 0.1, makes them more cautious");
  }
  if (!solution.converged) {
    notes.push_back(solution.optimizer + " stopped short of the optimum" +
                    why_short(solution, wish) + ", with a gradient of " +
                    rounded(solution.gradient_norm / rows.weight) +
                    " per unit of weight where --tolerance " + format_number(wish.tolerance) +
                    " is asked for; " + cure(solution, wish, rows));
  }
}

}  // namespace logodds::models::softmax
