#include "models/naive_bayes/column_factor.hpp"

#include <cmath>

#include "logodds/models/row_problem.hpp"
#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

namespace {

bool refuses_some_numbers(const ColumnFamily& family) {
  for (const double x : {-1.5, 0.0, 0.5, 2.0}) {
    if (!family.refusal(x).empty()) { return true; }
  }
  return false;
}

}  // namespace

std::string Factor::name() const {
  std::string name;
  for (const auto& place : places_) { name += (name.empty() ? "" : "+") + place.name; }
  return name;
}

ColumnFactor::ColumnFactor(const Schema& schema, std::size_t column, Place place,
                           const ColumnFamily& family, std::unique_ptr<ColumnLaw> law)
    : Factor({std::move(place)}),
      schema_(schema),
      column_(column),
      family_(family),
      restricted_(!places().front().coded && refuses_some_numbers(family) &&
                  law->parameter_count() > 0.0),
      law_(std::move(law)) {}

void ColumnFactor::add_scores(const ColumnBlock& block, double* scores) const {
  const Place& place = places().front();
  if (place.coded) {
    law_->add_scores(block.code_column(place.position), block.stride, scores);
  } else {
    law_->add_scores(block.number_column(place.position), block.stride, scores);
  }
}

void add_log_densities(const ColumnLaw& law, const Place& place, const ColumnBlock& block,
                       double* scores) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    double x = 0.0;
    if (place.coded) {
      const std::int32_t code = block.codes[place.position][r];
      if (code == kMissingCode) { continue; }
      x = code;
    } else {
      x = block.number_column(place.position)[r];
      if (std::isnan(x)) { continue; }
    }
    for (std::size_t k = 0; k < law.classes(); ++k) {
      scores[k * block.stride + r] += law.log_density(k, x);
    }
  }
}

void ColumnFactor::add_log_densities(const ColumnBlock& block, double* scores) const {
  naive_bayes::add_log_densities(*law_, places().front(), block, scores);
}

void ColumnFactor::draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const {
  row.set(places().front(), law_->draw(k, draws));
}

std::optional<double> ColumnFactor::log_likelihood(const NaiveStatistics& statistics) const {
  return law_->log_likelihood(statistics.summary(schema_, column_));
}

void ColumnFactor::check(const ColumnBlock& block) const {
  if (!restricted_) { return; }
  const auto x = block.number_column(places().front().position);
  for (std::size_t r = 0; r < x.size(); ++r) {
    if (std::isnan(x[r])) { continue; }
    const auto why = family_.refusal(x[r]);
    if (!why.empty()) {
      throw RowProblem{r, places().front().name, x[r],
                       std::string(why) + ", which the " + law() +
                           " law of this column wants; correct the value, leave it empty, or train "
                           "with --kinds " +
                           places().front().name + "=real"};
    }
  }
}

}  // namespace logodds::models::naive_bayes
