#include "models/naive_bayes/simulation.hpp"

#include <algorithm>

#include "models/naive_bayes/naive_bayes.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr std::size_t kMostDraws = 9999;
constexpr std::size_t kFewestDraws = 999;
constexpr std::size_t kMostTerms = std::size_t{1} << 24U;
constexpr std::uint64_t kSeed = 0x0DD5;

/// The drawn rows of one class by columns, and the terms of their log densities.
std::vector<double> drawn_terms(const Product& product, std::size_t k, std::size_t draws) {
  const Schema& schema = *product.schema;
  const std::size_t numeric = schema.numeric_count();
  const std::size_t coded = schema.coded_count();
  std::vector<double> numbers(draws * numeric);
  std::vector<std::vector<std::int32_t>> codes(coded, std::vector<std::int32_t>(draws));
  DrawnRow row{std::vector<double>(numeric), std::vector<std::int32_t>(coded)};
  for (std::size_t r = 0; r < draws; ++r) {
    random::RowDraws numbers_of_row(kSeed + k, r);
    for (const auto& factor : product.factors) { factor->draw(k, numbers_of_row, row); }
    for (std::size_t c = 0; c < numeric; ++c) { numbers[c * draws + r] = row.numbers[c]; }
    for (std::size_t c = 0; c < coded; ++c) { codes[c][r] = row.codes[c]; }
  }
  std::vector<const std::int32_t*> pointers;
  for (const auto& column : codes) { pointers.push_back(column.data()); }
  const ColumnBlock block{draws, draws, numbers.data(), pointers};
  const std::size_t factors = product.factors.size();
  std::vector<double> terms(draws * factors);
  std::vector<double> scores(schema.labels.size() * draws);
  for (std::size_t f = 0; f < factors; ++f) {
    std::fill(scores.begin(), scores.end(), 0.0);
    product.factors[f]->add_log_densities(block, scores.data());
    for (std::size_t r = 0; r < draws; ++r) { terms[r * factors + f] = scores[k * draws + r]; }
  }
  return terms;
}

}  // namespace

Simulation::Simulation(const Product& product) {
  const std::size_t classes = product.schema->labels.size();
  const std::size_t factors = std::max<std::size_t>(1, product.factors.size());
  draws_ = std::clamp(kMostTerms / (classes * factors), kFewestDraws, kMostDraws);
  for (std::size_t k = 0; k < classes; ++k) { terms_.push_back(drawn_terms(product, k, draws_)); }
}

std::shared_ptr<const Simulation::Sorted> Simulation::sorted(const std::string& observed) {
  constexpr std::size_t kMostKept = 64;
  const std::lock_guard lock(mutex_);
  auto found = kept_.find(observed);
  if (found != kept_.end()) { return found->second; }
  const std::size_t factors = observed.size();
  auto sums = std::make_shared<Sorted>(terms_.size(), std::vector<double>(draws_, 0.0));
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    for (std::size_t r = 0; r < draws_; ++r) {
      for (std::size_t f = 0; f < factors; ++f) {
        if (observed[f] == '1') { (*sums)[k][r] += terms_[k][r * factors + f]; }
      }
    }
    std::ranges::sort((*sums)[k]);
  }
  if (kept_.size() >= kMostKept) { kept_.clear(); }
  kept_[observed] = sums;
  return sums;
}

double Simulation::p_value(const std::string& observed, std::size_t k, double log_density) {
  const auto sums = sorted(observed);
  // Ties are rounded sums of the same terms: a little above counts as equal.
  const double bar = log_density + 1e-9 * (1.0 + std::abs(log_density));
  const auto above = std::ranges::upper_bound((*sums)[k], bar);
  return (1.0 + static_cast<double>(above - (*sums)[k].begin())) /
         (1.0 + static_cast<double>(draws_));
}

}  // namespace logodds::models::naive_bayes
