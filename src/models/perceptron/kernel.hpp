// Kernels: the inner product of rows after a map that is never made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/perceptron/inner_rows.hpp"

namespace logodds::models::perceptron {

enum class KernelKind : std::uint8_t { linear, polynomial, rbf };

/// linear: 1 + s.z; polynomial: (1 + gamma s.z)^degree; rbf: exp(-gamma |s - z|^2). The 1 is the
/// bias unit.
struct Kernel {
  KernelKind kind = KernelKind::linear;
  int degree = 3;
  double gamma = 1.0;

  /// From the product of two rows and their squared lengths.
  [[nodiscard]] double of(double product, double squared_one, double squared_other) const;
};

/// Rows that are kept, dense or sparse, for products with others.
class Supports {
 public:
  Supports() = default;
  /// These rows of `rows`, in this order.
  Supports(const InnerRows& rows, std::span<const std::size_t> which);
  /// Row-major size x columns.
  Supports(std::vector<double> values, std::size_t columns);
  /// Sparse: row r has values[i] in column indices[i], starts[r] <= i < starts[r + 1].
  Supports(std::vector<std::int32_t> starts, std::vector<std::int32_t> indices,
           std::vector<double> values, std::size_t columns);

  [[nodiscard]] std::size_t size() const { return squares_.size(); }
  [[nodiscard]] bool sparse() const { return !starts_.empty(); }
  [[nodiscard]] double squared(std::size_t support) const { return squares_[support]; }
  /// out (n x size) = products of dense rows with all supports.
  void products(const double* rows, std::size_t n, std::span<double> out) const;

  // As the constructors take them.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::int32_t>& starts() const { return starts_; }
  [[nodiscard]] const std::vector<std::int32_t>& indices() const { return indices_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

 private:
  void prepare();

  std::size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<std::int32_t> starts_;
  std::vector<std::int32_t> indices_;
  std::vector<double> squares_;
  std::vector<double> transposed_;  ///< columns x size, of dense supports
  std::vector<double> zeros_;
};

/// k(row r, row s) for every row s. The same bits for every number of threads.
[[nodiscard]] std::vector<double> kernel_column(const Kernel& kernel, const InnerRows& rows,
                                                std::span<const double> squares, std::size_t r,
                                                int threads);
/// |z|^2 of every row.
[[nodiscard]] std::vector<double> squared_lengths(const InnerRows& rows);

}  // namespace logodds::models::perceptron
