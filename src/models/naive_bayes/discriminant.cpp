#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "models/naive_bayes/column_rows.hpp"
#include "models/naive_bayes/naive_bayes.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Scores by class, from the priors on: scores[k * stride + r].
kernels::Scratch start_scores(const Product& product, const ColumnBlock& block) {
  kernels::Scratch scores(product.log_priors.size() * block.stride);
  for (std::size_t k = 0; k < product.log_priors.size(); ++k) {
    std::fill_n(scores.data() + k * block.stride, block.rows, product.log_priors[k]);
  }
  return scores;
}

void check_values(const Product& product, const ColumnBlock& block) {
  for (const auto& factor : product.factors) { factor->check(block); }
}

/// A value that a law has no place for makes a row impossible; such rows are refused.
bool any_impossible(std::span<const double> scores, std::size_t classes) {
  for (std::size_t r = 0; r * classes < scores.size(); ++r) {
    const auto row = scores.subspan(r * classes, classes);
    if (row[0] == -kInfinity &&
        std::ranges::all_of(row, [](double score) { return score == -kInfinity; })) {
      return true;
    }
  }
  return false;
}

/// Row r of a block alone.
struct OneRow {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  std::vector<const std::int32_t*> pointers;
  std::vector<const std::string_view*> texts;
  ColumnBlock block;

  OneRow(const ColumnBlock& from, std::size_t numeric, std::size_t r) {
    for (std::size_t c = 0; c < numeric; ++c) { numbers.push_back(from.number_column(c)[r]); }
    for (const auto* column : from.codes) { codes.push_back(column[r]); }
    for (const auto& code : codes) { pointers.push_back(&code); }
    for (const auto* column : from.texts) { texts.push_back(column + r); }
    block = {1, 1, numbers.data(), pointers, texts};
  }
};

/// Where every class is impossible, those that fewest factors exclude are compared by the other
/// factors; the limit of smoothing that goes to 0.
void score_impossible(const Product& product, const ColumnBlock& block, std::size_t r,
                      std::span<double> out) {
  const OneRow row(block, product.schema->numeric_count(), r);
  const std::size_t classes = out.size();
  std::vector<std::size_t> zeros(classes, 0);
  std::vector<double> term(classes);
  std::copy(product.log_priors.begin(), product.log_priors.end(), out.begin());
  for (const auto& factor : product.factors) {
    std::fill(term.begin(), term.end(), 0.0);
    factor->add_log_densities(row.block, term.data());
    for (std::size_t k = 0; k < classes; ++k) {
      if (term[k] == -kInfinity) {
        if (!factor->excludes()) {  // an overflow: the row is refused by who asked for its scores
          std::fill(out.begin(), out.end(), -kInfinity);
          return;
        }
        ++zeros[k];
      } else {
        out[k] += term[k];
      }
    }
  }
  const std::size_t fewest = *std::ranges::min_element(zeros);
  for (std::size_t k = 0; k < classes; ++k) {
    if (zeros[k] > fewest) { out[k] = -kInfinity; }
  }
}

/// A '1' for each column of numbers, then for each coded one, that row r has.
std::string pattern_of(const ColumnBlock& block, std::size_t numeric, std::size_t r) {
  std::string pattern;
  for (std::size_t c = 0; c < numeric; ++c) {
    pattern += std::isnan(block.number_column(c)[r]) ? '0' : '1';
  }
  for (const auto* codes : block.codes) { pattern += codes[r] == kMissingCode ? '0' : '1'; }
  return pattern;
}

}  // namespace

Simulation& NaiveDiscriminant::Lazy::simulation_of(const Product& product) {
  std::call_once(once, [&] { simulation = std::make_unique<Simulation>(product); });
  return *simulation;
}

NaiveDiscriminant::NaiveDiscriminant(Product product)
    : all_(std::make_shared<const Product>(std::move(product))), lazy_(std::make_shared<Lazy>()) {
  for (std::size_t f = 0; f < all_->factors.size(); ++f) {
    parts_.push_back(all_->factors[f]->name());
    if (all_->factors[f]->places().front().text) { texts_.push_back(f); }
  }
}

void NaiveDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  const ColumnRows rows(block);
  const std::size_t classes = all_->log_priors.size();
  const auto scores = start_scores(*all_, rows.block());
  for (const auto& factor : all_->factors) { factor->add_scores(rows.block(), scores.data()); }
  kernels::store_scores(scores.data(), block.rows, classes, rows.block().stride, out.data());
  if (!any_impossible(out, classes)) { return; }
  check_values(*all_, rows.block());
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto row = out.subspan(r * classes, classes);
    if (any_impossible(row, classes)) { score_impossible(*all_, rows.block(), r, row); }
  }
}

void NaiveDiscriminant::log_joint(const RowBlock& block, std::span<double> out) const {
  const ColumnRows rows(block);
  const std::size_t classes = all_->log_priors.size();
  const auto scores = start_scores(*all_, rows.block());
  for (const auto& factor : all_->factors) {
    factor->add_log_densities(rows.block(), scores.data());
  }
  kernels::store_scores(scores.data(), block.rows, classes, rows.block().stride, out.data());
  if (any_impossible(out, classes)) { check_values(*all_, rows.block()); }
}

double NaiveDiscriminant::parameter_count() const {
  double count = all_->prior_parameters;
  for (const auto& factor : all_->factors) { count += factor->parameter_count(); }
  return count;
}

/// The largest over the classes, as for Gaussians; 1 for a row without any value.
void NaiveDiscriminant::outlier_p_values(const RowBlock& block, std::span<double> out) const {
  Simulation& simulation = lazy_->simulation_of(*all_);
  const ColumnRows rows(block);
  const std::size_t classes = all_->log_priors.size();
  const std::size_t stride = rows.block().stride;
  check_values(*all_, rows.block());
  std::vector<double> sums(classes * stride, 0.0);
  for (const auto& factor : all_->factors) { factor->add_log_densities(rows.block(), sums.data()); }
  for (std::size_t r = 0; r < block.rows; ++r) {
    const std::string observed = pattern_of(rows.block(), block.numeric_columns, r);
    out[r] = observed.find('1') == std::string::npos ? 1.0 : 0.0;
    for (std::size_t k = 0; k < classes && out[r] < 1.0; ++k) {
      out[r] = std::max(out[r], simulation.p_value(observed, k, sums[k * stride + r]));
    }
  }
}

void NaiveDiscriminant::contributions(const RowBlock& block, std::span<const std::int32_t> first,
                                      std::span<const std::int32_t> second, std::span<double> out,
                                      std::span<double> base) const {
  RowBlock uncounted = block;
  uncounted.tally = nullptr;
  const ColumnRows rows(uncounted);
  const std::size_t classes = all_->log_priors.size();
  const std::size_t factors = all_->factors.size();
  const std::size_t stride = rows.block().stride;
  std::vector<double> terms(classes * stride);
  for (std::size_t f = 0; f < factors; ++f) {
    std::fill(terms.begin(), terms.end(), 0.0);
    all_->factors[f]->add_log_densities(rows.block(), terms.data());
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double a = terms[static_cast<std::size_t>(first[r]) * stride + r];
      const double b = terms[static_cast<std::size_t>(second[r]) * stride + r];
      out[r * factors + f] = a == b ? 0.0 : a - b;
    }
  }
  for (std::size_t r = 0; r < block.rows; ++r) {
    base[r] = all_->log_priors[static_cast<std::size_t>(first[r])] -
              all_->log_priors[static_cast<std::size_t>(second[r])];
  }
}

}  // namespace logodds::models::naive_bayes
