#include "models/softmax/objective.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernels/kernels.hpp"
#include "kernels/logistic.hpp"
#include "kernels/softmax_loss.hpp"
#include "kernels/softmax_single.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/parallel/blocks.hpp"
#include "parallel/team.hpp"

namespace logodds::models::softmax {

namespace {

/// Rows of a lane at least: enough that what the kernels do once a call costs little.
std::size_t least_rows(std::size_t columns) {
  constexpr std::size_t kDoubles = std::size_t{1} << 15U;
  return std::clamp<std::size_t>(kDoubles / std::max<std::size_t>(columns, 1), 256, kBlockRows);
}

bool all_fit_floats(const Problem& problem) {
  constexpr double kMost = 0x1p60;
  return problem.weights == nullptr ||
         std::all_of(problem.weights, problem.weights + problem.rows,
                     [](double weight) { return weight <= kMost && weight >= 1.0 / kMost; });
}

}  // namespace

SoftmaxObjective::SoftmaxObjective(const Problem& problem)
    : problem_(problem),
      free_(problem.classes == 2 ? 1 : problem.classes),
      weight_(problem.weights == nullptr
                  ? static_cast<double>(problem.rows)
                  : std::accumulate(problem.weights, problem.weights + problem.rows, 0.0)),
      floats_hold_weights_(all_fit_floats(problem)) {
  const std::size_t most = problem.rows / least_rows(problem.columns);
  lanes_.resize(std::clamp<std::size_t>(most, 1, parallel::kMostLanes));
}

void SoftmaxObjective::expand(std::span<const double> theta, std::vector<double>& coefficients,
                              std::vector<double>& bias) const {
  const std::size_t classes = problem_.classes;
  const std::size_t skipped = classes - free_;
  const std::size_t d = problem_.columns;
  coefficients.assign(d * classes, 0.0);
  bias.assign(classes, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    const double scale = problem_.scale.empty() ? 1.0 : problem_.scale[i];
    for (std::size_t k = 0; k < free_; ++k) {
      coefficients[i * classes + skipped + k] = scale * theta[i * free_ + k];
    }
  }
  if (problem_.intercept) { std::copy_n(theta.data() + d * free_, free_, bias.data() + skipped); }
}

void SoftmaxObjective::add_two_class_rows(Lane& lane, std::size_t begin, std::size_t end,
                                          const Map& map) const {
  const kernels::LogisticMap logistic{problem_.columns, problem_.center.data(),
                                      map.coefficients.data(), map.bias[1]};
  lane.value += kernels::logistic_add(problem_.x + begin * problem_.stride, end - begin,
                                      problem_.stride, logistic, problem_.labels + begin,
                                      weights_from(begin), lane.gradient.data());
}

void SoftmaxObjective::add_rows(Lane& lane, std::size_t begin, std::size_t end,
                                const Map& map) const {
  const kernels::SoftmaxMap linear{problem_.columns, problem_.classes, problem_.center.data(),
                                   map.coefficients.data(), map.bias.data()};
  lane.value += kernels::softmax_add(problem_.x + begin * problem_.stride, end - begin,
                                     problem_.stride, linear, problem_.labels + begin,
                                     weights_from(begin), lane.gradient.data());
}

void SoftmaxObjective::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  if (problem_.team != nullptr) { return problem_.team->each(count, work); }
  parallel::run_lanes(problem_.threads, count, work);
}

void SoftmaxObjective::run_lanes(const AddRows& add) {
  constexpr std::size_t kTile = 64;  // rows that the kernels take at a time
  const std::size_t tiles = (problem_.rows + kTile - 1) / kTile;
  const std::size_t count = lanes_.size();
  each(count, [&](std::size_t number) {
    Lane& lane = lanes_[number];
    lane.value = 0.0;
    lane.gradient.assign((problem_.columns + 1) * free_, 0.0);
    const std::size_t begin = number * tiles / count * kTile;
    add(lane, begin, std::min((number + 1) * tiles / count * kTile, problem_.rows));
  });
}

void SoftmaxObjective::add_reduced(std::span<const double> gradient, std::span<double> out) const {
  const std::size_t d = problem_.columns;
  for (std::size_t i = 0; i < d; ++i) {
    const double scale = problem_.scale.empty() ? 1.0 : problem_.scale[i];
    for (std::size_t k = 0; k < free_; ++k) {
      out[i * free_ + k] += scale * gradient[i * free_ + k];
    }
  }
  for (std::size_t k = d * free_; k < out.size(); ++k) { out[k] += gradient[k]; }
}

/// eps sum_k |T beta_k|^2 = sum_k beta_k^T (eps T^T T) beta_k, times `factor`.
double SoftmaxObjective::add_decay(double factor, std::span<const double> theta,
                                   std::span<double> gradient) const {
  const std::size_t d = problem_.columns;
  const bool diagonal = problem_.decay.size() == d;
  double value = 0.0;
  const auto add = [&](std::size_t i, std::size_t j, double m) {
    for (std::size_t k = 0; k < free_; ++k) {
      gradient[i * free_ + k] += 2.0 * m * theta[j * free_ + k];
      value += m * theta[i * free_ + k] * theta[j * free_ + k];
    }
  };
  for (std::size_t i = 0; i < d; ++i) {
    if (diagonal) {
      add(i, i, factor * problem_.decay[i]);
      continue;
    }
    for (std::size_t j = 0; j < d; ++j) { add(i, j, factor * problem_.decay[i * d + j]); }
  }
  return value;
}

