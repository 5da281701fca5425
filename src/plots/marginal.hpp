// p(x, C_k) of one column of numbers, the others integrated out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logodds/draw/scale.hpp"
#include "logodds/logodds.hpp"

namespace logodds::plots {

class Marginal {
 public:
  /// `column` counts the columns of numbers. The model must be Generative, and must stay.
  Marginal(const Classifier& model, std::size_t column);

  [[nodiscard]] std::size_t classes() const { return model_.labels().size(); }
  /// The law of the column has probabilities at 0, 1, 2, ... instead of a density.
  [[nodiscard]] bool whole_numbers() const { return whole_numbers_; }
  /// Where nearly all rows of every class are.
  [[nodiscard]] const draw::Range& view() const { return view_; }
  /// Values of the column among rows drawn from the model, ascending.
  [[nodiscard]] const std::vector<double>& drawn() const { return drawn_; }

  /// ln p(x, C_k), row-major x.size() x classes(); -infinity where a law has no place for x.
  [[nodiscard]] std::vector<double> log_joint(std::span<const double> x) const;

 private:
  void draw_rows();
  [[nodiscard]] bool takes(double x) const;
  void fill_log_joint(std::span<const double> x, std::span<double> out) const;

  const Classifier& model_;
  std::size_t column_;
  bool whole_numbers_ = false;
  draw::Range view_{};
  std::vector<double> drawn_;
};

/// p(x, C_k) as lines between points (jumps are two points of one x): row-major x.size() x classes.
/// Trapezoids between them are the probabilities, to about 1e-6.
struct Profile {
  std::size_t classes = 0;
  std::vector<double> x;  ///< ascending
  std::vector<double> density;
  /// The likeliest class between point i and the next; one less than points.
  std::vector<std::size_t> winner;
  /// Where that changes.
  std::vector<double> boundaries;
  /// A density is infinite somewhere, or too high for its place to be found.
  bool unbounded = false;

  [[nodiscard]] double at(std::size_t i, std::size_t k) const { return density[i * classes + k]; }
};

/// `also`: points that are wanted among the others, as a threshold is.
[[nodiscard]] Profile profile_of(const Marginal& marginal, std::span<const double> also = {});

}  // namespace logodds::plots
