#include "models/perceptron/kernel_learning.hpp"

#include <cmath>
#include <unordered_map>

#include "logodds/error.hpp"

namespace logodds::models::perceptron {

namespace {

/// Kernel values of supports with all rows, kept as far as memory allows: rows that are hard are
/// mistaken again and again.
class Columns {
 public:
  Columns(const InnerRows& rows, const Kernel& kernel, int threads)
      : rows_(rows), kernel_(kernel), threads_(threads), squares_(squared_lengths(rows)) {}

  const std::vector<double>& of(std::size_t row) {
    constexpr std::size_t kMostKept = std::size_t{1} << 25U;  // doubles: 256 MiB
    if (const auto found = kept_.find(row); found != kept_.end()) { return found->second; }
    auto column = kernel_column(kernel_, rows_, squares_, row, threads_);
    for (const double value : column) {
      if (!std::isfinite(value)) { refuse(); }
    }
    if ((kept_.size() + 1) * rows_.rows() <= kMostKept) {
      return kept_.emplace(row, std::move(column)).first->second;
    }
    latest_ = std::move(column);
    return latest_;
  }

  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::numeric,
                "the kernel of the training rows overflows; give a smaller --degree or --gamma");
  }

 private:
  const InnerRows& rows_;
  const Kernel& kernel_;
  int threads_;
  std::vector<double> squares_;
  std::unordered_map<std::size_t, std::vector<double>> kept_;
  std::vector<double> latest_;
};

/// amounts[. , up] += factor * column, amounts[. , down] -= factor * column.
void add_column(const std::vector<double>& column, const Change& change, double factor,
                std::size_t classes, std::vector<double>& amounts) {
  for (std::size_t r = 0; r < column.size(); ++r) {
    amounts[r * classes + change.up] += factor * column[r];
    amounts[r * classes + change.down] -= factor * column[r];
  }
}

/// mean = last - late / total, where `late` are the changes times the weight of the rows before.
void take_mean(const std::vector<double>& last, double total, std::vector<double>& late) {
  for (std::size_t i = 0; i < last.size(); ++i) { late[i] = last[i] - late[i] / total; }
}

}  // namespace

std::vector<std::size_t> number_supports(std::vector<Change>& changes) {
  std::vector<std::size_t> supports;
  std::unordered_map<std::size_t, std::size_t> place;
  for (auto& change : changes) {
    const auto [found, added] = place.try_emplace(change.row, supports.size());
    if (added) { supports.push_back(change.row); }
    change.row = found->second;
  }
  return supports;
}

KernelWeights learn_kernel(const InnerRows& rows, const Kernel& kernel, const Learning& learning) {
  const std::size_t classes = learning.classes;
  KernelWeights weights;
  weights.last_scores.assign(rows.rows() * classes, 0.0);
  weights.mean_scores = weights.last_scores;
  Columns columns(rows, kernel, learning.threads);
  std::vector<double> late;  // the change times the weight of the rows before it
  double before = 0.0;
  weights.mistakes = walk(
      rows, learning,
      [&](std::size_t r) {
        before += rows.weight(r);
        return std::span<const double>(weights.last_scores.data() + r * classes, classes);
      },
      [&](const Change& change) {
        late.push_back(change.step * (before - rows.weight(change.row)));
        const auto& column = columns.of(change.row);
        add_column(column, change, change.step, classes, weights.last_scores);
        add_column(column, change, late.back(), classes, weights.mean_scores);
      },
      &weights.changes);
  weights.supports = number_supports(weights.changes);
  weights.last.assign(weights.supports.size() * classes, 0.0);
  weights.mean = weights.last;
  for (std::size_t c = 0; c < weights.changes.size(); ++c) {
    const Change& change = weights.changes[c];
    const std::size_t at = change.row * classes;
    weights.last[at + change.up] += change.step;
    weights.last[at + change.down] -= change.step;
    weights.mean[at + change.up] += late[c];
    weights.mean[at + change.down] -= late[c];
  }
  take_mean(weights.last, before, weights.mean);
  take_mean(weights.last_scores, before, weights.mean_scores);
  for (const double score : weights.mean_scores) {
    if (!std::isfinite(score)) { Columns::refuse(); }
  }
  return weights;
}

}  // namespace logodds::models::perceptron
