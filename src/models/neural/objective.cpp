#include "models/neural/objective.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/ahead.hpp"
#include "kernels/kernels.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::models::neural {

namespace {

/// Rows of a mini-batch that one lane takes, at least: two tiles of the widest vectors.
constexpr std::size_t kBatchPart = 64;
/// Rows asked of the memory before they are copied.
constexpr std::size_t kAhead = 8;
/// Below this many multiply-adds an evaluation is not worth a second thread.
constexpr double kWorkForThreads = 2e6;

/// Lanes for a vector of `size` parameters: each keeps a gradient of its own.
std::size_t most_lanes(std::size_t size) {
  constexpr std::size_t kLarge = 100'000;
  return size > kLarge ? 4 : parallel::kMostLanes;
}

/// Calls put(i, j) for every parameter i of `few`, which is parameter j of `many`: the same layout
/// or one with a class more, the first.
template <class Put>
void match_outputs(const Layout& few, const Layout& many, const Put& put) {
  const std::size_t skipped = many.outputs - few.outputs;
  for (std::size_t i = 0; i < few.output_weights(); ++i) { put(i, i); }
  const std::size_t rows = (few.size() - few.output_weights()) / few.outputs;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < few.outputs; ++k) {
      put(few.output_weights() + r * few.outputs + k,
          many.output_weights() + r * many.outputs + skipped + k);
    }
  }
}

}  // namespace

std::vector<double> expanded(const NetPlan& plan, std::span<const double> theta) {
  std::vector<double> full(plan.full_layout().size(), 0.0);
  match_outputs(plan.free_layout(), plan.full_layout(),
                [&](std::size_t few, std::size_t many) { full[many] = theta[few]; });
  return full;
}

std::vector<double> without_reference(const NetPlan& plan, std::span<const double> full) {
  std::vector<double> theta(plan.free_layout().size());
  const std::size_t outputs = plan.full_layout().output_weights();
  const bool reference = plan.free_layout().outputs < plan.classes;
  match_outputs(plan.free_layout(), plan.full_layout(), [&](std::size_t few, std::size_t many) {
    theta[few] = full[many] - (reference && many >= outputs ? full[many - 1] : 0.0);
  });
  return theta;
}

NetObjective::NetObjective(const NetRows& rows, const NetPlan& plan, int threads)
    : rows_(rows),
      plan_(plan),
      free_(plan.free_layout()),
      full_(plan.full_layout()),
      zeros_(std::max({plan.inputs, plan.hidden, plan.classes}), 0.0) {
  const double work = static_cast<double>(rows.rows) * static_cast<double>(full_.size());
  threads_ = work > kWorkForThreads ? threads : 1;
  const std::size_t blocks = (rows.rows + kNetRows - 1) / kNetRows;
  row_lanes_ = std::clamp<std::size_t>(blocks, 1, most_lanes(full_.size()));
  lanes_.resize(row_lanes_);
}

void NetObjective::set(std::span<const double> theta) {
  if (free_.outputs == full_.outputs) {
    parameters_.assign(theta.begin(), theta.end());
  } else {
    parameters_ = expanded(plan_, theta);
  }
  back_.resize(full_.outputs * full_.hidden);
  const double* const forth = parameters_.data() + full_.output_weights();
  for (std::size_t h = 0; h < full_.hidden; ++h) {
    for (std::size_t k = 0; k < full_.outputs; ++k) {
      back_[k * full_.hidden + h] = forth[h * full_.outputs + k];
    }
  }
}

