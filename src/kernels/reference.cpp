#include "kernels/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace logodds::kernels::reference {

void scatter_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* weights, double* scatter) {
  for (std::size_t r = 0; r < n; ++r) {
    const double* x = rows + r * stride;
    const double weight = weights != nullptr ? weights[r] : 1.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double weighted = weight * x[i];
      for (std::size_t j = 0; j <= i; ++j) { scatter[i * d + j] += weighted * x[j]; }
    }
  }
}

void member_scatter(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* weights, const double* shift, double* sums,
                    double* scatter) {
  std::vector<double> centered(d);
  for (std::size_t m = 0; m < n; ++m) {
    const double* x = rows + members[m] * stride;
    const double weight = weights != nullptr ? weights[members[m]] : 1.0;
    for (std::size_t i = 0; i < d; ++i) { centered[i] = x[i] - shift[i]; }
    for (std::size_t i = 0; i < d; ++i) { sums[i] += weight * centered[i]; }
    rank_one_add(centered.data(), d, weight, scatter);
  }
}

void member_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                 std::size_t stride, const double* weights, const double* shift, double* sums,
                 double* squares) {
  for (std::size_t m = 0; m < n; ++m) {
    const double* x = rows + members[m] * stride;
    const double weight = weights != nullptr ? weights[members[m]] : 1.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double deviation = x[i] - shift[i];
      sums[i] += weight * deviation;
      if (squares != nullptr) { squares[i] += weight * deviation * deviation; }
    }
  }
}

void observed_sums(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                   std::size_t stride, const double* weights, const double* shift,
                   double* weight_sums, double* sums, double* squares) {
  for (std::size_t m = 0; m < n; ++m) {
    const double* x = rows + members[m] * stride;
    const double weight = weights != nullptr ? weights[members[m]] : 1.0;
    for (std::size_t i = 0; i < d; ++i) {
      if (std::isnan(x[i])) { continue; }
      const double deviation = x[i] - shift[i];
      weight_sums[i] += weight;
      sums[i] += weight * deviation;
      squares[i] += weight * deviation * deviation;
    }
  }
}

void rank_one_add(const double* x, std::size_t d, double factor, double* scatter) {
  for (std::size_t i = 0; i < d; ++i) {
    const double scaled = factor * x[i];
    for (std::size_t j = 0; j <= i; ++j) { scatter[i * d + j] += scaled * x[j]; }
  }
}

void affine_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                   const double* center, const double* coefficients, const double* bias,
                   std::size_t k, double* out) {
  for (std::size_t r = 0; r < n; ++r) {
    double* scores = out + r * k;
    std::copy_n(bias, k, scores);
    for (std::size_t i = 0; i < d; ++i) {
      const double deviation = rows[r * stride + i] - center[i];
      for (std::size_t c = 0; c < k; ++c) { scores[c] += deviation * coefficients[i * k + c]; }
    }
  }
}

void diagonal_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                     const double* means, const double* precisions, const double* bias,
                     std::size_t k, double* out) {
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < k; ++c) {
      double sum = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        const double deviation = rows[r * stride + i] - means[c * d + i];
        sum += precisions[c * d + i] * deviation * deviation;
      }
      out[r * k + c] = bias[c] - 0.5 * sum;
    }
  }
}

void gaussian_column_add(const double* x, std::size_t n, const double* means,
                         const double* precisions, const double* bias, std::size_t k,
                         std::size_t stride, double* scores) {
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      if (std::isnan(x[r])) { continue; }
      const double deviation = x[r] - means[c];
      scores[c * stride + r] += bias[c] - 0.5 * precisions[c] * deviation * deviation;
    }
  }
}

void linear_column_add(const double* x, std::size_t n, const double* slopes,
                       const double* intercepts, std::size_t k, std::size_t stride,
                       double* scores) {
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      if (!std::isnan(x[r])) { scores[c * stride + r] += intercepts[c] + slopes[c] * x[r]; }
    }
  }
}

void level_column_add(const std::int32_t* codes, std::size_t n, const double* table,
                      std::size_t width, std::size_t k, std::size_t stride, double* scores) {
  for (std::size_t c = 0; c < k; ++c) {
    const double* shares = table + c * width + 2;
    for (std::size_t r = 0; r < n; ++r) { scores[c * stride + r] += shares[codes[r]]; }
  }
}

void transpose_columns(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                       double* columns, std::size_t stride_out) {
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) { columns[i * stride_out + r] = rows[r * stride + i]; }
  }
}

void store_scores(const double* scores, std::size_t n, std::size_t k, std::size_t stride,
                  double* out) {
  transpose_columns(scores, k, n, stride, out, k);
}

