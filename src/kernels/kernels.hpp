// Inner loops on plain memory, with vector instructions chosen at run time.
//
// Layout first: `rows` is row-major, n x d, row r at rows + r * stride; n may be 0, no alignment is
// asked for. Working memory is some hundred rows (256 d doubles, say), nothing is printed and
// nothing thrown but std::bad_alloc. Each kernel has a plain reference of the same signature in
// namespace kernels::reference; the two differ by at most 2 m epsilon sum |terms| for a sum of m
// terms, because both add the same terms with one or two roundings each. For a given level results
// depend on the arguments alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::kernels {

/// scatter (d x d, row-major) += sum_r w_r x_r x_r^T, lower triangle with the diagonal only
/// (column j <= row i); the rest is left alone. `weights` null: every w_r is 1.
void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter);

/// The same over the rows with the n numbers `members` (a class, say), around `shift` (d); sums (d)
/// gets sum_m w_m (x_m - shift) added. `weights` are by row, or null.
void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter);

/// Without the products: sums += sum_m w_m (x_m - shift) and, unless it is null, squares += sum_m
/// w_m (x_m - shift)^2, both d.
void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares);

/// scatter (d x d, lower triangle only) += factor x x^T.
void rank_one_add(const double* x, std::size_t d, double factor, double* scatter);

/// out (n x k, row-major) = bias_k + sum_i (x_ri - center_i) coefficients[i*k + k'].
void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out);

/// out[r*k + c] = bias_c - 1/2 sum_i precisions[c*d + i] (x_ri - means[c*d + i])^2.
void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out);

/// out[r * out_stride] = || L^-1 (x_r - mean) ||^2 by forward substitution, L (d x d, row-major)
/// lower triangular with positive diagonal. `inverse_diagonal`: 1 / L_ii.
void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride);

/// out[r*k + c] = bias_c - 1/2 || L_c^-1 (x_r - means_c) ||^2: mahalanobis() of k classes, the rows
/// transposed once. means k x d, factors k x d x d, inverse_diagonals k x d. The solution z of each
/// substitution is that of a system whose entries differ by at most (d + 2) epsilon of themselves
/// (Higham, Accuracy and Stability, theorem 8.5), however ill-conditioned L is.
void quadratic_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                      const double* means, const double* factors, const double* inverse_diagonals,
                      const double* bias, std::size_t k, double* out);

/// gradient (d x k, row-major) += sum_r (x_r - center) residuals_r^T, residuals n x k row-major.
void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient);

/// In place, scores n x k row-major: every row becomes exp(a - max) / sum; `log_sums` (n, or null)
/// receives max + ln sum. Rows of -infinity only become uniform, with log sum -infinity. Relative
/// error of a posterior: at most (|a - max| + k + 4) epsilon.
void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums);

/// out[r] = the place of the largest of row r's k >= 1 scores, none of them NaN; ties go to the
/// first. No arithmetic, so no error.
void argmax_rows(const double* scores, std::size_t n, std::size_t k, std::int32_t* out);

/// out[q * m + p] = sum_i (query_qi - point_pi)^2, summed in the order of i without fused
/// operations: the same bits at every level, so neighbors and ties do not depend on the machine.
void squared_distances(const double* queries, std::size_t n, std::size_t query_stride,
                       const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                       double* out);

/// A hint: this thread will soon read `count` doubles at `next`. Kernels ask for that memory while
/// they compute; nothing is read, so it need not be there any more. A count of 0 takes the hint
/// back.
void announce(const double* next, std::size_t count);

/// True when none of the n x d values is NaN or infinite.
bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride);

/// Vector levels this machine can run, best first: "avx512", "avx2", "sse4", "plain".
[[nodiscard]] std::vector<std::string> available_levels();
/// The level in use.
[[nodiscard]] std::string level();
/// Uses `name` from now on; empty: the best. Throws Error(usage) naming the available ones.
/// Not to be called while other threads compute.
void set_level(std::string_view name);

}  // namespace logodds::kernels
