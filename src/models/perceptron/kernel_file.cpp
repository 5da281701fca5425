// Kernel scores in a model file.
#include <algorithm>

#include "logodds/modelfile/container.hpp"
#include "models/linear/linear_scores.hpp"
#include "models/perceptron/kernel_scores.hpp"

namespace logodds::models::perceptron {

namespace {

bool is_whole(const modelfile::Reader& reader, const std::string& name, std::size_t dimensions) {
  return reader.has_tensor(name) && reader.shape(name).size() == dimensions;
}

Supports load_sparse(const modelfile::Reader& reader, std::size_t columns) {
  if (!is_whole(reader, "supports.starts", 1) || !is_whole(reader, "supports.values", 1)) {
    reader.fail("its supports are missing");
  }
  const std::size_t rows = reader.shape("supports.starts")[0];
  const std::size_t size = reader.shape("supports.values")[0];
  auto starts = reader.integers("supports.starts", {rows});
  auto indices = reader.integers("supports.indices", {size});
  auto values = reader.doubles("supports.values", {size});
  const bool ordered = !starts.empty() && starts.front() == 0 && std::ranges::is_sorted(starts) &&
                       static_cast<std::size_t>(starts.back()) == size;
  const auto outside = [&](std::int32_t i) {
    return i < 0 || static_cast<std::size_t>(i) >= columns;
  };
  if (!ordered || std::ranges::any_of(indices, outside)) {
    reader.fail("its supports make no sense");
  }
  linear::check_finite(reader, values, "supports");
  return {std::move(starts), std::move(indices), std::move(values), columns};
}

Supports load_dense(const modelfile::Reader& reader, std::size_t columns) {
  if (!is_whole(reader, "supports", 2)) { reader.fail("its supports are missing"); }
  auto values = reader.doubles("supports", {reader.shape("supports")[0], columns});
  linear::check_finite(reader, values, "supports");
  return {std::move(values), columns};
}

std::vector<Change> load_changes(const modelfile::Reader& reader, std::size_t supports,
                                 std::size_t classes) {
  if (!is_whole(reader, "changes", 2)) { reader.fail("its changes are missing"); }
  const std::size_t size = reader.shape("changes")[0];
  const auto places = reader.integers("changes", {size, 3});
  const auto amounts = reader.doubles("votes", {size, 2});
  linear::check_finite(reader, amounts, "votes");
  const auto place = [&](std::size_t i, std::size_t limit) {
    const auto value = static_cast<std::size_t>(std::max(places[i], -1));
    if (value >= limit) { reader.fail("a change refers to what does not exist"); }
    return value;
  };
  std::vector<Change> changes;
  for (std::size_t c = 0; c < size; ++c) {
    if (amounts[2 * c] <= 0.0 || amounts[2 * c + 1] < 0.0) { reader.fail("it has negative votes"); }
    changes.push_back({.row = place(3 * c, supports),
                       .up = place(3 * c + 1, classes),
                       .down = place(3 * c + 2, classes),
                       .step = amounts[2 * c],
                       .votes = amounts[2 * c + 1]});
  }
  return changes;
}

}  // namespace

void KernelScores::save(modelfile::Writer& writer) const {
  features_.save(writer);
  const std::size_t d = units_.center.size();
  writer.tensor("center", units_.center, {d});
  writer.tensor("unit", units_.unit, {d});
  writer.tensor("gamma", std::vector<double>{kernel_.gamma}, {1});
  if (units_.sparse) {
    writer.tensor("supports.starts", supports_.starts(), {supports_.starts().size()});
    writer.tensor("supports.indices", supports_.indices(), {supports_.indices().size()});
    writer.tensor("supports.values", supports_.values(), {supports_.values().size()});
  } else {
    writer.tensor("supports", supports_.values(), {supports_.size(), d});
  }
  if (!voted_) {
    writer.tensor("coefficients", coefficients_, {supports_.size(), classes_});
    return;
  }
  std::vector<std::int32_t> places;
  std::vector<double> amounts;
  for (const auto& change : changes_) {
    for (const std::size_t place : {change.row, change.up, change.down}) {
      places.push_back(static_cast<std::int32_t>(place));
    }
    amounts.insert(amounts.end(), {change.step, change.votes});
  }
  writer.tensor("changes", places, {changes_.size(), 3});
  writer.tensor("votes", amounts, {changes_.size(), 2});
}

KernelScores KernelScores::load(const modelfile::Reader& reader, const Schema& schema,
                                const std::string& basis, Kernel kernel, bool voted) {
  auto features = linear::Features::load(reader, schema, OneHot::full, basis);
  const std::size_t d = features.size();
  const std::size_t classes = schema.labels.size();
  InnerUnits units{.center = reader.doubles("center", {d}),
                   .unit = reader.doubles("unit", {d}),
                   .sparse = reader.has_tensor("supports.starts")};
  kernel.gamma = reader.doubles("gamma", {1}).front();
  linear::check_finite(reader, units.center, "units");
  linear::check_finite(reader, units.unit, "units");
  const auto not_positive = [](double unit) { return unit <= 0.0; };
  if (std::ranges::any_of(units.unit, not_positive) || !(kernel.gamma > 0.0)) {
    reader.fail("its units are not positive");
  }
  Supports supports = units.sparse ? load_sparse(reader, d) : load_dense(reader, d);
  const std::size_t size = supports.size();
  if (voted) {
    return {std::move(features),
            std::move(units),
            kernel,
            std::move(supports),
            load_changes(reader, size, classes),
            classes};
  }
  auto coefficients = reader.doubles("coefficients", {size, classes});
  linear::check_finite(reader, coefficients, "coefficients");
  return {std::move(features), std::move(units),        kernel,
          std::move(supports), std::move(coefficients), classes};
}

}  // namespace logodds::models::perceptron
