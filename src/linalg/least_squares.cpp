#include "linalg/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/double_double.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::linalg {

namespace {

using Eigen::Index;

/// Lanes of a pass, whatever the number of threads.
constexpr std::size_t kLanes = 16;

double weight_of(const BlockRows& rows, std::size_t r) {
  return rows.weights == nullptr ? 1.0 : rows.weights[r];
}

/// One pass over the blocks: lane l takes blocks l, l + lanes, ... in this order, and the lanes'
/// states are merged in their order.
template <class State, class Add>
State pass(const Regression& regression, const State& empty, Add add) {
  std::vector<State> lanes(std::clamp<std::size_t>(regression.blocks, 1, kLanes), empty);
  parallel::run_lanes(regression.threads, lanes.size(), [&](std::size_t lane) {
    std::vector<double> scratch;
    for (std::size_t b = lane; b < regression.blocks; b += lanes.size()) {
      add(lanes[lane], regression.read(b, scratch));
    }
  });
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) { lanes[0].merge(lanes[lane]); }
  return lanes[0];
}

/// What the first pass finds: sizes of columns, sums of weights and right-hand sides.
struct Survey {
  std::vector<double> largest;        ///< by column of x
  std::vector<DoubleDouble> sums;     ///< by target: sum of w y
  std::vector<DoubleDouble> squares;  ///< by target: sum of w y^2
  DoubleDouble weight;
  std::size_t rows = 0;

  void add(const BlockRows& rows_of) {
    for (std::size_t r = 0; r < rows_of.rows; ++r) {
      const double w = weight_of(rows_of, r);
      const double* const x = rows_of.x + r * rows_of.x_stride;
      const double* const y = rows_of.y + r * rows_of.y_stride;
      for (std::size_t i = 0; i < largest.size(); ++i) {
        largest[i] = std::max(largest[i], std::abs(x[i]));
      }
      for (std::size_t t = 0; t < sums.size(); ++t) {
        const DoubleDouble weighted = exact_product(w, y[t]);
        sums[t] = sums[t] + weighted;
        squares[t] = squares[t] + weighted * y[t];
      }
      weight = weight + DoubleDouble{w, 0.0};
    }
    rows += rows_of.rows;
  }
  /// sum of w (y - m)^2 = sum of w y^2 - 2 m sum of w y + m^2 sum of w: nothing is lost in 106
  /// bits.
  [[nodiscard]] double squares_around(double m, std::size_t t) const {
    return (squares[t] + sums[t] * (-2.0 * m) + weight * exact_product(m, m)).value();
  }
  void merge(const Survey& other) {
    for (std::size_t i = 0; i < largest.size(); ++i) {
      largest[i] = std::max(largest[i], other.largest[i]);
    }
    for (std::size_t t = 0; t < sums.size(); ++t) {
      sums[t] = sums[t] + other.sums[t];
      squares[t] = squares[t] + other.squares[t];
    }
    weight = weight + other.weight;
    rows += other.rows;
  }
};

/// Coefficients in double-double, M x T, M with the intercept.
using Wide = std::vector<DoubleDouble>;

/// Gradient X^T W (y - X b), and the sums of squared residuals.
struct Residuals {
  Wide gradient;
  std::vector<DoubleDouble> squares;

  void merge(const Residuals& other) {
    const auto add = [](std::vector<DoubleDouble>& to, const std::vector<DoubleDouble>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) { to[i] = to[i] + from[i]; }
    };
    add(gradient, other.gradient);
    add(squares, other.squares);
  }
};

class Solver {
 public:
  Solver(const Regression& regression, const LeastSquaresSettings& settings)
      : regression_(regression),
        settings_(settings),
        first_(regression.intercept ? 1 : 0),
        m_(regression.columns + first_),
        t_(regression.targets) {}

  LeastSquaresFit solve() {
    survey();
    factorize();
    Wide b = from_qr();
    LeastSquaresFit fit;
    Residuals residuals;
    double before = std::numeric_limits<double>::infinity();
    while (fit.refinements < settings_.refinements) {
      residuals = residuals_of(b);
      const double change = refine(b, residuals.gradient);
      ++fit.refinements;
      // Done when b has changed in no digit, or when a round no longer helps.
      if (!(change > kSettled) || change > 0.5 * before) { break; }
      before = change;
    }
    finish(fit, b, residuals);
    return fit;
  }

 private:
  static constexpr double kSettled = 1e-20;

  /// x_j of a row, the intercept first.
  [[nodiscard]] double regressor(const double* x, std::size_t j) const {
    return j < first_ ? 1.0 : x[j - first_];
  }

