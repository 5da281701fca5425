#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernels/kernels.hpp"
#include "models/gaussian/estimate.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/lazy.hpp"

namespace logodds::models::gaussian {

namespace {

bool complete(const DesignRows& rows) {
  return kernels::all_finite(rows.data, rows.rows, rows.columns, rows.stride);
}

}  // namespace

GaussianDiscriminant::GaussianDiscriminant(const Schema& schema, Design design,
                                           std::optional<Projection> projection,
                                           Densities densities)
    : schema_(schema),
      design_(std::move(design)),
      projection_(std::move(projection)),
      densities_(std::move(densities)),
      scores_(scores_of(densities_)),
      lazy_(std::make_shared<Lazy>()) {}

DesignRows GaussianDiscriminant::rows_of(const RowBlock& block, std::vector<double>& scratch,
                                         std::vector<double>& projected) const {
  const DesignRows rows = design_.encode(block, scratch);
  if (!projection_) { return rows; }
  const std::size_t size = densities_.size;
  projected.resize(rows.rows * size);
  const std::vector<double> zeros(size, 0.0);
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride,
                         projection_->center.data(), projection_->axes.data(), zeros.data(), size,
                         projected.data());
  return {projected.data(), rows.rows, size, size};
}

void GaussianDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  std::vector<double> projected;
  const DesignRows rows = rows_of(block, scratch, projected);
  if (projection_ || block.complete || complete(rows)) { return fill_scores(scores_, rows, out); }
  gaussian::log_joint(densities_, rows, out);
}

void GaussianDiscriminant::log_joint(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  std::vector<double> projected;
  gaussian::log_joint(densities_, rows_of(block, scratch, projected), out);
}

void GaussianDiscriminant::outlier_p_values(const RowBlock& block, std::span<double> out) const {
  std::vector<double> scratch;
  std::vector<double> projected;
  gaussian::outlier_p_values(densities_, rows_of(block, scratch, projected), out);
}

namespace {

/// The covariance behind a factor, D x D.
std::vector<double> sigma_of(const CholeskyFactor& factor) {
  const std::size_t d = factor.size;
  std::vector<double> sigma(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t m = factor.diagonal() ? j : 0; m <= j; ++m) {
        sum += factor.at(i, m) * factor.at(j, m);
      }
      sigma[i * d + j] = sigma[j * d + i] = sum;
    }
  }
  return sigma;
}

/// Its diagonal.
std::vector<double> variances_of(const CholeskyFactor& factor) {
  std::vector<double> variances(factor.size, 0.0);
  for (std::size_t i = 0; i < factor.size; ++i) {
    for (std::size_t m = factor.diagonal() ? i : 0; m <= i; ++m) {
      variances[i] += factor.at(i, m) * factor.at(i, m);
    }
  }
  return variances;
}

