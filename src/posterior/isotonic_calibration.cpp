// A non-decreasing function of the posterior, one a class.
#include <algorithm>
#include <cmath>
#include <utility>

#include "logodds/modelfile/container.hpp"
#include "logodds/posterior/isotonic.hpp"
#include "posterior/calibrations.hpp"

namespace logodds::posterior {

namespace {

constexpr const char* kKnots = "calibration.isotonic";
constexpr const char* kCounts = "calibration.isotonic.counts";

class IsotonicCalibration final : public Calibration {
 public:
  explicit IsotonicCalibration(std::vector<MonotoneLine> lines) : lines_(std::move(lines)) {}

  [[nodiscard]] std::string method() const override { return "isotonic"; }
  void apply(std::span<double> log_posteriors, std::size_t classes) const override {
    for (std::size_t r = 0; r < log_posteriors.size() / classes; ++r) {
      const auto row = log_posteriors.subspan(r * classes, classes);
      apply_row(row);
      if (log_sum(row) == -kInfinity) { std::ranges::fill(row, 0.0); }
    }
    to_log_posteriors(log_posteriors, classes);
  }
  [[nodiscard]] Description describe(const std::vector<std::string>& labels) const override {
    DescriptionTable table{
        "calibration of the posteriors", {"class", "knots", "lowest", "highest"}, {}};
    for (std::size_t f = 0; f < lines_.size(); ++f) {
      table.rows.push_back({labels[class_of(f, labels.size())],
                            static_cast<std::int64_t>(lines_[f].x.size()), lines_[f].y.front(),
                            lines_[f].y.back()});
    }
    return {.facts = {}, .tables = {std::move(table)}};
  }
  void save(modelfile::Writer& writer) const override {
    std::vector<std::int32_t> counts;
    std::vector<double> knots;
    for (const MonotoneLine& line : lines_) {
      counts.push_back(static_cast<std::int32_t>(line.x.size()));
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        knots.push_back(line.x[i]);
        knots.push_back(line.y[i]);
      }
    }
    writer.tensor(kCounts, counts, {counts.size()});
    writer.tensor(kKnots, knots, {knots.size() / 2, 2});
  }

 private:
  void apply_row(std::span<double> row) const {
    for (std::size_t f = 0; f < lines_.size(); ++f) {
      const std::size_t k = class_of(f, row.size());
      const double q = lines_[f].at(std::exp(row[k]));
      if (row.size() == 2) { row[0] = std::log1p(-q); }
      row[k] = std::log(q);
    }
  }

  std::vector<MonotoneLine> lines_;
};

}  // namespace

std::unique_ptr<Calibration> fit_isotonic(const ValidationRows& rows,
                                          std::vector<std::string>& notes) {
  std::vector<MonotoneLine> lines;
  std::vector<double> x(rows.rows());
  std::vector<double> y(rows.rows());
  for (std::size_t f = 0; f < function_count(rows.classes); ++f) {
    const std::size_t k = class_of(f, rows.classes);
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      x[n] = std::exp(rows.row(n)[k]);
      y[n] = rows.labels[n] == static_cast<std::int32_t>(k) ? 1.0 : 0.0;
    }
    lines.push_back(isotonic(x, y, rows.weights));
  }
  const auto certain = [](const MonotoneLine& line) {
    return line.y.front() == 0.0 || line.y.back() == 1.0;
  };
  if (std::ranges::any_of(lines, certain)) {
    notes.emplace_back(
        "some posteriors are 0 or 1 now, because the validation rows there are all of one kind; a "
        "new row that contradicts them has an infinite log loss, which temperature and platt "
        "avoid");
  }
  return std::make_unique<IsotonicCalibration>(std::move(lines));
}

std::unique_ptr<Calibration> load_isotonic(const modelfile::Reader& reader, std::size_t classes) {
  if (!reader.has_tensor(kCounts)) { return nullptr; }
  const std::vector<std::int32_t> counts = reader.integers(kCounts, {function_count(classes)});
  std::size_t total = 0;
  for (const std::int32_t count : counts) {
    if (count < 1) { reader.fail("its calibration has a class without knots"); }
    total += static_cast<std::size_t>(count);
  }
  const std::vector<double> knots = reader.doubles(kKnots, {total, 2});
  std::vector<MonotoneLine> lines;
  std::size_t at = 0;
  for (const std::int32_t count : counts) {
    MonotoneLine line;
    for (std::int32_t i = 0; i < count; ++i, ++at) {
      const double x = knots[2 * at];
      const double y = knots[2 * at + 1];
      const bool good = std::isfinite(x) && y >= 0.0 && y <= 1.0 &&
                        (i == 0 || (x > line.x.back() && y >= line.y.back()));
      if (!good) { reader.fail("its calibration is no ascending function"); }
      line.x.push_back(x);
      line.y.push_back(y);
    }
    lines.push_back(std::move(line));
  }
  return std::make_unique<IsotonicCalibration>(std::move(lines));
}

}  // namespace logodds::posterior
