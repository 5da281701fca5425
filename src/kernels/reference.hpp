// Every kernel of kernels.hpp as plain loops, in the order of the formula: what the vector versions
// are tested against, and what the level "plain" runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.hpp"

namespace logodds::kernels::reference {

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter);
void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter);
void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares);
void observed_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                   std::size_t stride, const double* weights, const double* shift,
                   double* weight_sums, double* sums, double* squares);
void rank_one_add(const double* x, std::size_t d, double factor, double* scatter);
void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out);
void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out);
void gaussian_column_add(const double* x, std::size_t n, const double* means,
                         const double* precisions, const double* bias, std::size_t k,
                         std::size_t stride, double* scores);
void linear_column_add(const double* x, std::size_t n, const double* slopes,
                       const double* intercepts, std::size_t k, std::size_t stride, double* scores);
void level_column_add(const std::int32_t* codes, std::size_t n, const double* table,
                      std::size_t width, std::size_t k, std::size_t stride, double* scores);
void transpose_columns(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                       double* columns, std::size_t stride_out);
void store_scores(const double* scores, std::size_t n, std::size_t k, std::size_t stride,
                  double* out);
double kernel_sum(const double* values, const double* weights, std::size_t n, double x,
                  double inverse_h, double shift);
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
bool all_within(const double* x, std::size_t n, double low, double high, bool whole);
std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, Marks kind, char* folded,
                       std::uint64_t* marks, std::size_t at);
void add_rows(const double* table, std::size_t stride, const std::uint32_t* rows,
              const double* factors, std::size_t n, double* sums);

}  // namespace logodds::kernels::reference