/// Residuals r_n = w_n (p_n - y_n) are in lane.scores. With delta_n = g'(a_n) (V r_n): the
/// gradients are sum h_n r_n^T, sum z_n delta_n^T, sum z_n r_n^T, and for the biases the plain
/// sums.
void NetObjective::add_gradients(Lane& lane, const Block& block) const {
  const std::size_t n = block.n;
  const std::size_t d = full_.inputs;
  const std::size_t h = full_.hidden;
  const std::size_t k = full_.outputs;
  double* const gradient = lane.gradient.data();
  const double* const residuals = lane.scores.data();
  kernels::outer_add(lane.hidden.data(), n, h, h, zeros_.data(), residuals, k,
                     gradient + full_.output_weights());
  if (full_.skip) {
    kernels::outer_add(block.z, n, d, d, zeros_.data(), residuals, k,
                       gradient + full_.skip_weights());
  }
  lane.deltas.resize(kNetRows * h);
  kernels::affine_scores(residuals, n, k, k, zeros_.data(), back_.data(), zeros_.data(), h,
                         lane.deltas.data());
  kernels::multiply_slopes(plan_.activation, lane.hidden.data(), n * h, lane.deltas.data());
  kernels::outer_add(block.z, n, d, d, zeros_.data(), lane.deltas.data(), h, gradient);
  double* const hidden_bias = gradient + full_.hidden_bias();
  for (std::size_t r = 0; r < n; ++r) {
    const double* const delta = lane.deltas.data() + r * h;
    for (std::size_t i = 0; i < h; ++i) { hidden_bias[i] += delta[i]; }
  }
}

void NetObjective::add_block(Lane& lane, const Block& block, bool with_gradient) const {
  const std::size_t k = full_.outputs;
  lane.hidden.resize(kNetRows * full_.hidden);
  lane.scores.resize(kNetRows * k);
  lane.log_sums.resize(2 * kNetRows);
  double* const scores = lane.scores.data();
  double* const truth = lane.log_sums.data() + kNetRows;
  forward(NetView(full_, parameters_.data(), zeros_.data()), plan_.activation, block.z, block.n,
          full_.inputs, lane.hidden.data(), lane.skipped, scores);
  for (std::size_t r = 0; r < block.n; ++r) {
    truth[r] = scores[r * k + static_cast<std::size_t>(block.labels[r])];
  }
  kernels::softmax_rows(scores, block.n, k, lane.log_sums.data());
  double* const bias = with_gradient ? lane.gradient.data() + full_.output_bias() : nullptr;
  for (std::size_t r = 0; r < block.n; ++r) {
    const double w = block.weights == nullptr ? 1.0 : block.weights[r];
    lane.value += w * (lane.log_sums[r] - truth[r]);
    if (!with_gradient) { continue; }
    double* const residual = scores + r * k;
    residual[static_cast<std::size_t>(block.labels[r])] -= 1.0;
    for (std::size_t c = 0; c < k; ++c) {
      residual[c] *= w;
      bias[c] += residual[c];
    }
  }
  if (with_gradient) { add_gradients(lane, block); }
}

void NetObjective::run_lane(Lane& lane, std::size_t number, bool with_gradient) const {
  lane.value = 0.0;
  if (with_gradient) { lane.gradient.assign(full_.size(), 0.0); }
  for (std::size_t begin = number * kNetRows; begin < rows_.rows; begin += row_lanes_ * kNetRows) {
    const double* const weights = rows_.weights.empty() ? nullptr : rows_.weights.data() + begin;
    add_block(lane,
              {rows_.z.data() + begin * full_.inputs, rows_.labels.data() + begin, weights,
               std::min(kNetRows, rows_.rows - begin)},
              with_gradient);
  }
}

void NetObjective::run_members(Lane& lane, std::span<const std::uint32_t> members) const {
  const std::size_t d = full_.inputs;
  lane.value = 0.0;
  lane.gradient.assign(full_.size(), 0.0);
  lane.gathered.resize(kNetRows * d);
  lane.labels.resize(kNetRows);
  lane.weights.resize(kNetRows);
  const auto ask = [&](std::size_t member) {
    const double* const row = rows_.z.data() + members[member] * d;
    for (std::size_t i = 0; i < d; i += kernels::kLineDoubles) { __builtin_prefetch(row + i); }
  };
  for (std::size_t m = 0; m < std::min(kAhead, members.size()); ++m) { ask(m); }
  for (std::size_t begin = 0; begin < members.size(); begin += kNetRows) {
    const std::size_t n = std::min(kNetRows, members.size() - begin);
    for (std::size_t r = 0; r < n; ++r) {
      const std::size_t row = members[begin + r];
      if (begin + r + kAhead < members.size()) { ask(begin + r + kAhead); }
      std::copy_n(rows_.z.data() + row * d, d, lane.gathered.data() + r * d);
      lane.labels[r] = rows_.labels[row];
      lane.weights[r] = rows_.weights.empty() ? 1.0 : rows_.weights[row];
    }
    add_block(lane, {lane.gathered.data(), lane.labels.data(), lane.weights.data(), n}, true);
  }
}

