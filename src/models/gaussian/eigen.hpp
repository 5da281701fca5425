// Plain row-major memory as Eigen's matrices.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace logodds::models::gaussian {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

inline Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

inline Eigen::Map<const Matrix> matrix_view(const double* data, std::size_t rows,
                                            std::size_t columns) {
  return {data, index(rows), index(columns)};
}
inline Eigen::Map<Matrix> matrix_view(double* data, std::size_t rows, std::size_t columns) {
  return {data, index(rows), index(columns)};
}
inline Eigen::Map<const Vector> vector_view(const double* data, std::size_t size) {
  return {data, index(size)};
}
inline Eigen::Map<Vector> vector_view(double* data, std::size_t size) {
  return {data, index(size)};
}

}  // namespace logodds::models::gaussian
