#include "models/naive_bayes/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/naive_bayes/naive_bayes.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr std::size_t kMostDraws = 9999;
constexpr std::size_t kFewestDraws = 199;
constexpr std::size_t kMostTerms = std::size_t{1} << 26U;  // of all classes for all rows
constexpr std::uint64_t kSeed = 0x0DD5;

}  // namespace

Simulation::Simulation(const Product& product)
    : product_(product), numeric_(product.schema->numeric_count()) {
  const std::size_t classes = product.schema->labels.size();
  const std::size_t coded = product.schema->coded_count();
  const std::size_t factors = std::max<std::size_t>(1, product.factors.size());
  draws_ = std::clamp(kMostTerms / (classes * classes * factors), kFewestDraws, kMostDraws);
  for (std::size_t k = 0; k < classes; ++k) {
    Drawn drawn{std::vector<double>(draws_ * numeric_),
                std::vector<std::vector<std::int32_t>>(coded, std::vector<std::int32_t>(draws_))};
    DrawnRow row{std::vector<double>(numeric_), std::vector<std::int32_t>(coded)};
    for (std::size_t r = 0; r < draws_; ++r) {
      random::RowDraws draws(kSeed + k, r);
      for (const auto& factor : product.factors) { factor->draw(k, draws, row); }
      for (std::size_t c = 0; c < numeric_; ++c) { drawn.numbers[c * draws_ + r] = row.numbers[c]; }
      for (std::size_t c = 0; c < coded; ++c) { drawn.codes[c][r] = row.codes[c]; }
    }
    drawn_.push_back(std::move(drawn));
  }
}

bool Simulation::has(const Place& place, const std::string& observed) const {
  return observed[place.coded ? numeric_ + place.position : place.position] == '1';
}

/// ln p(x_f | C_k) of the drawn rows of class k, without the values that are not observed.
const Simulation::Terms& Simulation::terms(std::size_t k, std::size_t f,
                                           const std::string& observed) {
  const Factor& factor = *product_.factors[f];
  std::string key = std::to_string(f) + ":";
  const auto inputs = factor.inputs();
  for (const auto& place : inputs) { key += has(place, observed) ? '1' : '0'; }
  auto& found = terms_[{k, key}];
  if (!found.empty()) { return found; }
  Drawn rows = drawn_[k];
  for (const auto& place : inputs) {
    if (has(place, observed)) { continue; }
    if (place.coded) {
      std::ranges::fill(rows.codes[place.position], kMissingCode);
    } else {
      std::fill_n(rows.numbers.begin() + static_cast<std::ptrdiff_t>(place.position * draws_),
                  draws_, std::numeric_limits<double>::quiet_NaN());
    }
  }
  std::vector<const std::int32_t*> pointers;
  for (const auto& column : rows.codes) { pointers.push_back(column.data()); }
  std::vector<double> scores(product_.log_priors.size() * draws_, 0.0);
  factor.add_log_densities({draws_, draws_, rows.numbers.data(), pointers}, scores.data());
  const auto first = scores.begin() + static_cast<std::ptrdiff_t>(k * draws_);
  found.assign(first, first + static_cast<std::ptrdiff_t>(draws_));
  return found;
}

std::shared_ptr<const Simulation::Sorted> Simulation::sorted(const std::string& observed) {
  constexpr std::size_t kMostKept = 64;
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(observed);
  if (found != kept_.end()) { return found->second; }
  auto sums = std::make_shared<Sorted>(drawn_.size(), Terms(draws_, 0.0));
  for (std::size_t k = 0; k < drawn_.size(); ++k) {
    for (std::size_t f = 0; f < product_.factors.size(); ++f) {
      const Terms& of_factor = terms(k, f, observed);
      for (std::size_t r = 0; r < draws_; ++r) { (*sums)[k][r] += of_factor[r]; }
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
  const double slack = std::isfinite(log_density) ? 1e-9 * (1.0 + std::abs(log_density)) : 0.0;
  const auto above = std::ranges::upper_bound((*sums)[k], log_density + slack);
  return (1.0 + static_cast<double>(above - (*sums)[k].begin())) /
         (1.0 + static_cast<double>(draws_));
}

}  // namespace logodds::models::naive_bayes
