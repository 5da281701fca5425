#include "models/neighbors/wish.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "logodds/data/csv.hpp"
#include "logodds/error.hpp"

namespace logodds::models::neighbors {

namespace {

constexpr std::size_t kMostTried = 50;  ///< of --k auto
constexpr std::array<std::pair<const char*, Metric>, 4> kMetrics{{
    {"euclidean", Metric::euclidean},
    {"manhattan", Metric::manhattan},
    {"cosine", Metric::cosine},
    {"mahalanobis", Metric::mahalanobis},
}};

std::optional<std::size_t> whole_number(const std::string& text) {
  constexpr double kMost = 1e15;
  const auto number = parse_number(text);
  if (!number || !(*number >= 1.0) || *number > kMost || *number != std::floor(*number)) {
    return {};
  }
  return static_cast<std::size_t>(*number);
}

using Range = std::pair<std::size_t, std::size_t>;

/// "5", "3-20", "auto"
std::optional<Range> read_k(const std::string& text) {
  if (text == "auto") { return Range{1, kMostTried}; }
  if (const auto k = whole_number(text)) { return Range{*k, *k}; }
  const auto dash = text.find('-');
  if (dash == std::string::npos) { return {}; }
  const auto first = whole_number(text.substr(0, dash));
  const auto last = whole_number(text.substr(dash + 1));
  if (!first || !last || *first > *last) { return {}; }
  return Range{*first, *last};
}

std::string canonical_k(const std::string& text) {
  const auto range = read_k(text);
  if (!range) {
    throw std::invalid_argument(
        "is neither a whole number of at least 1, nor a range as 3-20, nor 'auto'");
  }
  if (text == "auto") { return text; }
  const std::string first = std::to_string(range->first);
  return range->first == range->second ? first : first + "-" + std::to_string(range->second);
}

}  // namespace

std::vector<OptionSpec> option_specs() {
  return {{.name = "k",
           .type = OptionType::text,
           .default_value = "5",
           .help = "votes cast by the nearest rows; rows tied at the last distance share what is "
                   "left. A range: the k of least leave-one-out error in it; auto: 1-50",
           .form = "K|FROM-TO|auto",
           .canonical = canonical_k},
          {.name = "metric",
           .type = OptionType::choice,
           .default_value = "euclidean",
           .help = "distance: euclidean, manhattan (sum of absolute differences), cosine (1 - cos "
                   "of the angle) or mahalanobis (by the pooled covariance inside the classes)",
           .choices = {"euclidean", "manhattan", "cosine", "mahalanobis"}},
          {.name = "vote",
           .type = OptionType::choice,
           .default_value = "majority",
           .help = "what a vote weighs: 1 (majority), or 1 / distance, where rows at distance 0 "
                   "leave nothing to others",
           .choices = {"majority", "distance"}},
          {.name = "standardize",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "columns around their mean in units of their standard deviation; those that do "
                   "not vary are left out"},
          {.name = "condense",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "keep only so many rows that every training row is decided as by all of them"}};
}

Wish read_wish(const Options& options) {
  Wish wish;
  std::tie(wish.least_k, wish.most_k) = *read_k(options.text("k"));
  for (const auto& [name, metric] : kMetrics) {
    if (options.choice("metric") == name) { wish.metric = metric; }
  }
  wish.by_distance = options.choice("vote") == "distance";
  wish.standardize = options.flag("standardize");
  wish.condense = options.flag("condense");
  return wish;
}

}  // namespace logodds::models::neighbors
