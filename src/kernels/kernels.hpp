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

/// The same over the values that are there, NaN being missing: weight_sums += sum of the w_m whose
/// x_m is there, sums and squares as above over these; all three d.
void observed_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                   std::size_t stride, const double* weights, const double* shift,
                   double* weight_sums, double* sums, double* squares);

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

// One column's share of the scores: x (n) is one column, scores are by class, scores[c * stride +
// r] for class c of k and row r; where x_r is missing (NaN, a code of -1) nothing is added.

/// += bias_c - 1/2 precisions_c (x_r - means_c)^2
void gaussian_column_add(const double* x, std::size_t n, const double* means,
                         const double* precisions, const double* bias, std::size_t k,
                         std::size_t stride, double* scores);
/// += intercepts_c + slopes_c x_r
void linear_column_add(const double* x, std::size_t n, const double* slopes,
                       const double* intercepts, std::size_t k, std::size_t stride, double* scores);
/// += table[c * width + codes_r + 2]: codes are -2 (unseen), -1 (missing, where the table holds 0),
/// 0, ..., width - 3.
void level_column_add(const std::int32_t* codes, std::size_t n, const double* table,
                      std::size_t width, std::size_t k, std::size_t stride, double* scores);
/// columns[i * stride_out + r] = rows[r * stride + i]: the block by columns, as the three above
/// want it. Three times as fast when `columns` is at a multiple of 64 bytes and stride_out an odd
/// multiple of 8, so that the columns do not compete for the same lines of the cache.
void transpose_columns(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                       double* columns, std::size_t stride_out);
/// out (n x k, row-major) = scores[c * stride + r]: and back.
void store_scores(const double* scores, std::size_t n, std::size_t k, std::size_t stride,
                  double* out);
/// sum_v weights_v exp(-1/2 ((values_v - x) / h)^2 + shift) over n values: a kernel density without
/// its constants. `shift` keeps the largest term in range.
[[nodiscard]] double kernel_sum(const double* values, const double* weights, std::size_t n,
                                double x, double inverse_h, double shift);

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

/// True when every one of the n values is NaN or from `low` to `high`, and a whole number if asked.
bool all_within(const double* x, std::size_t n, double low, double high, bool whole);

/// Which bytes of a text are marked: letters, digits and underscores; or all but white space.
enum class Marks : std::uint8_t { words, items };

/// Copies the first of the n bytes to folded + at, `lower`: with A-Z as a-z, until one is not
/// ASCII, and returns how many these are. Sets bit `at` + i of `marks` where byte i is marked. From
/// bit `at` on `marks` must be 0 to the end of the next 64 bits, and is so again behind the bytes
/// taken. 64 bytes more than n may be written to folded + at.
[[nodiscard]] std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, Marks kind,
                                     char* folded, std::uint64_t* marks, std::size_t at);

/// sums[c] += sum_i factors[i] * table[rows[i] * stride + c] for the `stride` columns, a multiple
/// of 8, in the order of i; factors null: 1.
void add_rows(const double* table, std::size_t stride, const std::uint32_t* rows,
              const double* factors, std::size_t n, double* sums);

/// Vector levels this machine can run, best first: "avx512", "avx2", "sse4", "plain".
[[nodiscard]] std::vector<std::string> available_levels();
/// The level in use.
[[nodiscard]] std::string level();
/// Uses `name` from now on; empty: the best. Throws Error(usage) naming the available ones.
/// Not to be called while other threads compute.
void set_level(std::string_view name);

}  // namespace logodds::kernels
