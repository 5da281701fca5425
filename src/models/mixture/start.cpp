#include "models/mixture/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "logodds/error.hpp"
#include "logodds/models/k_means.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::mixture {

ShareRule random_shares(std::size_t components, std::uint64_t seed) {
  return [=](std::size_t first, const RowBlock& block, std::span<double> shares) {
    for (std::size_t r = 0; r < block.rows; ++r) {
      random::RowDraws draws(seed, first + r);
      const auto row = shares.subspan(r * components, components);
      double sum = 0.0;
      for (double& share : row) {
        share = draws.uniform();
        sum += share;
      }
      for (double& share : row) { share /= sum; }
    }
  };
}

namespace {

bool are_shares(std::span<const double> row) {
  constexpr double kTolerance = 1e-6;
  double sum = 0.0;
  for (const double share : row) {
    if (!(share >= 0.0)) { return false; }
    sum += share;
  }
  return std::abs(sum - 1.0) <= kTolerance;
}

}  // namespace

ShareRule given_shares(std::size_t components, std::size_t rows, std::span<const double> given) {
  if (given.size() != rows * components) {
    throw Error(ErrorCode::usage, "the start has " + std::to_string(given.size() / components) +
                                      " rows of shares, but " + std::to_string(rows) +
                                      " rows count; give one for each");
  }
  for (std::size_t r = 0; r < rows; ++r) {
    if (are_shares(given.subspan(r * components, components))) { continue; }
    throw Error(ErrorCode::usage, "row " + std::to_string(r + 1) +
                                      " of the start: shares are at least 0 and sum to 1");
  }
  return [=](std::size_t first, const RowBlock& block, std::span<double> shares) {
    std::ranges::copy(given.subspan(first * components, block.rows * components), shares.begin());
  };
}

StartSpace::StartSpace(const HeldRows& rows, const Schema& schema) : design_(schema, OneHot::full) {
  const std::size_t d = design_.size();
  HeldRows::Pointers pointers;
  std::vector<double> scratch;
  bool weighted = false;
  for (std::size_t part = 0; part < rows.parts(); ++part) {
    const RowBlock block = rows.view(part, pointers);
    const DesignRows encoded = design_.encode(block, scratch);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const row = encoded.data + r * encoded.stride;
      if (std::any_of(row, row + d, [](double x) { return std::isnan(x); })) { continue; }
      rows_.insert(rows_.end(), row, row + d);
      weights_.push_back(block.weight(r));
    }
    weighted = weighted || block.weights != nullptr;
  }
  if (!weighted) { weights_.clear(); }
  const DesignRows all{rows_.data(), rows_.size() / d, d, d};
  units_ =
      clusters::standardization(clusters::column_scales(all, weighted ? weights_.data() : nullptr));
  static_cast<void>(units_.apply(all, rows_));
}

std::vector<double> StartSpace::k_means_centers(std::size_t components, std::uint64_t seed,
                                                const Context& context) const {
  const std::size_t d = design_.size();
  if (rows_.empty()) {
    throw Error(ErrorCode::input,
                "every row lacks a value, so K-means finds no start; take --init random, or leave "
                "out the columns that are mostly empty with --ignore");
  }
  Context seeded = context;
  seeded.seed = seed;
  return k_means({rows_.data(), rows_.size() / d, d, d},
                 weights_.empty() ? nullptr : weights_.data(),
                 {.clusters = components, .trace = false}, seeded)
      .centers;
}

std::vector<double> StartSpace::scaled(std::span<const double> centers) const {
  std::vector<double> result(centers.begin(), centers.end());
  const std::size_t d = design_.size();
  static_cast<void>(units_.apply({result.data(), result.size() / d, d, d}, result));
  return result;
}

ShareRule StartSpace::nearest(std::vector<double> centers) const {
  return [this, centers = std::move(centers)](std::size_t, const RowBlock& block,
                                              std::span<double> shares) {
    const std::size_t d = design_.size();
    const std::size_t components = centers.size() / d;
    std::vector<double> scratch;
    std::vector<double> scaled_rows;
    const DesignRows rows = units_.apply(design_.encode(block, scratch), scaled_rows);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const x = rows.data + r * rows.stride;
      const auto row = shares.subspan(r * components, components);
      const bool any = std::any_of(x, x + d, [](double value) { return !std::isnan(value); });
      std::ranges::fill(row, any ? 0.0 : 1.0 / static_cast<double>(components));
      double least = std::numeric_limits<double>::infinity();
      std::size_t best = 0;
      for (std::size_t k = 0; k < components && any; ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < d; ++i) {
          const double off = x[i] - centers[k * d + i];
          sum += std::isnan(off) ? 0.0 : off * off;
        }
        if (sum < least) {
          least = sum;
          best = k;
        }
      }
      if (any) { row[best] = 1.0; }
    }
  };
}

}  // namespace logodds::models::mixture
