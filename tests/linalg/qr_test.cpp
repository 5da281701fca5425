#include "linalg/qr.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace logodds::linalg;

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor made(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return RowMajor::NullaryExpr(rows, columns, [&] { return normal(random); });
}

void add(BlockQr& qr, const RowMajor& rows, const double* weights = nullptr) {
  qr.add(rows.data(), static_cast<std::size_t>(rows.rows()), qr.columns(), weights);
}

double gram_error(const BlockQr& qr, const Eigen::MatrixXd& gram) {
  return (qr.r().transpose() * qr.r() - gram).cwiseAbs().maxCoeff() / gram.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("qr: R^T R is X^T X, in one block, in blocks, and merged") {
  const RowMajor x = made(50, 4, 1);
  const Eigen::MatrixXd gram = x.transpose() * x;
  BlockQr whole(4);
  add(whole, x);
  BlockQr blocks(4);
  add(blocks, x.topRows(3));  // fewer rows than columns
  add(blocks, x.middleRows(3, 20));
  BlockQr rest(4);
  add(rest, x.bottomRows(27));
  blocks.merge(rest);
  CHECK(gram_error(whole, gram) < 1e-14);
  CHECK(gram_error(blocks, gram) < 1e-14);
  CHECK(whole.r().isUpperTriangular());
  CHECK(blocks.r().isUpperTriangular());
}

TEST_CASE("qr: a weight is a multiplicity") {
  const RowMajor x = made(30, 3, 2);
  std::vector<double> weights(30);
  for (std::size_t r = 0; r < 30; ++r) { weights[r] = static_cast<double>(r % 3); }
  BlockQr qr(3);
  add(qr, x, weights.data());
  const Eigen::Map<const Eigen::VectorXd> w(weights.data(), 30);
  CHECK(gram_error(qr, x.transpose() * w.asDiagonal() * x) < 1e-14);
}

TEST_CASE("qr: columns that depend on those before them are found, with what they are made of") {
  RowMajor x = made(40, 7, 3);
  x.col(1).setZero();
  x.col(3) = 1e9 * x.col(0) - 2e9 * x.col(2);
  x.col(4) *= 1e-12;                      // small, not dependent
  x.col(5) = x.col(0) + 1e-9 * x.col(5);  // nearly, not quite
  BlockQr qr(7);
  add(qr, x);
  const auto found = independent_columns(qr.r(), 6);
  CHECK(found.kept == std::vector<std::size_t>{0, 2, 4, 5});
  CHECK(found.dependent == std::vector<std::size_t>{1, 3});
  CHECK(found.made_of == std::vector<std::vector<std::size_t>>{{}, {0, 2}});
  const Eigen::MatrixXd kept = x(Eigen::all, std::vector<int>{0, 2, 4, 5});
  const Eigen::MatrixXd gram = kept.transpose() * kept;
  CHECK((found.r.transpose() * found.r - gram).cwiseAbs().maxCoeff() < 1e-12);
  // The last column is a right-hand side: what is left of it is what no kept column explains.
  const Eigen::VectorXd y = x.col(6);
  CHECK(found.qty.squaredNorm() + found.residual_squares(0) ==
        doctest::Approx(y.squaredNorm()).epsilon(1e-13));
  CHECK(independent_columns(qr.r(), 6, 1e-6).kept == std::vector<std::size_t>{0, 2, 4});
}
