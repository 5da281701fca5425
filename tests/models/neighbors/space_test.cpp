#include "models/neighbors/space.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

struct Found {
  std::vector<std::int64_t> numbers;
  std::vector<double> distances;
};

Found nearest(const Classifier& model, const Table& table, std::size_t count) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {}, model.schema(), false);
  Found found;
  score(model, *source,
        [&](const ScoredBlock& block) {
          found.numbers.insert(found.numbers.end(), block.neighbors.begin(), block.neighbors.end());
          found.distances.insert(found.distances.end(), block.neighbor_distances.begin(),
                                 block.neighbor_distances.end());
        },
        {}, {.neighbors = count});
  return found;
}

using Matrix = Eigen::MatrixXd;
using Row = Eigen::RowVectorXd;

struct Numbers {
  Table table;
  Matrix x;
  std::vector<int> labels;
};

Numbers numbers(std::size_t rows, std::uint64_t seed) {
  Numbers made{made_table(rows, 3, seed), Matrix(static_cast<Eigen::Index>(rows), 3), {}};
  made.table.names.resize(4);
  for (std::size_t r = 0; r < rows; ++r) {
    auto& row = made.table.rows[r];
    row.resize(4);
    made.labels.push_back(row[0].back() - '0');
    for (std::size_t c = 0; c < 3; ++c) {
      made.x(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
          *parse_number(row[c + 1]);
    }
  }
  return made;
}

/// All distances of the rows from each other by `distance`, sorted, against those of a model.
template <class Distance>
void check_distances(const Numbers& made, const OptionMap& options, Distance distance) {
  const auto model = train_table(made.table, "neighbors", options).model;
  const std::size_t n = made.table.rows.size();
  const Found found = nearest(*model, made.table, n);
  double off = 0.0;
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto other = static_cast<Eigen::Index>(found.numbers[q * n + i] - 1);
      const double expected = distance(made.x.row(static_cast<Eigen::Index>(q)), made.x.row(other));
      off = std::max(off, std::abs(found.distances[q * n + i] - expected));
    }
    CHECK(std::is_sorted(found.distances.begin() + static_cast<std::ptrdiff_t>(q * n),
                         found.distances.begin() + static_cast<std::ptrdiff_t>((q + 1) * n)));
  }
  CHECK(off < 1e-12);
}

}  // namespace

TEST_CASE("space: distances are those of their formulas") {
  const Numbers made = numbers(60, 31);
  check_distances(made, {}, [](const Row& a, const Row& b) { return (a - b).norm(); });
  check_distances(made, {{"metric", "manhattan"}},
                  [](const Row& a, const Row& b) { return (a - b).cwiseAbs().sum(); });
  check_distances(made, {{"metric", "cosine"}},
                  [](const Row& a, const Row& b) { return 1.0 - a.dot(b) / a.norm() / b.norm(); });
  const Row mean = made.x.colwise().mean();
  const Row deviation =
      ((made.x.rowwise() - mean).array().square().colwise().mean()).sqrt().matrix();
  check_distances(made, {{"standardize", "true"}}, [&](const Row& a, const Row& b) {
    return ((a - b).array() / deviation.array()).matrix().norm();
  });
  check_distances(made, {{"standardize", "true"}, {"metric", "cosine"}},
                  [&](const Row& a, const Row& b) {
                    const Row u = ((a - mean).array() / deviation.array()).matrix();
                    const Row v = ((b - mean).array() / deviation.array()).matrix();
                    return 1.0 - u.dot(v) / u.norm() / v.norm();
                  });
}

TEST_CASE("space: mahalanobis is by the covariance inside the classes, whatever the units") {
  const Numbers made = numbers(80, 32);
  Matrix scatter = Matrix::Zero(3, 3);
  for (int k = 0; k < 3; ++k) {
    Row mean = Row::Zero(3);
    double count = 0.0;
    for (Eigen::Index r = 0; r < 80; ++r) {
      if (made.labels[static_cast<std::size_t>(r)] != k) { continue; }
      mean += made.x.row(r);
      count += 1.0;
    }
    mean /= count;
    for (Eigen::Index r = 0; r < 80; ++r) {
      if (made.labels[static_cast<std::size_t>(r)] != k) { continue; }
      scatter += (made.x.row(r) - mean).transpose() * (made.x.row(r) - mean);
    }
  }
  const Matrix inverse = (scatter / 80.0).inverse();
  const auto distance = [&](const Row& a, const Row& b) {
    return std::sqrt(std::max(0.0, ((a - b) * inverse * (a - b).transpose()).value()));
  };
  check_distances(made, {{"metric", "mahalanobis"}}, distance);
  check_distances(made, {{"metric", "mahalanobis"}, {"standardize", "true"}}, distance);
}

TEST_CASE("space: levels are indicators, and a column that does not vary is left out") {
  const Table table{{"class", "color", "x", "y"},
                    {{"a", "red", "1", "7"}, {"b", "green", "2", "7"}, {"b", "blue", "4", "7"}}};
  const auto plain = train_table(table, "neighbors", {}).model;
  CHECK(nearest(*plain, table, 3).distances[1] == doctest::Approx(std::sqrt(3.0)));
  const auto standardized = train_table(table, "neighbors", {{"standardize", "true"}}).model;
  Table other = table;
  for (auto& row : other.rows) { row[3] = "1e6"; }
  CHECK(nearest(*standardized, other, 3).distances == nearest(*standardized, table, 3).distances);
  // Mahalanobis leaves one indicator out, or its covariance would be singular; here it is anyway.
  CHECK_THROWS_AS(static_cast<void>(train_table(table, "neighbors", {{"metric", "mahalanobis"}})),
                  Error);
  const Table made = made_table(200, 3, 33);
  CHECK(train_table(made, "neighbors", {{"metric", "mahalanobis"}}).model != nullptr);
}

TEST_CASE("space: a row without a direction is refused, with its place") {
  const Table zeros{{"class", "x", "y"}, {{"a", "1", "2"}, {"b", "0", "0"}}};
  CHECK_THROWS_WITH_AS(static_cast<void>(train_table(zeros, "neighbors", {{"metric", "cosine"}})),
                       doctest::Contains("line 3: every column is 0"), Error);
  const Table rows{{"class", "x", "y"}, {{"a", "1", "2"}, {"b", "3", "0"}}};
  const auto model = train_table(rows, "neighbors", {{"metric", "cosine"}}).model;
  CHECK_THROWS_WITH_AS(static_cast<void>(posteriors_of(*model, zeros)),
                       doctest::Contains("line 3: every column is 0"), Error);
  // The mean itself, when columns are taken around their means.
  const Table middle{{"class", "x", "y"},
                     {{"a", "1", "1"}, {"b", "2", "2"}, {"b", "3", "3"}, {"a", "2", "2"}}};
  CHECK_THROWS_WITH_AS(static_cast<void>(train_table(
                           middle, "neighbors", {{"metric", "cosine"}, {"standardize", "true"}})),
                       doctest::Contains("row 2: every column is 0"), Error);
}
