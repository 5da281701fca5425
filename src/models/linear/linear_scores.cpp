#include "models/linear/linear_scores.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "kernels/kernels.hpp"
#include "logodds/modelfile/container.hpp"

namespace logodds::models::linear {

/// a_k = theta_k0 + sum_i theta_ki x_i over what is not 0.
struct LinearScores::Sparse {
  std::once_flag made;
  std::vector<double> intercepts;
  std::vector<double>
      padded;  ///< coefficients with rows of `stride`, if they have not such already
  std::size_t stride = 0;
};

namespace {

/// Fewer classes than this are not worth vectors, nor the memory for padding.
constexpr std::size_t kFewestPadded = 5;
constexpr std::size_t kVector = 8;  // doubles

std::size_t padded_stride(std::size_t classes) {
  return classes < kFewestPadded ? classes : (classes + kVector - 1) / kVector * kVector;
}

}  // namespace

LinearScores::LinearScores(std::vector<std::string> labels, Features features,
                           std::vector<double> center, std::vector<double> coefficients,
                           std::vector<double> bias)
    : labels_(std::move(labels)),
      features_(std::move(features)),
      center_(std::move(center)),
      coefficients_(std::move(coefficients)),
      bias_(std::move(bias)),
      sparse_(std::make_shared<Sparse>()) {}

const LinearScores::Sparse& LinearScores::sparse() const {
  std::call_once(sparse_->made, [this] {
    const std::size_t classes = labels_.size();
    Sparse& sparse = *sparse_;
    sparse.intercepts = intercepts();
    sparse.stride = padded_stride(classes);
    if (sparse.stride == classes) { return; }
    sparse.padded.resize(features_.size() * sparse.stride, 0.0);
    for (std::size_t i = 0; i < features_.size(); ++i) {
      std::copy_n(coefficients_.data() + i * classes, classes,
                  sparse.padded.data() + i * sparse.stride);
    }
  });
  return *sparse_;
}

void LinearScores::sparse_scores(const RowBlock& block, std::span<double> out) const {
  const Sparse& sparse = this->sparse();
  const std::size_t classes = labels_.size();
  const std::size_t stride = sparse.stride;
  const double* const table = sparse.padded.empty() ? coefficients_.data() : sparse.padded.data();
  std::vector<double> sums(stride, 0.0);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const std::size_t begin = block.sparse.starts[r];
    const std::size_t count = block.sparse.starts[r + 1] - begin;
    const std::uint32_t* const indices = block.sparse.indices + begin;
    const double* const values = block.sparse.values + begin;
    std::ranges::copy(sparse.intercepts, sums.begin());
    if (stride % kVector == 0) {
      kernels::add_rows(table, stride, indices, values, count, sums.data());
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const double* const theta = table + indices[i] * stride;
        for (std::size_t k = 0; k < stride; ++k) { sums[k] += theta[k] * values[i]; }
      }
    }
    std::copy_n(sums.data(), classes, out.data() + r * classes);
  }
}

void LinearScores::log_scores(const RowBlock& block, std::span<double> out) const {
  // Few columns are spread out, which costs little and gives the bits of dense rows.
  constexpr std::size_t kMostSpread = 256;
  if (block.is_sparse() && features_.takes_sparse() && features_.size() > kMostSpread) {
    sparse_scores(block, out);
    return;
  }
  std::vector<double> scratch;
  const DesignRows rows = features_.encode(block, scratch);
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride, center_.data(),
                         coefficients_.data(), bias_.data(), labels_.size(), out.data());
}

void LinearScores::contributions(const RowBlock& block, std::span<const std::int32_t> first,
                                 std::span<const std::int32_t> second, std::span<double> out,
                                 std::span<double> base) const {
  std::vector<double> scratch;
  const DesignRows rows = features_.encode(block, scratch);
  const std::size_t classes = labels_.size();
  const std::vector<std::size_t>& part = features_.of_feature();
  std::ranges::fill(out, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto a = static_cast<std::size_t>(first[r]);
    const auto b = static_cast<std::size_t>(second[r]);
    const double* const x = rows.data + r * rows.stride;
    base[r] = bias_[a] - bias_[b];
    for (std::size_t i = 0; i < rows.columns; ++i) {
      const double* const theta = coefficients_.data() + i * classes;
      out[r * parts().size() + part[i]] += (theta[a] - theta[b]) * (x[i] - center_[i]);
    }
  }
}

std::vector<double> LinearScores::intercepts() const {
  const std::size_t classes = labels_.size();
  std::vector<double> result = bias_;
  for (std::size_t i = 0; i < center_.size(); ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      result[k] -= coefficients_[i * classes + k] * center_[i];
    }
  }
  return result;
}

std::vector<NamedArray> LinearScores::arrays() const {
  const std::size_t classes = labels_.size();
  const std::size_t d = features_.size();
  NamedArray by_class{"coefficients", {classes, d}, std::vector<double>(classes * d)};
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      by_class.values[k * d + i] = coefficients_[i * classes + k];
    }
  }
  return {std::move(by_class), {"intercepts", {classes}, intercepts()}};
}

DescriptionTable LinearScores::table() const {
  DescriptionTable table{"coefficients", {"column"}, {}};
  for (const auto& label : labels_) { table.columns.push_back(label); }
  const std::size_t classes = labels_.size();
  std::vector<Cell> first{std::string("(intercept)")};
  for (const double intercept : intercepts()) { first.emplace_back(intercept); }
  table.rows.push_back(std::move(first));
  for (std::size_t i = 0; i < features_.size(); ++i) {
    std::vector<Cell> row{features_.names()[i]};
    for (std::size_t k = 0; k < classes; ++k) { row.emplace_back(coefficients_[i * classes + k]); }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void LinearScores::save(modelfile::Writer& writer) const {
  const std::size_t d = features_.size();
  features_.save(writer);
  writer.tensor("center", center_, {d});
  writer.tensor("coefficients", coefficients_, {d, labels_.size()});
  writer.tensor("bias", bias_, {labels_.size()});
}

LinearScores LinearScores::load(const modelfile::Reader& reader, const Schema& schema,
                                OneHot one_hot, const std::string& basis) {
  Features features = Features::load(reader, schema, one_hot, basis);
  const std::size_t d = features.size();
  const std::size_t classes = schema.labels.size();
  LinearScores loaded(schema.labels, std::move(features), reader.doubles("center", {d}),
                      reader.doubles("coefficients", {d, classes}),
                      reader.doubles("bias", {classes}));
  check_finite(reader, loaded.center_, "coefficients");
  check_finite(reader, loaded.coefficients_, "coefficients");
  check_finite(reader, loaded.bias_, "coefficients");
  return loaded;
}

void check_finite(const modelfile::Reader& reader, std::span<const double> values,
                  const char* what) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    reader.fail(std::string("its ") + what + " are not finite");
  }
}

}  // namespace logodds::models::linear
