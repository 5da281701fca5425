// What a model says on a plane.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "draw/partition.hpp"
#include "plots/conics.hpp"
#include "plots/plane.hpp"

namespace logodds::plots {

class PlaneModel {
 public:
  PlaneModel(const Classifier& model, const Plane& plane, const Context& context);

  [[nodiscard]] std::size_t classes() const { return model_.labels().size(); }
  /// Scores a_k, points x classes row-major; points in the units of the data.
  void log_scores(std::span<const draw::Point> points, std::span<double> out) const;
  void posteriors(std::span<const draw::Point> points, std::span<double> out) const;
  /// ln p(x, C_k) on the plane; the model is Generative. Columns that stand are integrated out
  /// where `marginal`, which the model must be able to.
  void log_joint(std::span<const draw::Point> points, bool marginal, std::span<double> out) const;

  /// Decisions as labels of a partition of the unit square; classes() stands for none. Margins are
  /// differences of scores; of a model of centers, whose scores tell only which is nearest,
  /// differences of squared distances.
  [[nodiscard]] draw::Labeling decisions() const;
  /// Whether a point's label is classes() somewhere.
  [[nodiscard]] std::size_t label_count() const { return classes() + 1; }
  /// a_k - a_0 as polynomials of the second degree, where the model has a Geometry.
  [[nodiscard]] const std::optional<Conics>& conics() const { return conics_; }
  /// Values between whole numbers are taken as the nearest, because the model takes no others.
  [[nodiscard]] bool rounds() const { return rounds_; }

 private:
  enum class Ask : std::uint8_t { scores, margins, joint, marginal };
  void evaluate(std::span<const draw::Point> points, Ask ask, std::span<double> out) const;
  void evaluate_block(std::span<const draw::Point> points, Ask ask, std::span<double> out) const;
  void fill_row(draw::Point point, bool marginal, double* row) const;
  void find_rounded();
  [[nodiscard]] bool refuses_halves(std::size_t column) const;
  void label(std::span<draw::Sample> samples) const;

  const Classifier& model_;
  const Plane& plane_;
  int threads_;
  std::vector<double> thresholds_;
  std::optional<Conics> conics_;
  std::vector<bool> rounded_;  ///< of the columns of numbers: the law takes whole numbers alone
  bool rounds_ = false;
};

}  // namespace logodds::plots
