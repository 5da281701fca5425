#include "support/sample.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace logodds::test {

Sample Sample::part(std::size_t begin, std::size_t end) const {
  Sample result{.columns = columns, .classes = classes, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = begin; r < end; ++r) { result.append(*this, r); }
  return result;
}

void Sample::append(const Sample& other, std::size_t r) {
  for (std::size_t i = 0; i < columns; ++i) { values.push_back(other.at(r, i)); }
  labels.push_back(other.labels[r]);
  if (!other.weights.empty()) { weights.push_back(other.weights[r]); }
}

MatrixData Sample::data() const {
  MatrixData data{.features = row_major(values.data(), rows(), columns)};
  data.target = "class";
  data.labels = labels.data();
  for (std::size_t k = 0; k < classes; ++k) { data.label_names.push_back("c" + std::to_string(k)); }
  data.weights = weights.empty() ? nullptr : weights.data();
  data.allow_missing = true;
  return data;
}

RowBlock Sample::block(std::vector<std::int32_t>& codes) const {
  codes.assign(labels.begin(), labels.end());
  return {.rows = rows(),
          .numeric = values.data(),
          .numeric_columns = columns,
          .numeric_stride = columns,
          .codes = {},
          .labels = codes.data(),
          .weights = weights.empty() ? nullptr : weights.data()};
}

Sample made_sample(std::size_t rows, std::size_t columns, std::size_t classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> mixing(classes * columns * columns);
  for (auto& entry : mixing) { entry = 0.5 * normal(random); }
  std::vector<double> centers(classes * columns);
  for (auto& entry : centers) { entry = normal(random); }
  Sample sample{.columns = columns, .classes = classes, .values = {}, .labels = {}, .weights = {}};
  std::vector<double> raw(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    // Triangular shares: class 0 is the rarest; every class has rows from the start.
    const std::size_t k = r < classes ? r : std::max(random() % classes, random() % classes);
    sample.labels.push_back(static_cast<std::int64_t>(k));
    for (auto& value : raw) { value = normal(random); }
    for (std::size_t i = 0; i < columns; ++i) {
      double value = centers[k * columns + i] + raw[i];
      for (std::size_t j = 0; j < columns; ++j) {
        value += mixing[(k * columns + i) * columns + j] * raw[j];
      }
      sample.values.push_back(value);
    }
  }
  return sample;
}

Sample weighted(Sample sample, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.weights.push_back(0.5 * static_cast<double>(1 + random() % 5));
  }
  return sample;
}

Sample with_gaps(Sample sample, double share, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const std::size_t kept = random() % sample.columns;
    for (std::size_t i = 0; i < sample.columns; ++i) {
      if (uniform(random) < share && i != kept) {
        sample.values[r * sample.columns + i] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
  return sample;
}

Fit fit(const Sample& sample, const OptionMap& options, const Context& context) {
  return train(*open_matrix(sample.data()), "gaussian", options, context);
}

std::vector<double> posteriors_of(const Classifier& model, const Sample& sample) {
  std::vector<double> out(sample.rows() * model.labels().size());
  posteriors(model, row_major(sample.values.data(), sample.rows(), sample.columns), out);
  return out;
}

std::vector<double> array_of(const Classifier& model, const std::string& name) {
  for (auto& array : model.arrays()) {
    if (array.name == name) { return array.values; }
  }
  return {};
}

std::string refusal(const Sample& sample, const OptionMap& options) {
  try {
    static_cast<void>(fit(sample, options));
  } catch (const Error& error) { return error.what(); }
  return {};
}

double largest_error(const std::vector<double>& actual, const std::vector<double>& expected) {
  if (actual.size() != expected.size()) { return std::numeric_limits<double>::infinity(); }
  double largest = 0.0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(actual[i] - expected[i]) / (1.0 + std::abs(expected[i]));
    if (!(error <= largest)) {
      largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
  }
  return largest;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace logodds::test
