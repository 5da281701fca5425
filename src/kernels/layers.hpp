// Inner loops of a net on plain memory: the units of a layer, and the step of Adam.
//
// As in kernels.hpp: no alignment is asked for, each kernel has a plain reference of the same
// signature, and for a given level results depend on the arguments alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// What a hidden unit makes of its input a: tanh a, 1 / (1 + e^-a), a, or max(a, 0).
enum class Activation : std::uint8_t { tanh, sigmoid, linear, relu };

/// values_i = g(values_i). NaN stays NaN. Relative error of tanh and sigmoid: at most 4 epsilon for
/// every a, subnormal results apart, where it is 2 of the smallest units.
void activate(Activation kind, double* values, std::size_t n);

/// deltas_i *= g'(a_i), given the units' output h_i = g(a_i): 1 - h^2, h (1 - h), 1, or 1 where
/// h > 0 and else 0.
void multiply_slopes(Activation kind, const double* outputs, std::size_t n, double* deltas);

/// One step of Adam (Kingma & Ba, ICLR 2015, algorithm 1) for n parameters:
/// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, theta -= step m / (sqrt(v / c2) + tiny), where
/// step holds the correction of m and c2 = 1 - b2^t is that of v.
struct AdamRates {
  double b1;
  double b2;
  double step;
  double c2;
  double tiny;
};
void adam_update(const AdamRates& rates, const double* gradient, std::size_t n, double* theta,
                 double* m, double* v);

namespace reference {

void activate(Activation kind, double* values, std::size_t n);
void multiply_slopes(Activation kind, const double* outputs, std::size_t n, double* deltas);
void adam_update(const AdamRates& rates, const double* gradient, std::size_t n, double* theta,
                 double* m, double* v);

}  // namespace reference

}  // namespace logodds::kernels
