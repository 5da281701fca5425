#include "logodds/measure/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "logodds/decide/decide.hpp"
#include "logodds/error.hpp"

namespace logodds::measure {

namespace {

std::size_t cells(std::size_t classes) {
  constexpr std::size_t kMostClasses = 10000;  // a confusion matrix of 800 MB
  if (classes <= kMostClasses) { return classes * classes; }
  throw Error(ErrorCode::usage, "a confusion matrix of " + std::to_string(classes) +
                                    " classes is too large; evaluate models of at most " +
                                    std::to_string(kMostClasses) + " classes");
}

}  // namespace

Measures::Measures(std::size_t classes) : classes_(classes), confusion_(cells(classes), 0.0) {}

void Measures::add(std::size_t truth, std::span<const double> posteriors, double weight) {
  add(truth, decide::argmax(posteriors), posteriors, weight);
}

void Measures::add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
                   double weight) {
  ++rows_;
  weight_ += weight;
  rows_ruled_out_ += posteriors[truth] > 0.0 ? 0U : 1U;
  confusion_[truth * classes_ + decision] += weight;
  const double p = std::max(posteriors[truth], std::numeric_limits<double>::min());
  log_loss_sum_ -= weight * std::log(p);
  double brier = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) {
    const double off = posteriors[k] - (k == truth ? 1.0 : 0.0);
    brier += off * off;
  }
  brier_sum_ += weight * brier;
}

void Measures::merge(const Measures& other) {
  rows_ += other.rows_;
  weight_ += other.weight_;
  rows_ruled_out_ += other.rows_ruled_out_;
  log_loss_sum_ += other.log_loss_sum_;
  brier_sum_ += other.brier_sum_;
  for (std::size_t i = 0; i < confusion_.size(); ++i) { confusion_[i] += other.confusion_[i]; }
}

double Measures::errors() const {
  double wrong = 0.0;
  for (std::size_t i = 0; i < confusion_.size(); ++i) {
    wrong += i % (classes_ + 1) == 0 ? 0.0 : confusion_[i];
  }
  return wrong;
}

double Measures::error_rate() const { return errors() / weight_; }
double Measures::accuracy() const { return (weight_ - errors()) / weight_; }
double Measures::log_loss() const { return log_loss_sum_ / weight_; }
double Measures::brier() const { return brier_sum_ / weight_; }

}  // namespace logodds::measure
