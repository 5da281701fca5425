// Every kernel of kernels.hpp as plain loops, in the order of the formula: what the vector versions
// are tested against, and what the level "plain" runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels::reference {

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter);
void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter);
void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares);
void rank_one_add(const double* x, std::size_t d, double factor, double* scatter);
void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out);
void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out);
void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride);
void quadratic_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                      const double* means, const double* factors, const double* inverse_diagonals,
                      const double* bias, std::size_t k, double* out);
void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient);
void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums);
void argmax_rows(const double* scores, std::size_t n, std::size_t k, std::int32_t* out);
void squared_distances(const double* queries, std::size_t n, std::size_t query_stride,
                       const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                       double* out);
bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride);

}  // namespace logodds::kernels::reference
