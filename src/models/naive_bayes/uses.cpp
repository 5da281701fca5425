// What a fitted product is asked for besides scores: rows that are drawn, tables, arrays, natural
// parameters.
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "models/naive_bayes/naive_bayes.hpp"
#include "random/shares.hpp"

namespace logodds::models::naive_bayes {

namespace {

std::vector<double> priors_of(const Product& product) {
  std::vector<double> priors;
  for (const double log_prior : product.log_priors) { priors.push_back(std::exp(log_prior)); }
  return priors;
}

}  // namespace

void NaiveDiscriminant::sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
                               RowBuffer& out) const {
  const std::size_t numeric = all_->schema->numeric_count();
  const std::size_t coded = all_->schema->coded_count();
  const random::Shares classes(priors_of(*all_));
  out.first_row = first_row;
  out.rows = rows;
  out.labels.resize(rows);
  out.weights.clear();
  out.row_numbers.clear();
  out.numeric.resize(rows * numeric);
  out.numeric_data = out.numeric.data();
  out.numeric_columns = out.numeric_stride = numeric;
  out.codes.assign(coded, std::vector<std::int32_t>(rows));
  out.complete = true;
  DrawnRow row{std::vector<double>(numeric), std::vector<std::int32_t>(coded)};
  for (std::size_t r = 0; r < rows; ++r) {
    random::RowDraws draws(seed, first_row + r);
    const std::size_t k = classes.draw(draws);
    out.labels[r] = static_cast<std::int32_t>(k);
    for (const auto& factor : all_->factors) { factor->draw(k, draws, row); }
    std::copy(row.numbers.begin(), row.numbers.end(),
              out.numeric.begin() + static_cast<std::ptrdiff_t>(r * numeric));
    for (std::size_t c = 0; c < coded; ++c) { out.codes[c][r] = row.codes[c]; }
  }
}

Description NaiveDiscriminant::describe() const {
  Description description;
  description.facts.emplace_back("weight",
                                 std::accumulate(all_->weights.begin(), all_->weights.end(), 0.0));
  description.facts.insert(description.facts.end(), all_->facts.begin(), all_->facts.end());
  DescriptionTable classes{"classes", {"class", "weight", "prior"}, {}};
  DescriptionTable parameters{"parameters", {"column", "parameter"}, {}};
  const auto priors = priors_of(*all_);
  for (std::size_t k = 0; k < priors.size(); ++k) {
    classes.rows.push_back({all_->schema->labels[k], all_->weights[k], priors[k]});
    parameters.columns.push_back(all_->schema->labels[k]);
  }
  for (const auto& factor : all_->factors) {
    for (const auto& [name, values] : factor->parameters()) {
      std::vector<Cell> row{factor->name(), name};
      for (const double value : values) { row.emplace_back(value); }
      parameters.rows.push_back(std::move(row));
    }
  }
  description.tables = {std::move(classes), all_->laws, std::move(parameters)};
  if (all_->tree) { description.tables.push_back(*all_->tree); }
  return description;
}

std::vector<NamedArray> NaiveDiscriminant::arrays() const {
  const std::size_t classes = all_->weights.size();
  std::vector<NamedArray> all{{"priors", {classes}, priors_of(*all_)},
                              {"weights", {classes}, all_->weights}};
  for (const auto& factor : all_->factors) {
    for (auto& [name, values] : factor->parameters()) {
      all.push_back({factor->name() + ": " + name, {classes}, std::move(values)});
    }
  }
  return all;
}

NaturalParameters NaiveDiscriminant::natural_parameters() const {
  const std::size_t classes = all_->log_priors.size();
  NaturalParameters all;
  all.log_priors = all_->log_priors;
  all.constants = all_->log_priors;
  std::vector<NaturalForm> forms;
  for (const auto& factor : all_->factors) {
    auto form = factor->natural();
    if (!form) {
      throw Error(ErrorCode::usage,
                  "column '" + factor->name() + "' has the law " + factor->law() +
                      ", which has no natural parameters; train without it, or give it another "
                      "family");
    }
    for (const auto& name : form->statistics) {
      all.statistics.push_back(name);
      all.part_of_statistic.push_back(all.parts.size());
    }
    all.parts.push_back(factor->name());
    forms.push_back(std::move(*form));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    for (const auto& form : forms) {
      const std::size_t size = form.statistics.size();
      const auto first = form.parameters.begin() + static_cast<std::ptrdiff_t>(k * size);
      all.parameters.insert(all.parameters.end(), first, first + static_cast<std::ptrdiff_t>(size));
      all.log_partitions.push_back(form.log_partitions[k]);
      all.constants[k] -= form.log_partitions[k];
    }
  }
  return all;
}

}  // namespace logodds::models::naive_bayes
