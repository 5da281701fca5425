#include <algorithm>

#include "logodds/modelfile/container.hpp"
#include "models/linear/linear_scores.hpp"
#include "models/neural/neural.hpp"

namespace logodds::models::neural {

Activation activation_named(const std::string& name) {
  if (name == "sigmoid") { return Activation::sigmoid; }
  if (name == "linear") { return Activation::linear; }
  return name == "relu" ? Activation::relu : Activation::tanh;
}

NeuralDiscriminant::NeuralDiscriminant(linear::Features features, const Layout& layout,
                                       std::string activation, std::vector<double> center,
                                       std::vector<double> parameters, Convergence convergence)
    : features_(std::move(features)),
      layout_(layout),
      activation_(std::move(activation)),
      unit_(activation_named(activation_)),
      center_(std::move(center)),
      parameters_(std::move(parameters)),
      convergence_(convergence) {}

void NeuralDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  const DesignRows rows = features_.encode(block, scratch);
  std::vector<double> hidden(std::min(kNetRows, rows.rows) * layout_.hidden);
  std::vector<double> skipped;
  const NetView net(layout_, parameters_.data(), center_.data());
  for (std::size_t begin = 0; begin < rows.rows; begin += kNetRows) {
    forward(net, unit_, rows.data + begin * rows.stride, std::min(kNetRows, rows.rows - begin),
            rows.stride, hidden.data(), skipped, out.data() + begin * layout_.outputs);
  }
}

Description NeuralDiscriminant::describe() const {
  Description description;
  const auto count = [](double number) { return static_cast<std::int64_t>(number); };
  description.facts = {{"hidden", static_cast<std::int64_t>(layout_.hidden)},
                       {"activation", activation_},
                       {"skip", std::string(layout_.skip ? "yes" : "no")},
                       {"weights", static_cast<std::int64_t>(parameters_.size())},
                       {"objective", convergence_.objective},
                       {"gradient_norm", convergence_.gradient_norm},
                       {"iterations", count(convergence_.iterations)}};
  if (convergence_.held_out_loss >= 0.0) {
    description.facts.emplace_back("held_out_log_loss", convergence_.held_out_loss);
  }
  return description;
}

std::vector<NamedArray> NeuralDiscriminant::arrays() const {
  const auto [d, h, k, skip] = layout_;
  const auto from = [this](std::size_t begin, std::size_t end) {
    const auto first = parameters_.begin();
    return std::vector<double>(first + static_cast<std::ptrdiff_t>(begin),
                               first + static_cast<std::ptrdiff_t>(end));
  };
  NamedArray hidden{"hidden_weights", {d, h}, from(0, layout_.hidden_bias())};
  NamedArray hidden_bias{"hidden_bias", {h}, from(layout_.hidden_bias(), layout_.output_weights())};
  NamedArray output{
      "output_weights", {h, k}, from(layout_.output_weights(), layout_.skip_weights())};
  NamedArray output_bias{"output_bias", {k}, from(layout_.output_bias(), layout_.size())};
  NamedArray direct{"skip_weights", {d, k}, from(layout_.skip_weights(), layout_.output_bias())};
  const auto move_origin = [this](const NamedArray& weights, NamedArray& bias) {
    const std::size_t columns = bias.values.size();
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
      bias.values[i % columns] -= weights.values[i] * center_[i / columns];
    }
  };
  move_origin(hidden, hidden_bias);
  std::vector<NamedArray> all{std::move(hidden), std::move(hidden_bias), std::move(output)};
  if (skip) { move_origin(direct, output_bias); }
  all.push_back(std::move(output_bias));
  if (skip) { all.push_back(std::move(direct)); }
  return all;
}

void NeuralDiscriminant::save(modelfile::Writer& writer) const {
  const std::span<const double> all(parameters_);
  const auto part = [&](const char* name, std::size_t begin, std::vector<std::size_t> shape) {
    const std::size_t size = shape.size() == 1 ? shape[0] : shape[0] * shape[1];
    writer.tensor(name, all.subspan(begin, size), std::move(shape));
  };
  const auto [d, h, k, skip] = layout_;
  features_.save(writer);
  writer.tensor("center", center_, {d});
  part("hidden_weights", 0, {d, h});
  part("hidden_bias", layout_.hidden_bias(), {h});
  part("output_weights", layout_.output_weights(), {h, k});
  if (skip) { part("skip_weights", layout_.skip_weights(), {d, k}); }
  part("output_bias", layout_.output_bias(), {k});
  const std::vector<double> end{convergence_.objective, convergence_.gradient_norm,
                                convergence_.iterations, convergence_.held_out_loss};
  writer.tensor("convergence", end, {end.size()});
}

NeuralDiscriminant NeuralDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Options& options) {
  auto features = linear::Features::load(reader, schema, OneHot::full, options.text("basis"));
  const Layout layout{features.size(), static_cast<std::size_t>(options.integer("hidden")),
                      schema.labels.size(), options.flag("skip")};
  const auto [d, h, k, skip] = layout;
  std::vector<double> parameters;
  const auto append = [&](const char* name, const std::vector<std::size_t>& shape) {
    const auto values = reader.doubles(name, shape);
    parameters.insert(parameters.end(), values.begin(), values.end());
  };
  append("hidden_weights", {d, h});
  append("hidden_bias", {h});
  append("output_weights", {h, k});
  if (skip) { append("skip_weights", {d, k}); }
  append("output_bias", {k});
  linear::check_finite(reader, parameters, "weights");
  auto center = reader.doubles("center", {d});
  linear::check_finite(reader, center, "weights");
  const auto end = reader.doubles("convergence", {4});
  linear::check_finite(reader, end, "weights");
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  return {std::move(features),          layout,
          options.choice("activation"), std::move(center),
          std::move(parameters),        {end[0], end[1], end[2], end[3]}};
}

}  // namespace logodds::models::neural