double kernel_sum(const double* values, const double* weights, std::size_t n, double x,
                  double inverse_h, double shift) {
  double sum = 0.0;
  for (std::size_t v = 0; v < n; ++v) {
    const double z = (values[v] - x) * inverse_h;
    sum += weights[v] * std::exp(-0.5 * z * z + shift);
  }
  return sum;
}

void mahalanobis(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                 const double* mean, const double* factor, const double* inverse_diagonal,
                 double* out, std::size_t out_stride) {
  std::vector<double> solved(d);
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      double rest = rows[r * stride + i] - mean[i];
      for (std::size_t j = 0; j < i; ++j) { rest -= factor[i * d + j] * solved[j]; }
      solved[i] = rest * inverse_diagonal[i];
      sum += solved[i] * solved[i];
    }
    out[r * out_stride] = sum;
  }
}

void quadratic_scores(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                      const double* means, const double* factors, const double* inverse_diagonals,
                      const double* bias, std::size_t k, double* out) {
  if (n == 0) { return; }  // out may be null
  for (std::size_t c = 0; c < k; ++c) {
    mahalanobis(rows, n, d, stride, means + c * d, factors + c * d * d, inverse_diagonals + c * d,
                out + c, k);
    for (std::size_t r = 0; r < n; ++r) { out[r * k + c] = bias[c] - 0.5 * out[r * k + c]; }
  }
}

void outer_add(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
               const double* center, const double* residuals, std::size_t k, double* gradient) {
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      const double deviation = rows[r * stride + i] - center[i];
      for (std::size_t c = 0; c < k; ++c) {
        gradient[i * k + c] += deviation * residuals[r * k + c];
      }
    }
  }
}

void softmax_rows(double* scores, std::size_t n, std::size_t k, double* log_sums) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < n; ++r) {
    double* row = scores + r * k;
    const double top = *std::max_element(row, row + k);
    if (top == kNothing) {
      std::fill_n(row, k, 1.0 / static_cast<double>(k));
      if (log_sums != nullptr) { log_sums[r] = kNothing; }
      continue;
    }
    double sum = 0.0;
    for (std::size_t c = 0; c < k; ++c) { sum += row[c] = std::exp(row[c] - top); }
    for (std::size_t c = 0; c < k; ++c) { row[c] /= sum; }
    if (log_sums != nullptr) { log_sums[r] = top + std::log(sum); }
  }
}

void argmax_rows(const double* scores, std::size_t n, std::size_t k, std::int32_t* out) {
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = scores + r * k;
    out[r] = static_cast<std::int32_t>(std::max_element(row, row + k) - row);
  }
}

void squared_distances(const double* queries, std::size_t n, std::size_t query_stride,
                       const double* points, std::size_t m, std::size_t point_stride, std::size_t d,
                       double* out) {
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t p = 0; p < m; ++p) {
      double sum = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        const double difference = queries[q * query_stride + i] - points[p * point_stride + i];
        sum += difference * difference;
      }
      out[q * m + p] = sum;
    }
  }
}

bool all_finite(const double* rows, std::size_t n, std::size_t d, std::size_t stride) {
  for (std::size_t r = 0; r < n; ++r) {
    const double* x = rows + r * stride;
    if (!std::all_of(x, x + d, [](double value) { return std::isfinite(value); })) { return false; }
  }
  return true;
}

bool all_within(const double* x, std::size_t n, double low, double high, bool whole) {
  return std::all_of(x, x + n, [&](double value) {
    return std::isnan(value) ||
           (value >= low && value <= high && (!whole || value == std::floor(value)));
  });
}

std::size_t fold_ascii(const char* bytes, std::size_t n, bool lower, Marks kind, char* folded,
                       std::uint64_t* marks, std::size_t at) {
  for (std::size_t i = 0; i < n; ++i, ++at) {
    const char byte = bytes[i];
    if (static_cast<signed char>(byte) < 0) { return i; }
    const bool capital = byte >= 'A' && byte <= 'Z';
    const bool word =
        capital || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_';
    const bool space = (byte >= '\t' && byte <= '\r') || (byte >= 0x1C && byte <= ' ');
    folded[at] = static_cast<char>(capital && lower ? byte + ('a' - 'A') : byte);
    marks[at / 64] |= std::uint64_t{kind == Marks::words ? word : !space} << (at % 64);
    marks[at / 64 + 1] = 0;
  }
  return n;
}

void add_rows(const double* table, std::size_t stride, const std::uint32_t* rows,
              const double* factors, std::size_t n, double* sums) {
  for (std::size_t c = 0; c < stride; ++c) {
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      total += (factors == nullptr ? 1.0 : factors[i]) * table[rows[i] * stride + c];
    }
    sums[c] += total;
  }
}

}  // namespace logodds::kernels::reference
