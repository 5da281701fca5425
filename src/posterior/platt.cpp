// A logistic function of the log odds, one a class.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "logodds/modelfile/container.hpp"
#include "posterior/calibrations.hpp"

namespace logodds::posterior {

namespace {

constexpr const char* kTensor = "calibration.platt";
/// Log odds beyond this are infinite to a double.
constexpr double kMostOdds = 745.0;

struct Line {
  double slope = 1.0;
  double offset = 0.0;
};

/// f = ln p_k - ln sum of the others' p, which says how sure a posterior is that is rounded to 1.
double log_odds(std::span<const double> log_posteriors, std::size_t k) {
  double top = -kInfinity;
  for (std::size_t j = 0; j < log_posteriors.size(); ++j) {
    if (j != k) { top = std::max(top, log_posteriors[j]); }
  }
  if (log_posteriors[k] == -kInfinity) { return -kMostOdds; }
  if (top == -kInfinity) { return kMostOdds; }
  double others = 0.0;
  for (std::size_t j = 0; j < log_posteriors.size(); ++j) {
    if (j != k) { others += std::exp(log_posteriors[j] - top); }
  }
  return std::clamp(log_posteriors[k] - top - std::log(others), -kMostOdds, kMostOdds);
}

/// ln of 1 / (1 + exp(-z)), without overflow.
double log_sigmoid(double z) {
  return z > 0.0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z));
}

class Platt final : public Calibration {
 public:
  explicit Platt(std::vector<Line> lines) : lines_(std::move(lines)) {}

  [[nodiscard]] std::string method() const override { return "platt"; }
  void apply(std::span<double> log_posteriors, std::size_t classes) const override {
    for (std::size_t r = 0; r < log_posteriors.size() / classes; ++r) {
      apply_row(log_posteriors.subspan(r * classes, classes));
    }
    if (classes > 2) { to_log_posteriors(log_posteriors, classes); }
  }
  [[nodiscard]] Description describe(const std::vector<std::string>& labels) const override {
    DescriptionTable table{"calibration of the log odds", {"class", "slope", "offset"}, {}};
    for (std::size_t f = 0; f < lines_.size(); ++f) {
      table.rows.push_back({labels[class_of(f, labels.size())], lines_[f].slope, lines_[f].offset});
    }
    return {.facts = {}, .tables = {std::move(table)}};
  }
  void save(modelfile::Writer& writer) const override {
    std::vector<double> values;
    for (const Line& line : lines_) {
      values.push_back(line.slope);
      values.push_back(line.offset);
    }
    writer.tensor(kTensor, values, {lines_.size(), 2});
  }

 private:
  void apply_row(std::span<double> row) const {
    const std::vector<double> before(row.begin(), row.end());
    for (std::size_t f = 0; f < lines_.size(); ++f) {
      const std::size_t k = class_of(f, row.size());
      const double z = lines_[f].slope * log_odds(before, k) + lines_[f].offset;
      if (row.size() == 2) { row[0] = log_sigmoid(-z); }
      row[k] = log_sigmoid(z);
    }
  }

  std::vector<Line> lines_;
};

/// sum_n w_n of the cross entropy between a target and its logistic function, its gradient and
/// Hessian in (slope, offset).
struct Loss {
  double value = 0.0;
  std::array<double, 2> gradient{};
  std::array<double, 3> hessian{};  ///< slope slope, slope offset, offset offset
};

class Problem {
 public:
  Problem(const ValidationRows& rows, std::size_t k) : weights_(rows.weights) {
    double positive = 0.0;
    double negative = 0.0;
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      odds_.push_back(log_odds(rows.row(n), k));
      truth_.push_back(rows.labels[n] == static_cast<std::int32_t>(k));
      (truth_.back() ? positive : negative) += rows.weights[n];
    }
    target_ = {1.0 / (negative + 2.0), (positive + 1.0) / (positive + 2.0)};
    start_ = {0.0, std::log((positive + 1.0) / (negative + 1.0))};
  }

  /// The share of the class for all rows, where the loss is curved; at slope 1 it may be flat.
  [[nodiscard]] Line start() const { return start_; }

  [[nodiscard]] Loss at(const Line& line) const {
    Loss loss;
    for (std::size_t n = 0; n < odds_.size(); ++n) {
      const double f = odds_[n];
      const double w = weights_[n];
      const double target = target_[truth_[n] ? 1 : 0];
      const double z = line.slope * f + line.offset;
      const double q = std::exp(log_sigmoid(z));
      loss.value -= w * (target * log_sigmoid(z) + (1.0 - target) * log_sigmoid(-z));
      loss.gradient[0] += w * (q - target) * f;
      loss.gradient[1] += w * (q - target);
      const double curvature = w * q * std::exp(log_sigmoid(-z));
      loss.hessian[0] += curvature * f * f;
      loss.hessian[1] += curvature * f;
      loss.hessian[2] += curvature;
    }
    return loss;
  }

 private:
  std::span<const double> weights_;
  std::vector<double> odds_;
  std::vector<bool> truth_;
  std::array<double, 2> target_{};
  Line start_;
};

/// Newton's method with steps halved until the loss falls (Lin, Lin & Weng 2007).
Line solve(const Problem& problem) {
  constexpr int kMostSteps = 100;
  constexpr double kRidge = 1e-12;  // where all log odds are equal, the slope is free
  constexpr double kSmallest = 1e-10;
  constexpr double kTolerance = 1e-13;
  Line line = problem.start();
  Loss loss = problem.at(line);
  for (int step = 0; step < kMostSteps; ++step) {
    const auto [ss, so, oo] = loss.hessian;
    const double a = ss + kRidge;
    const double d = oo + kRidge;
    const double determinant = a * d - so * so;
    const double slope_step = (d * loss.gradient[0] - so * loss.gradient[1]) / determinant;
    const double offset_step = (a * loss.gradient[1] - so * loss.gradient[0]) / determinant;
    double size = 1.0;
    for (; size >= kSmallest; size /= 2.0) {
      const Line next{line.slope - size * slope_step, line.offset - size * offset_step};
      Loss there = problem.at(next);
      if (there.value < loss.value) {
        line = next;
        loss = there;
        break;
      }
    }
    const bool still = std::abs(slope_step) <= kTolerance * (1.0 + std::abs(line.slope)) &&
                       std::abs(offset_step) <= kTolerance * (1.0 + std::abs(line.offset));
    if (size < kSmallest || still) { break; }
  }
  return line;
}

}  // namespace

std::unique_ptr<Calibration> fit_platt(const ValidationRows& rows, std::vector<std::string>&) {
  std::vector<Line> lines;
  for (std::size_t f = 0; f < function_count(rows.classes); ++f) {
    lines.push_back(solve(Problem(rows, class_of(f, rows.classes))));
  }
  return std::make_unique<Platt>(std::move(lines));
}

std::unique_ptr<Calibration> load_platt(const modelfile::Reader& reader, std::size_t classes) {
  if (!reader.has_tensor(kTensor)) { return nullptr; }
  const std::size_t count = function_count(classes);
  const std::vector<double> values = reader.doubles(kTensor, {count, 2});
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    reader.fail("its calibration holds a number that is not finite");
  }
  std::vector<Line> lines;
  for (std::size_t f = 0; f < count; ++f) { lines.push_back({values[2 * f], values[2 * f + 1]}); }
  return std::make_unique<Platt>(std::move(lines));
}

}  // namespace logodds::posterior
