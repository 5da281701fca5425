#include "plots/marginal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/models/row_problem.hpp"

namespace logodds::plots {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kDrawn = 1U << 16U;

double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(place))];
}

}  // namespace

Marginal::Marginal(const Classifier& model, std::size_t column) : model_(model), column_(column) {
  draw_rows();
  const double somewhere = std::floor(std::abs(quantile(drawn_, 0.5))) + 0.5;
  whole_numbers_ = !takes(somewhere);
}

void Marginal::draw_rows() {
  constexpr std::uint64_t kSeed = 0;
  constexpr double kTail = 0.001;
  RowBuffer buffer;
  std::vector<std::vector<double>> by_class(classes());
  for (std::size_t first = 0; first < kDrawn; first += kBlockRows) {
    model_.generative()->sample(kSeed, first, kBlockRows, buffer);
    const RowBlock block = buffer.view();
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double value = block.numeric[r * block.numeric_stride + column_];
      if (!std::isfinite(value)) { continue; }
      by_class[static_cast<std::size_t>(block.labels[r])].push_back(value);
      drawn_.push_back(value);
    }
  }
  std::ranges::sort(drawn_);
  if (drawn_.empty()) { drawn_.push_back(0.0); }
  std::vector<double> ends;
  for (std::vector<double>& values : by_class) {
    if (values.empty()) { continue; }
    std::ranges::sort(values);
    ends.push_back(quantile(values, kTail));
    ends.push_back(quantile(values, 1.0 - kTail));
  }
  view_ = draw::range_of(ends, 0.05);
}

void Marginal::fill_log_joint(std::span<const double> x, std::span<double> out) const {
  const Schema& schema = model_.schema();
  const std::size_t columns = schema.numeric_count();
  std::vector<double> numbers(x.size() * columns, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t r = 0; r < x.size(); ++r) { numbers[r * columns + column_] = x[r]; }
  const std::vector<std::int32_t> missing(x.size(), kMissingCode);
  const std::vector<const std::int32_t*> codes(schema.coded_count(), missing.data());
  const std::vector<std::string_view> no_text(x.size());
  const std::vector<const std::string_view*> texts(schema.text_count(), no_text.data());
  model_.generative()->log_joint({.rows = x.size(),
                                  .numeric = numbers.data(),
                                  .numeric_columns = columns,
                                  .numeric_stride = columns,
                                  .codes = codes,
                                  .texts = texts},
                                 out);
}

bool Marginal::takes(double x) const {
  try {
    std::vector<double> scores(classes());
    fill_log_joint({&x, 1}, scores);
    return true;
  } catch (const RowProblem&) { return false; }
}

std::vector<double> Marginal::log_joint(std::span<const double> x) const {
  std::vector<double> scores(x.size() * classes(), -kInfinity);
  for (std::size_t first = 0; first < x.size(); first += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, x.size() - first);
    const std::span<double> out(scores.data() + first * classes(), rows * classes());
    try {
      fill_log_joint(x.subspan(first, rows), out);
    } catch (const RowProblem&) {
      for (std::size_t r = 0; r < rows; ++r) {
        const auto row = out.subspan(r * classes(), classes());
        if (takes(x[first + r])) {
          fill_log_joint(x.subspan(first + r, 1), row);
        } else {
          std::ranges::fill(row, -kInfinity);
        }
      }
    }
  }
  for (double& score : scores) {
    if (std::isnan(score)) { score = -kInfinity; }
  }
  return scores;
}

}  // namespace logodds::plots
