#include "logodds/measure/measures.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "logodds/decide/decide.hpp"
#include "logodds/error.hpp"

namespace logodds::measure {

namespace {

std::size_t cells(std::size_t classes) {
  constexpr std::size_t kMostClasses = 10000;  // two confusion matrices of 800 MB
  if (classes <= kMostClasses) { return classes * classes; }
  throw Error(ErrorCode::usage, "a confusion matrix of " + std::to_string(classes) +
                                    " classes is too large; evaluate models of at most " +
                                    std::to_string(kMostClasses) + " classes");
}

double checked_floor(double floor) {
  if (floor > 0.0 && floor < 1.0) { return floor; }
  throw Error(ErrorCode::usage, "the least posterior that counts is above 0 and below 1");
}

void add_all(std::vector<double>& to, const std::vector<double>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) { to[i] += from[i]; }
}

}  // namespace

void Measures::LossSums::merge(const LossSums& other) {
  sum += other.sum;
  squared_weights += other.squared_weights;
  squares += other.squares;
}

Measures::Measures(std::size_t classes, const MeasureOptions& options)
    : classes_(classes),
      floor_(checked_floor(options.floor)),
      class_brier_(classes),
      confusion_(cells(classes), 0.0),
      confusion_squares_(confusion_),
      by_class_(options.bins > 0 ? classes : 0, Calibration(options.bins)),
      of_decisions_(options.bins) {
  if (options.keep_rows) { kept_.emplace(classes, options.most_kept_bytes); }
}

void Measures::add(std::size_t truth, std::span<const double> posteriors, double weight) {
  add(truth, decide::argmax(posteriors), posteriors, weight);
}

void Measures::add(std::size_t truth, std::size_t decision, std::span<const double> posteriors,
                   double weight) {
  ++rows_;
  weight_ += weight;
  weight_squares_ += weight * weight;
  rows_ruled_out_ += posteriors[truth] > 0.0 ? 0U : 1U;
  confusion_[truth * classes_ + decision] += weight;
  confusion_squares_[truth * classes_ + decision] += weight * weight;
  log_loss_.add(-std::log(std::max(posteriors[truth], floor_)), weight);
  double brier = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) {
    const double off = posteriors[k] - (k == truth ? 1.0 : 0.0);
    brier += off * off;
    class_brier_[k].add(off * off, weight);
  }
  brier_.add(brier, weight);
  if (!by_class_.empty()) {
    for (std::size_t k = 0; k < classes_; ++k) {
      by_class_[k].add(posteriors[k], k == truth, weight);
    }
    of_decisions_.add(posteriors[decision], decision == truth, weight);
  }
  if (kept_) { kept_->add(truth, decision, posteriors, weight); }
}

void Measures::merge(const Measures& other) {
  rows_ += other.rows_;
  weight_ += other.weight_;
  weight_squares_ += other.weight_squares_;
  rows_ruled_out_ += other.rows_ruled_out_;
  log_loss_.merge(other.log_loss_);
  brier_.merge(other.brier_);
  add_all(confusion_, other.confusion_);
  add_all(confusion_squares_, other.confusion_squares_);
  for (std::size_t k = 0; k < classes_; ++k) { class_brier_[k].merge(other.class_brier_[k]); }
  for (std::size_t k = 0; k < by_class_.size(); ++k) { by_class_[k].merge(other.by_class_[k]); }
  of_decisions_.merge(other.of_decisions_);
  if (kept_ && other.kept_) { kept_->merge(*other.kept_); }
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
double Measures::log_loss() const { return log_loss_.sum / weight_; }
double Measures::brier() const { return brier_.sum / weight_; }
double Measures::class_brier(std::size_t k) const { return class_brier_[k].sum / weight_; }

const KeptRows* Measures::kept_rows() const {
  return kept_ && !kept_->overflowed() ? &*kept_ : nullptr;
}

}  // namespace logodds::measure
