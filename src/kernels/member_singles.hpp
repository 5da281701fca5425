// Products of standardised columns over some of the rows, in single precision.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Of standardised columns z_i = (x_i - center_i) scale_i over the rows with the n numbers
/// `members`, in about 6 digits: sums (d) += sum_m z_m, scatter (d x d, row-major) += sum_m z_m
/// z_m^T, lower triangle with the diagonal only.
void member_singles(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* center, const double* scale, double* sums,
                    double* scatter);

namespace reference {

/// In doubles.
void member_singles(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* center, const double* scale, double* sums,
                    double* scatter);

}  // namespace reference

}  // namespace logodds::kernels
