// One number for all classes: it makes posteriors more or less sure, and changes no decision.
#include <cmath>

#include "logodds/data/schema.hpp"
#include "logodds/modelfile/container.hpp"
#include "posterior/calibrations.hpp"

namespace logodds::posterior {

namespace {

constexpr const char* kTensor = "calibration.temperature";
constexpr double kLeast = 1e-12;  // of 1 / T: log odds of doubles may be that large
constexpr double kMost = 1e3;

class Temperature final : public Calibration {
 public:
  explicit Temperature(double inverse) : inverse_(inverse) {}

  [[nodiscard]] std::string method() const override { return "temperature"; }
  void apply(std::span<double> log_posteriors, std::size_t classes) const override {
    for (double& value : log_posteriors) { value *= inverse_; }
    to_log_posteriors(log_posteriors, classes);
  }
  [[nodiscard]] Description describe(const std::vector<std::string>&) const override {
    return {.facts = {{"temperature", 1.0 / inverse_}}, .tables = {}};
  }
  void save(modelfile::Writer& writer) const override {
    writer.tensor(kTensor, std::span(&inverse_, 1), {1});
  }

 private:
  double inverse_;  ///< 1 / T
};

/// First and second derivative, by b = 1 / T, of
///   L(b) = sum_n w_n (ln sum_k exp(b l_nk) - b l_n,truth),   l = ln p,
/// which is convex. Rows that rule out their class have an infinite loss at every b and are left
/// out.
struct Slope {
  double first = 0.0;
  double second = 0.0;
};

Slope slope_at(const ValidationRows& rows, double b) {
  Slope slope;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const auto l = rows.row(n);
    const double truth = l[static_cast<std::size_t>(rows.labels[n])];
    if (truth == -kInfinity) { continue; }
    double top = -kInfinity;
    for (const double value : l) { top = std::max(top, value); }
    double sum = 0.0;
    double mean = 0.0;
    double square = 0.0;
    for (const double value : l) {
      if (value == -kInfinity) { continue; }
      const double off = value - top;
      const double weight = std::exp(b * off);
      sum += weight;
      mean += weight * off;
      square += weight * off * off;
    }
    mean /= sum;
    slope.first += rows.weights[n] * (mean - (truth - top));
    slope.second += rows.weights[n] * (square / sum - mean * mean);
  }
  return slope;
}

/// The root of the first derivative, which ascends: Newton's steps, halved into the bracket.
double best_inverse(const ValidationRows& rows) {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-13;
  double low = kLeast;
  double high = kMost;
  double b = 1.0;
  for (int step = 0; step < kMostSteps && high - low > kTolerance * b; ++step) {
    const Slope slope = slope_at(rows, b);
    (slope.first > 0.0 ? high : low) = b;
    const double newton = b - slope.first / slope.second;
    const bool inside = newton > low && newton < high;
    const double next = inside ? newton : std::sqrt(low * high);
    if (std::abs(next - b) <= kTolerance * b) { return next; }
    b = next;
  }
  return b;
}

}  // namespace

std::unique_ptr<Calibration> fit_temperature(const ValidationRows& rows,
                                             std::vector<std::string>& notes) {
  const double b = best_inverse(rows);
  if (b > 0.99 * kMost || b < 1.01 * kLeast) {
    notes.push_back(
        b > 1.0 ? "the validation rows are all decided right, so no temperature is low enough for "
                  "them; it was set to " +
                      format_number(1.0 / b) + ", but more rows are needed to calibrate"
                : "the posteriors tell nothing about the validation rows; the temperature was set "
                  "to " +
                      format_number(1.0 / b));
  }
  return std::make_unique<Temperature>(b);
}

std::unique_ptr<Calibration> load_temperature(const modelfile::Reader& reader, std::size_t) {
  if (!reader.has_tensor(kTensor)) { return nullptr; }
  const double b = reader.doubles(kTensor, {1}).front();
  if (!(b > 0.0) || !std::isfinite(b)) { reader.fail("its temperature is not positive"); }
  return std::make_unique<Temperature>(b);
}

}  // namespace logodds::posterior