  void survey() {
    Survey empty;
    empty.largest.assign(regression_.columns, 0.0);
    empty.sums.resize(t_);
    empty.squares.resize(t_);
    const Survey found =
        pass(regression_, empty, [](Survey& s, const BlockRows& rows) { s.add(rows); });
    weight_ = found.weight.value();
    if (found.rows == 0 || !(weight_ > 0.0)) {
      throw Error(ErrorCode::numeric, "least squares need at least one row of a positive weight");
    }
    scale_.assign(m_, 1.0);
    for (std::size_t i = 0; i < regression_.columns; ++i) {
      const double size = found.largest[i];
      scale_[first_ + i] = std::isnormal(size) ? std::ldexp(1.0, -std::ilogb(size)) : 1.0;
    }
    for (std::size_t t = 0; t < t_; ++t) {
      const double mean = regression_.intercept ? found.sums[t].value() / weight_ : 0.0;
      total_squares_.push_back(found.squares_around(mean, t));
    }
  }

  void factorize() {
    const std::size_t width = m_ + t_;
    BlockQr qr = pass(regression_, BlockQr(width), [&](BlockQr& lane, const BlockRows& rows) {
      std::vector<double> scaled(rows.rows * width);
      for (std::size_t r = 0; r < rows.rows; ++r) {
        const double* const x = rows.x + r * rows.x_stride;
        double* const to = scaled.data() + r * width;
        for (std::size_t j = 0; j < m_; ++j) { to[j] = regressor(x, j) * scale_[j]; }
        std::copy_n(rows.y + r * rows.y_stride, t_, to + m_);
      }
      lane.add(scaled.data(), rows.rows, width, rows.weights);
    });
    if (regression_.ridge > 0.0) { add_ridge(qr); }
    if (!qr.r().allFinite()) {
      throw Error(ErrorCode::numeric,
                  "least squares: the numbers are too large to be squared; give the columns in "
                  "other units");
    }
    columns_ = independent_columns(qr.r(), m_, settings_.tolerance);
  }

  /// Rows sqrt(ridge) e_j with the right-hand side 0.
  void add_ridge(BlockQr& qr) const {
    const std::size_t width = m_ + t_;
    std::vector<double> rows(regression_.columns * width, 0.0);
    for (std::size_t i = 0; i < regression_.columns; ++i) {
      rows[i * width + first_ + i] = std::sqrt(regression_.ridge) * scale_[first_ + i];
    }
    qr.add(rows.data(), regression_.columns, width, nullptr);
  }

  [[nodiscard]] Wide from_qr() const {
    const Eigen::MatrixXd found = columns_.r.triangularView<Eigen::Upper>().solve(columns_.qty);
    Wide b(m_ * t_);
    for (std::size_t k = 0; k < columns_.kept.size(); ++k) {
      const std::size_t j = columns_.kept[k];
      for (std::size_t t = 0; t < t_; ++t) {
        b[j * t_ + t] = {found(static_cast<Index>(k), static_cast<Index>(t)) * scale_[j], 0.0};
      }
    }
    return b;
  }

  void add_row(Residuals& sums, const BlockRows& rows, std::size_t r, const Wide& b) const {
    const double w = weight_of(rows, r);
    const double* const x = rows.x + r * rows.x_stride;
    const double* const y = rows.y + r * rows.y_stride;
    for (std::size_t t = 0; t < t_; ++t) {
      DoubleDouble fitted;
      for (const std::size_t j : columns_.kept) {
        fitted = fitted + b[j * t_ + t] * regressor(x, j);
      }
      const DoubleDouble residual = DoubleDouble{y[t], 0.0} + -fitted;
      const DoubleDouble weighted = residual * w;
      for (const std::size_t j : columns_.kept) {
        sums.gradient[j * t_ + t] = sums.gradient[j * t_ + t] + weighted * regressor(x, j);
      }
      sums.squares[t] = sums.squares[t] + weighted * residual;
    }
  }

  [[nodiscard]] Residuals residuals_of(const Wide& b) const {
    const Residuals empty{Wide(m_ * t_), std::vector<DoubleDouble>(t_)};
    Residuals sums = pass(regression_, empty, [&](Residuals& lane, const BlockRows& rows) {
      for (std::size_t r = 0; r < rows.rows; ++r) { add_row(lane, rows, r, b); }
    });
    if (regression_.ridge > 0.0) {
      for (std::size_t i = first_ * t_; i < m_ * t_; ++i) {
        sums.gradient[i] = sums.gradient[i] + -(b[i] * regression_.ridge);
      }
    }
    return sums;
  }