/// gradient = factor times the sum over the lanes, in their order, without the reference class.
void NetObjective::sum_lanes(std::size_t lanes, double factor, std::span<double> gradient) const {
  const bool all = free_.outputs == full_.outputs;
  if (all) {
    std::ranges::copy(lanes_[0].gradient, gradient.begin());
  } else {
    std::fill(gradient.begin(), gradient.end(), 0.0);
  }
  for (std::size_t lane = all ? 1 : 0; lane < lanes; ++lane) {
    const double* const part = lanes_[lane].gradient.data();
    if (all) {
      for (std::size_t i = 0; i < gradient.size(); ++i) { gradient[i] += part[i]; }
    } else {
      match_outputs(free_, full_,
                    [&](std::size_t few, std::size_t many) { gradient[few] += part[many]; });
    }
  }
  for (double& value : gradient) { value *= factor; }
}

double NetObjective::add_decay(std::span<const double> theta, double factor,
                               std::span<double> gradient) const {
  constexpr std::size_t kTurns = 8;  // sums by turns, because the last one is not at hand yet
  const double decay = factor * plan_.decay;
  std::array<double, kTurns> squares{};
  const std::size_t size = free_.output_bias();
  for (std::size_t first = 0; first < size; first += kTurns) {
    const std::size_t count = std::min(kTurns, size - first);
    for (std::size_t t = 0; t < count; ++t) {
      const double value = theta[first + t];
      squares[t] += value * value;
      gradient[first + t] += 2.0 * decay * value;
    }
  }
  return decay * std::accumulate(squares.begin(), squares.end(), 0.0);
}

double NetObjective::evaluate(std::span<const double> theta, std::span<double> gradient) {
  set(theta);
  parallel::run_lanes(threads_, row_lanes_,
                      [&](std::size_t lane) { run_lane(lanes_[lane], lane, true); });
  sum_lanes(row_lanes_, 1.0, gradient);
  double value = 0.0;
  for (std::size_t lane = 0; lane < row_lanes_; ++lane) { value += lanes_[lane].value; }
  return value + add_decay(theta, 1.0, gradient);
}

double NetObjective::loss(std::span<const double> theta) {
  set(theta);
  parallel::run_lanes(threads_, row_lanes_,
                      [&](std::size_t lane) { run_lane(lanes_[lane], lane, false); });
  double value = 0.0;
  for (std::size_t lane = 0; lane < row_lanes_; ++lane) { value += lanes_[lane].value; }
  return value;
}

double NetObjective::evaluate_batch(parallel::Team& team, std::span<const double> theta,
                                    std::span<const std::uint32_t> members,
                                    std::span<double> gradient) {
  const std::size_t tiles = (members.size() + kBatchPart - 1) / kBatchPart;
  const std::size_t most = most_lanes(full_.size());
  const std::size_t part = (tiles + most - 1) / most * kBatchPart;
  const std::size_t parts = (members.size() + part - 1) / part;
  if (lanes_.size() < parts) { lanes_.resize(parts); }
  set(theta);
  team.each(parts, [&](std::size_t lane) {
    const std::size_t begin = lane * part;
    run_members(lanes_[lane], members.subspan(begin, std::min(part, members.size() - begin)));
  });
  const double share =
      static_cast<double>(rows_.rows) / (static_cast<double>(members.size()) * rows_.weight);
  sum_lanes(parts, share, gradient);
  double value = 0.0;
  for (std::size_t lane = 0; lane < parts; ++lane) { value += lanes_[lane].value; }
  return share * value + add_decay(theta, 1.0 / rows_.weight, gradient);
}

}  // namespace logodds::models::neural
