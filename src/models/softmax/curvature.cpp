#include "models/softmax/curvature.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::softmax {

namespace {

/// Sums of some blocks of rows.
struct Lane {
  std::vector<double> pairs;     ///< m x m for every pair k >= l of classes, lower triangles
  std::vector<double> gradient;  ///< m x K
  std::vector<double> dense;
  std::vector<double> z;
  std::vector<double> p;
  std::vector<double> weights;
};

class Summing {
 public:
  Summing(const FitRows& rows, const Scores& at, const linear::Identifiability& columns,
          bool intercept)
      : rows_(rows),
        view_(view_of(rows)),
        at_(at),
        columns_(columns),
        m_(columns.kept.size() + (intercept ? 1 : 0)),
        free_(rows.classes - 1),
        zeros_(m_, 0.0) {}

  [[nodiscard]] Curvature sum() {
    const std::size_t blocks = (rows_.rows + kBlockRows - 1) / kBlockRows;
    std::vector<Lane> lanes(std::min(kLanes, std::max<std::size_t>(blocks, 1)));
    parallel::run_lanes(rows_.threads, lanes.size(), [&](std::size_t l) {
      Lane& lane = lanes[l];
      lane.pairs.assign(free_ * (free_ + 1) / 2 * m_ * m_, 0.0);
      lane.gradient.assign(m_ * rows_.classes, 0.0);
      for (std::size_t block = l; block < blocks; block += lanes.size()) {
        add(lane, block * kBlockRows);
      }
    });
    return joined(lanes);
  }

 private:
  static constexpr std::size_t kLanes = 4;

  void add(Lane& lane, std::size_t first) const {
    const std::size_t classes = rows_.classes;
    const auto x = view_.block(first, std::min(kBlockRows, rows_.rows - first), lane.dense);
    lane.p.resize(x.rows * classes);
    kernels::affine_scores(x.data, x.rows, x.columns, x.stride, at_.center.data(),
                           at_.coefficients.data(), at_.bias.data(), classes, lane.p.data());
    kernels::softmax_rows(lane.p.data(), x.rows, classes, nullptr);
    fill_z(lane, x);
    add_pairs(lane, first, x.rows);
    for (std::size_t r = 0; r < x.rows; ++r) {  // p becomes w (p - y)
      double* const row = lane.p.data() + r * classes;
      row[static_cast<std::size_t>(rows_.labels[first + r])] -= 1.0;
      for (std::size_t k = 0; k < classes; ++k) { row[k] *= rows_.weight_of(first + r); }
    }
    kernels::outer_add(lane.z.data(), x.rows, m_, m_, zeros_.data(), lane.p.data(), classes,
                       lane.gradient.data());
  }

  void fill_z(Lane& lane, const DesignRows& x) const {
    lane.z.assign(x.rows * m_, 1.0);
    for (std::size_t r = 0; r < x.rows; ++r) {
      for (std::size_t i = 0; i < columns_.kept.size(); ++i) {
        const std::size_t c = columns_.kept[i];
        lane.z[r * m_ + i] = (x.data[r * x.stride + c] - columns_.center[c]) * columns_.scale[c];
      }
    }
  }

  void add_pairs(Lane& lane, std::size_t first, std::size_t count) const {
    lane.weights.resize(count);
    double* to = lane.pairs.data();
    for (std::size_t k = 1; k <= free_; ++k) {
      for (std::size_t l = 1; l <= k; ++l, to += m_ * m_) {
        for (std::size_t r = 0; r < count; ++r) {
          const double* const p = lane.p.data() + r * rows_.classes;
          lane.weights[r] = rows_.weight_of(first + r) * p[k] * (k == l ? 1.0 - p[k] : p[l]);
        }
        kernels::scatter_add(lane.z.data(), count, m_, m_, lane.weights.data(), to);
      }
    }
  }

  [[nodiscard]] Curvature joined(const std::vector<Lane>& lanes) const {
    const std::size_t p = free_ * m_;
    Curvature result{.information = std::vector<double>(p * p, 0.0),
                     .gradient = std::vector<double>(p, 0.0)};
    for (const Lane& lane : lanes) {
      for (std::size_t k = 0; k < free_; ++k) {
        for (std::size_t i = 0; i < m_; ++i) {
          result.gradient[k * m_ + i] += lane.gradient[i * rows_.classes + k + 1];
        }
      }
      const double* from = lane.pairs.data();
      for (std::size_t k = 0; k < free_; ++k) {
        for (std::size_t l = 0; l <= k; ++l, from += m_ * m_) {
          add_pair(from, k, l, result.information);
        }
      }
    }
    return result;
  }

  /// Off the diagonal the products enter with a minus.
  void add_pair(const double* from, std::size_t k, std::size_t l, std::vector<double>& to) const {
    const std::size_t p = free_ * m_;
    const double sign = k == l ? 1.0 : -1.0;
    for (std::size_t i = 0; i < m_; ++i) {
      for (std::size_t j = 0; j < m_; ++j) {
        const double value = sign * from[std::max(i, j) * m_ + std::min(i, j)];
        to[(k * m_ + i) * p + l * m_ + j] += value;
        if (k != l) { to[(l * m_ + j) * p + k * m_ + i] += value; }
      }
    }
  }

  const FitRows& rows_;
  linear::RowsView view_;
  const Scores& at_;
  const linear::Identifiability& columns_;
  std::size_t m_;
  std::size_t free_;
  std::vector<double> zeros_;
};

}  // namespace

linear::RowsView view_of(const FitRows& rows) {
  return {.x = rows.x,
          .sparse = rows.sparse,
          .rows = rows.rows,
          .columns = rows.columns,
          .weights = rows.weights};
}

double curvature_work(const FitRows& rows) {
  const auto side = static_cast<double>((rows.columns + 1) * (rows.classes - 1));
  return 0.25 * static_cast<double>(rows.rows) * side * side;
}

Curvature curvature(const FitRows& rows, const Scores& at, const linear::Identifiability& columns,
                    bool intercept) {
  return Summing(rows, at, columns, intercept).sum();
}

}  // namespace logodds::models::softmax