  /// b += (R^T R)^-1 g; the largest change of a coefficient, as a share of it.
  double refine(Wide& b, const Wide& gradient) const {
    const auto kept = static_cast<Index>(columns_.kept.size());
    Eigen::MatrixXd g(kept, static_cast<Index>(t_));
    for (Index k = 0; k < kept; ++k) {
      const std::size_t j = columns_.kept[static_cast<std::size_t>(k)];
      for (std::size_t t = 0; t < t_; ++t) {
        g(k, static_cast<Index>(t)) = gradient[j * t_ + t].value() * scale_[j];
      }
    }
    columns_.r.triangularView<Eigen::Upper>().transpose().solveInPlace(g);
    columns_.r.triangularView<Eigen::Upper>().solveInPlace(g);
    double largest = 0.0;
    for (Index k = 0; k < kept; ++k) {
      const std::size_t j = columns_.kept[static_cast<std::size_t>(k)];
      for (std::size_t t = 0; t < t_; ++t) {
        const double change = g(k, static_cast<Index>(t)) * scale_[j];
        DoubleDouble& to = b[j * t_ + t];
        to = to + DoubleDouble{change, 0.0};
        const double size = std::abs(to.value());
        if (size > 0.0) { largest = std::max(largest, std::abs(change) / size); }
      }
    }
    return largest;
  }

  void finish(LeastSquaresFit& fit, const Wide& b, const Residuals& residuals) const {
    fit.rank = columns_.kept.size();
    fit.weight = weight_;
    fit.degrees_of_freedom = weight_ - static_cast<double>(fit.rank);
    fit.identifiable.assign(m_, 0);
    for (const std::size_t j : columns_.kept) { fit.identifiable[j] = 1; }
    for (const auto& value : b) { fit.coefficients.push_back(value.value()); }
    for (std::size_t t = 0; t < t_; ++t) {
      const double rest = residuals.squares.empty()
                              ? columns_.residual_squares(static_cast<Index>(t))
                              : std::max(residuals.squares[t].value(), 0.0);
      const double total = total_squares_[t];
      fit.residual_squares.push_back(rest);
      fit.residual_deviation.push_back(
          fit.degrees_of_freedom > 0.0 ? std::sqrt(rest / fit.degrees_of_freedom) : 0.0);
      fit.r_squared.push_back(total > 0.0 ? 1.0 - rest / total : 1.0);
    }
    if (regression_.ridge == 0.0 && fit.degrees_of_freedom > 0.0) { add_errors(fit); }
  }

  /// The diagonal of (R^T R)^-1 = R^-1 R^-T: squared lengths of the rows of R^-1.
  void add_errors(LeastSquaresFit& fit) const {
    const auto kept = static_cast<Index>(columns_.kept.size());
    const Eigen::MatrixXd inverse =
        columns_.r.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(kept, kept));
    fit.standard_errors.assign(m_ * t_, 0.0);
    for (Index k = 0; k < kept; ++k) {
      const std::size_t j = columns_.kept[static_cast<std::size_t>(k)];
      const double root = inverse.row(k).stableNorm() * scale_[j];
      for (std::size_t t = 0; t < t_; ++t) {
        fit.standard_errors[j * t_ + t] = fit.residual_deviation[t] * root;
      }
    }
  }

  const Regression& regression_;
  const LeastSquaresSettings& settings_;
  std::size_t first_;  ///< where the regressors begin among the coefficients
  std::size_t m_;      ///< coefficients
  std::size_t t_;      ///< targets
  double weight_ = 0.0;
  std::vector<double> scale_;          ///< M: powers of 2
  std::vector<double> total_squares_;  ///< T: of y around its mean, or around 0
  IndependentColumns columns_;
};

}  // namespace

LeastSquaresFit least_squares(const Regression& regression, const LeastSquaresSettings& settings) {
  return Solver(regression, settings).solve();
}

LeastSquaresFit least_squares(const double* x, const double* y, std::size_t n, std::size_t columns,
                              std::size_t targets, const double* weights, bool intercept,
                              const LeastSquaresSettings& settings) {
  Regression regression{.columns = columns,
                        .targets = targets,
                        .blocks = (n + kBlockRows - 1) / kBlockRows,
                        .intercept = intercept};
  regression.read = [=](std::size_t block, std::vector<double>&) {
    const std::size_t begin = block * kBlockRows;
    return BlockRows{.rows = std::min(kBlockRows, n - begin),
                     .x = x + begin * columns,
                     .x_stride = columns,
                     .y = y + begin * targets,
                     .y_stride = targets,
                     .weights = weights == nullptr ? nullptr : weights + begin};
  };
  return least_squares(regression, settings);
}

}  // namespace logodds::linalg
