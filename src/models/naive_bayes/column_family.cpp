#include "models/naive_bayes/column_family.hpp"

#include <cmath>

#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::models::naive_bayes {

void ColumnLaw::add_scores(std::span<const double> x, std::size_t stride, double* scores) const {
  for (std::size_t k = 0; k < classes(); ++k) {
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (!std::isnan(x[r])) { scores[k * stride + r] += log_density(k, x[r]); }
    }
  }
}

void ColumnLaw::add_scores(std::span<const std::int32_t> codes, std::size_t stride,
                           double* scores) const {
  for (std::size_t k = 0; k < classes(); ++k) {
    for (std::size_t r = 0; r < codes.size(); ++r) {
      if (codes[r] != kMissingCode) { scores[k * stride + r] += log_density(k, codes[r]); }
    }
  }
}

std::string_view ColumnFamily::refusal(double /*x*/) const { return {}; }

const ColumnFamily& find_column_family(std::string_view name) {
  std::vector<std::string> names;
  for (const ColumnFamily* family : column_families()) {
    if (family->name() == name) { return *family; }
    names.emplace_back(family->name());
  }
  std::string known;
  for (const auto& candidate : names) { known += (known.empty() ? "" : ", ") + candidate; }
  throw Error(ErrorCode::usage, "there is no family '" + std::string(name) + "' for a column" +
                                    did_you_mean(name, names) + " (families: " + known + ")");
}

const ColumnFamily& default_family(ColumnKind kind) {
  for (const ColumnFamily* family : column_families()) {
    if (family->kinds().front() == kind) { return *family; }
  }
  throw Error(ErrorCode::usage, "naive-bayes has no family for columns of kind " +
                                    std::string(to_string(kind)) +
                                    "; leave them out with --kinds NAME=ignore");
}

}  // namespace logodds::models::naive_bayes
