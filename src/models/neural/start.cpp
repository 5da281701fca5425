#include "models/neural/start.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::neural {

namespace {

/// Uniform on (-sqrt(3 variance), sqrt(3 variance)).
void fill_uniform(random::RowDraws& draws, double variance, double* values, std::size_t n) {
  const double half_width = std::sqrt(3.0 * variance);
  for (std::size_t i = 0; i < n; ++i) { values[i] = half_width * (2.0 * draws.uniform() - 1.0); }
}

/// Of the input of a unit.
double wanted_variance(Activation activation) {
  switch (activation) {
    case Activation::sigmoid:
      return 4.0;
    case Activation::relu:
      return 2.0;
    case Activation::tanh:
    case Activation::linear:
      break;
  }
  return 1.0;
}

std::vector<double> log_shares(const NetRows& rows, std::size_t classes) {
  std::vector<double> shares(classes, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    shares[static_cast<std::size_t>(rows.labels[r])] +=
        rows.weights.empty() ? 1.0 : rows.weights[r];
  }
  for (double& share : shares) { share = std::log(share / rows.weight); }
  return shares;
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::usage, "--warm-start: " + what +
                                    "; give a model trained by --model neural with the same "
                                    "columns, classes, --hidden, --activation, --skip and --basis");
}

void check_alike(const Classifier& model, const Schema& schema, const Options& options) {
  if (model.family() != "neural") { refuse("the model is one of family " + model.family()); }
  if (model.labels() != schema.labels) { refuse("the model has other classes than the rows"); }
  const auto alike = [](const Column& a, const Column& b) {
    return a.name == b.name && a.levels == b.levels;  // a count may be a real number next time
  };
  if (!std::ranges::equal(model.schema().columns, schema.columns, alike)) {
    refuse("the model has other columns than the rows");
  }
  for (const std::string name : {"hidden", "activation", "skip", "basis"}) {
    if (model.options().text(name) != options.text(name)) {
      refuse("the model has --" + name + " " + model.options().text(name) + ", not " +
             options.text(name));
    }
  }
}

/// Weights (rows by columns) times the deviations; what the move of the origin adds, to the biases.
void to_standardized(const Standardization& units, double* weights, double* bias,
                     std::size_t columns) {
  for (std::size_t i = 0; i < units.center.size(); ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      double& weight = weights[i * columns + c];
      bias[c] += weight * units.center[i];
      weight = units.scale[i] == 0.0 ? 0.0 : weight / units.scale[i];
    }
  }
}

}  // namespace

std::vector<double> random_start(const NetPlan& plan, const NetRows& rows, std::uint64_t seed,
                                 std::uint64_t restart) {
  constexpr std::uint64_t kStream = std::uint64_t{1} << 61U;  // apart from passes over the rows
  const Layout at = plan.free_layout();
  random::RowDraws draws(seed, kStream + restart);
  std::vector<double> theta(at.size(), 0.0);
  const double variance = wanted_variance(plan.activation);
  const auto inputs = static_cast<double>(plan.inputs);
  fill_uniform(draws, variance / inputs, theta.data(), at.output_weights());
  fill_uniform(draws, 1.0 / static_cast<double>(plan.hidden), theta.data() + at.output_weights(),
               plan.hidden * at.outputs);
  const auto shares = log_shares(rows, plan.classes);
  for (std::size_t k = 0; k < at.outputs; ++k) {
    theta[at.output_bias() + k] = at.outputs == 1 ? shares.back() - shares.front() : shares[k];
  }
  return theta;
}

std::vector<double> start_from(const Classifier& model, const NetPlan& plan, const Schema& schema,
                               const Options& options, const Standardization& standardization) {
  check_alike(model, schema, options);
  const Layout full = plan.full_layout();
  std::vector<double> all(full.size(), 0.0);
  const auto put = [&](const char* name, std::size_t at, std::size_t size) {
    const auto values = model.array(name).values;
    if (values.size() != size) { refuse("the model has other columns than the rows"); }
    std::ranges::copy(values, all.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put("hidden_weights", 0, full.hidden_bias());
  put("hidden_bias", full.hidden_bias(), full.hidden);
  put("output_weights", full.output_weights(), full.hidden * full.outputs);
  put("output_bias", full.output_bias(), full.outputs);
  if (full.skip) { put("skip_weights", full.skip_weights(), full.inputs * full.outputs); }
  to_standardized(standardization, all.data(), all.data() + full.hidden_bias(), full.hidden);
  if (full.skip) {
    to_standardized(standardization, all.data() + full.skip_weights(),
                    all.data() + full.output_bias(), full.outputs);
  }
  return without_reference(plan, all);
}

}  // namespace logodds::models::neural
