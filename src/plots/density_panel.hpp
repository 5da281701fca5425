// One column: the density of each class as a curve.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/draw/panel.hpp"
#include "logodds/models/model.hpp"
#include "plots/kernel_density.hpp"

namespace logodds::plots {

/// The density of the values of each class (`classes`: one a value, empty: all are one), over
/// `range`, in the order of the classes that have values: those with most values, kMostKeys of them
/// at most.
struct ClassDensity {
  std::int32_t k = 0;
  DensityCurve curve;
};
[[nodiscard]] std::vector<ClassDensity> class_densities(std::span<const double> values,
                                                        std::span<const std::int32_t> classes,
                                                        const draw::Range& range);
/// 0 to a little more than the highest density.
[[nodiscard]] draw::Range density_range(const std::vector<ClassDensity>& densities);
/// The curves, filled lightly.
void draw_densities(draw::Layer& layer, const draw::Panel& panel,
                    const std::vector<ClassDensity>& densities);

/// A whole picture of one column: the curves with the names of their classes, and below them a
/// strip of the values of each class, every `every`-th row of them.
void draw_strips(draw::Drawing& drawing, const draw::Rect& room, std::span<const double> values,
                 std::span<const std::int32_t> classes, const std::vector<std::string>& names,
                 const std::string& title, std::size_t every);

/// x, then the density of each class: (1 + densities) x points.
[[nodiscard]] NamedArray density_array(const std::string& name,
                                       const std::vector<ClassDensity>& densities);

}  // namespace logodds::plots