std::vector<double> of_all_factors(const Densities& densities,
                                   std::vector<double> (*numbers)(const CholeskyFactor&)) {
  std::vector<double> all;
  for (const auto& factor : densities.factors) {
    const auto values = numbers(factor);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

NamedArray priors_array(const GaussianDiscriminant& model) {
  std::vector<double> priors;
  for (const double log_prior : model.log_priors()) { priors.push_back(std::exp(log_prior)); }
  const std::size_t classes = priors.size();
  return {"priors", {classes}, std::move(priors)};
}

NamedArray weights_array(const GaussianDiscriminant& model) {
  return {"weights", {model.densities().classes()}, model.densities().weights};
}

NamedArray means_array(const GaussianDiscriminant& model) {
  const Densities& all = model.densities();
  return {"means", {all.classes(), all.size}, all.means};
}

NamedArray covariances_array(const GaussianDiscriminant& model) {
  const Densities& all = model.densities();
  return {"covariances", {all.factors.size(), all.size, all.size}, of_all_factors(all, &sigma_of)};
}

NamedArray variances_array(const GaussianDiscriminant& model) {
  const Densities& all = model.densities();
  return {"variances", {all.factors.size(), all.size}, of_all_factors(all, &variances_of)};
}

NamedArray owners_array(const GaussianDiscriminant& model) {
  const auto& owners = model.densities().covariance_of;
  return {"covariance_of_class", {owners.size()}, {owners.begin(), owners.end()}};
}

NamedArray center_array(const GaussianDiscriminant& model) {
  if (!model.projection()) { return {}; }
  return {"projection_center", {model.design().size()}, model.projection()->center};
}

NamedArray axes_array(const GaussianDiscriminant& model) {
  if (!model.projection()) { return {}; }
  return {
      "projection_axes", {model.design().size(), model.densities().size}, model.projection()->axes};
}

/// What makes each array.
using ArrayMaker = NamedArray (*)(const GaussianDiscriminant&);
constexpr std::array<std::pair<std::string_view, ArrayMaker>, 8> kArrays{{
    {"priors", &priors_array},
    {"weights", &weights_array},
    {"means", &means_array},
    {"covariances", &covariances_array},
    {"variances", &variances_array},
    {"covariance_of_class", &owners_array},
    {"projection_center", &center_array},
    {"projection_axes", &axes_array},
}};

}  // namespace

std::vector<NamedArray> GaussianDiscriminant::arrays() const {
  std::vector<NamedArray> all;
  for (const auto& [name, make] : kArrays) {
    NamedArray made = make(*this);
    if (!made.shape.empty()) { all.push_back(std::move(made)); }
  }
  return all;
}

NamedArray GaussianDiscriminant::array(std::string_view name) const {
  for (const auto& [known, make] : kArrays) {
    if (known == name) { return make(*this); }
  }
  return {};
}

Description GaussianDiscriminant::describe() const {
  constexpr std::size_t kMostColumns = 20;  // of covariances that are shown
  Description description;
  const std::size_t d = densities_.size;
  const double total = std::accumulate(densities_.weights.begin(), densities_.weights.end(), 0.0);
  const auto names = projection_ ? component_names(d) : design_.names();
  description.facts.emplace_back("weight", total);
  DescriptionTable classes{"classes", {"class", "weight", "prior"}, {}};
  DescriptionTable means{"means", {projection_ ? "component" : "column"}, {}};
  for (std::size_t k = 0; k < densities_.classes(); ++k) {
    classes.rows.push_back(
        {schema_.labels[k], densities_.weights[k], std::exp(densities_.log_priors[k])});
    means.columns.push_back(schema_.labels[k]);
  }
  for (std::size_t i = 0; i < d; ++i) {
    std::vector<Cell> row{names[i]};
    for (std::size_t k = 0; k < densities_.classes(); ++k) {
      row.emplace_back(densities_.mean(k)[i]);
    }
    means.rows.push_back(std::move(row));
  }
  description.tables = {std::move(classes), std::move(means)};
  for (std::size_t g = 0; g < densities_.factors.size() && d <= kMostColumns; ++g) {
    std::string whose;
    for (std::size_t k = 0; k < densities_.classes(); ++k) {
      if (densities_.covariance_of[k] == g) {
        whose += (whose.empty() ? "" : ", ") + schema_.labels[k];
      }
    }
    const auto sigma = sigma_of(densities_.factors[g]);
    DescriptionTable table{
        densities_.shared() ? "covariance of every class" : "covariance of " + whose, {""}, {}};
    table.columns.insert(table.columns.end(), names.begin(), names.end());
    for (std::size_t i = 0; i < d; ++i) {
      std::vector<Cell> row{names[i]};
      for (std::size_t j = 0; j < d; ++j) { row.emplace_back(sigma[i * d + j]); }
      table.rows.push_back(std::move(row));
    }
    description.tables.push_back(std::move(table));
  }
  return description;
}

}  // namespace logodds::models::gaussian