double SoftmaxObjective::evaluate(std::span<const double> theta, std::span<double> gradient) {
  Map map;
  expand(theta, map.coefficients, map.bias);
  if (problem_.classes == 2) {  // the logistic kernel wants the one vector that there is
    for (std::size_t i = 0; i < problem_.columns; ++i) {
      map.coefficients[i] = map.coefficients[2 * i + 1];
    }
  }
  const auto add =
      problem_.classes == 2 ? &SoftmaxObjective::add_two_class_rows : &SoftmaxObjective::add_rows;
  run_lanes(
      [&](Lane& lane, std::size_t begin, std::size_t end) { (this->*add)(lane, begin, end, map); });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  for (const auto& lane : lanes_) {
    value += lane.value;
    add_reduced(lane.gradient, gradient);
  }
  return value + add_decay(1.0, theta, gradient);
}

/// Every lane ends with a whole tile.
void SoftmaxObjective::make_room_for_tiles() {
  constexpr std::size_t kMost = std::size_t{1} << 24U;
  const std::size_t rows = problem_.rows + lanes_.size() * kernels::kMostTileRows;
  if (tiles_.empty() && rows <= kMost / problem_.columns) {
    tiles_ = memory::LargeArray<float>::for_overwrite(rows * problem_.columns);
  }
}

double SoftmaxObjective::evaluate_roughly(std::span<const double> theta, std::span<double> gradient,
                                          kernels::PairPicks* picks) {
  if (!floats_hold_weights_) { return evaluate(theta, gradient); }
  std::vector<double> bias(free_, 0.0);
  const std::size_t coefficients = problem_.columns * free_;
  std::copy(theta.begin() + static_cast<std::ptrdiff_t>(coefficients), theta.end(), bias.begin());
  const kernels::SingleMap map{.d = problem_.columns,
                               .k = free_,
                               .center = problem_.center.data(),
                               .scale = problem_.scale.data(),
                               .coefficients = theta.data(),
                               .bias = bias.data()};
  make_room_for_tiles();
  std::vector<kernels::PairPicks> picked(picks == nullptr ? 0 : lanes_.size());
  run_lanes([&](Lane& lane, std::size_t begin, std::size_t end) {
    const auto number = static_cast<std::size_t>(&lane - lanes_.data());
    const std::size_t place = (begin + number * kernels::kMostTileRows) * problem_.columns;
    if (picks != nullptr) {
      picked[number].rate = picks->rate;
      picked[number].every = picks->every;
      picked[number].first = static_cast<std::uint32_t>(begin);
    }
    lane.value += kernels::softmax_add_single(
        problem_.x + begin * problem_.stride, end - begin, problem_.stride, map,
        problem_.labels + begin, weights_from(begin), lane.gradient.data(),
        {tiles_.empty() ? nullptr : tiles_.data() + place, tiles_there_},
        picks == nullptr ? nullptr : &picked[number]);
  });
  tiles_there_ = !tiles_.empty();
  for (const auto& part : picked) { picks->join(part); }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  for (const auto& lane : lanes_) {
    value += lane.value;
    for (std::size_t i = 0; i < gradient.size(); ++i) { gradient[i] += lane.gradient[i]; }
  }
  return value + add_decay(1.0, theta, gradient);
}

void SoftmaxObjective::batch_gradient(std::span<const double> theta,
                                      std::span<const std::uint32_t> rows,
                                      std::span<double> gradient) const {
  const std::size_t d = problem_.columns;
  const std::size_t skipped = problem_.classes - free_;
  Map map;
  expand(theta, map.coefficients, map.bias);
  std::vector<double> sums((d + 1) * free_, 0.0);
  std::vector<double> p(problem_.classes);
  // Per unit of weight, of which a row has weight / rows on average: a row of twice the weight
  // pulls twice as hard, however large the batch.
  const double weight =
      static_cast<double>(rows.size()) * weight_ / static_cast<double>(problem_.rows);
  for (const std::uint32_t r : rows) {
    const double* const x = problem_.x + r * problem_.stride;
    const double w = problem_.weights == nullptr ? 1.0 : problem_.weights[r];
    kernels::affine_scores(x, 1, d, problem_.stride, problem_.center.data(),
                           map.coefficients.data(), map.bias.data(), problem_.classes, p.data());
    kernels::softmax_rows(p.data(), 1, problem_.classes, nullptr);
    p[static_cast<std::size_t>(problem_.labels[r])] -= 1.0;
    for (std::size_t i = 0; i <= d; ++i) {
      const double z = i < d ? w * (x[i] - problem_.center[i]) : w;
      for (std::size_t k = 0; k < free_; ++k) { sums[i * free_ + k] += z * p[skipped + k]; }
    }
  }
  for (double& sum : sums) { sum /= weight; }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  add_reduced(sums, gradient);
  add_decay(1.0 / weight_, theta, gradient);
}

}  // namespace logodds::models::softmax
