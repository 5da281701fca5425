#include "logodds/models/adjusted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "logodds/modelfile/container.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds {

namespace {

constexpr const char* kThresholds = "decision.thresholds";

std::size_t class_count(const Classifier& model) { return model.labels().size(); }

}  // namespace

/// The densities of the base with other posteriors.
class AdjustedDensities final : public Generative {
 public:
  explicit AdjustedDensities(const AdjustedClassifier& model)
      : model_(model), base_(*model.base().generative()) {
    for (std::size_t k = 0; k < class_count(model); ++k) {
      const auto& shift = model.adjustments().prior_shift;
      log_priors_.push_back(base_.log_priors()[k] + (shift.empty() ? 0.0 : shift[k]));
    }
  }

  [[nodiscard]] std::span<const double> log_priors() const override { return log_priors_; }
  [[nodiscard]] double parameter_count() const override { return base_.parameter_count(); }
  void log_joint(const RowBlock& block, std::span<double> out) const override {
    base_.log_joint(block, out);
    const std::size_t classes = class_count(model_);
    std::vector<double> posteriors(out.begin(), out.end());
    std::vector<double> log_densities(block.rows);
    posterior::from_log_scores(posteriors, classes, log_densities);
    model_.adjust(out);
    for (std::size_t r = 0; r < block.rows; ++r) {
      for (std::size_t k = 0; k < classes; ++k) { out[r * classes + k] += log_densities[r]; }
    }
  }
  void outlier_p_values(const RowBlock& block, std::span<double> out) const override {
    base_.outlier_p_values(block, out);
  }
  void sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
              RowBuffer& out) const override {
    base_.sample(seed, first_row, rows, out);
  }

 private:
  const AdjustedClassifier& model_;
  const Generative& base_;
  std::vector<double> log_priors_;
};

AdjustedClassifier::AdjustedClassifier(std::unique_ptr<Classifier> base, Adjustments adjustments)
    : Classifier(base->family(), base->schema(), base->options()),
      base_(std::move(base)),
      adjustments_(std::move(adjustments)) {
  if (changes_scores() && base_->generative() != nullptr) {
    generative_ = std::make_unique<AdjustedDensities>(*this);
  }
}

/// Rows whose scores overflow stay as they are: whoever asked refuses them.
void AdjustedClassifier::adjust(std::span<double> scores) const {
  const std::size_t classes = class_count(*this);
  for (std::size_t done = 0; done < scores.size();) {
    const auto rest = scores.subspan(done);
    const std::size_t sound = posterior::first_overflow(rest, classes);
    adjust_sound(rest.first(sound * classes));
    done += (sound + 1) * classes;
  }
}

void AdjustedClassifier::adjust_sound(std::span<double> scores) const {
  const std::size_t classes = class_count(*this);
  posterior::to_log_posteriors(scores, classes);
  if (adjustments_.calibration) { adjustments_.calibration->apply(scores, classes); }
  if (adjustments_.prior_shift.empty()) { return; }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] += adjustments_.prior_shift[i % classes];
  }
  posterior::to_log_posteriors(scores, classes);
}

void AdjustedClassifier::log_scores(const RowBlock& block, std::span<double> out) const {
  base_->log_scores(block, out);
  if (changes_scores()) { adjust(out); }
}

Description AdjustedClassifier::describe() const {
  Description description = base_->describe();
  if (adjustments_.calibration) {
    description.facts.emplace_back("calibration", adjustments_.calibration->method());
    Description more = adjustments_.calibration->describe(labels());
    for (auto& fact : more.facts) { description.facts.push_back(std::move(fact)); }
    for (auto& table : more.tables) { description.tables.push_back(std::move(table)); }
  }
  for (std::size_t k = 0; k < adjustments_.thresholds.size(); ++k) {
    if (adjustments_.thresholds[k] <= 0.0) { continue; }
    description.facts.emplace_back("threshold of " + labels()[k], adjustments_.thresholds[k]);
  }
  return description;
}

NamedArray AdjustedClassifier::array(std::string_view name) const {
  if (name != "thresholds" || adjustments_.thresholds.empty()) { return base_->array(name); }
  return {"thresholds", {adjustments_.thresholds.size()}, adjustments_.thresholds};
}

void AdjustedClassifier::save(modelfile::Writer& writer) const {
  base_->save(writer);
  if (adjustments_.calibration) { adjustments_.calibration->save(writer); }
  if (!adjustments_.thresholds.empty()) {
    writer.tensor(kThresholds, adjustments_.thresholds, {adjustments_.thresholds.size()});
  }
}

const Generative* AdjustedClassifier::generative() const {
  return generative_ ? generative_.get() : base_->generative();
}

const Geometry* AdjustedClassifier::geometry() const {
  return changes_scores() ? nullptr : base_->geometry();
}

const Evidence* AdjustedClassifier::evidence() const {
  return changes_scores() ? nullptr : base_->evidence();
}

std::optional<NaturalParameters> AdjustedClassifier::natural_parameters() const {
  if (changes_scores()) { return {}; }
  return base_->natural_parameters();
}

const Adjustments* adjustments_of(const Classifier& model) {
  const auto* const found = dynamic_cast<const AdjustedClassifier*>(&model);
  return found == nullptr ? nullptr : &found->adjustments();
}

const Classifier& unadjusted(const Classifier& model) {
  const auto* const found = dynamic_cast<const AdjustedClassifier*>(&model);
  return found == nullptr ? model : found->base();
}

std::unique_ptr<Classifier> adjusted(std::unique_ptr<Classifier> model, Adjustments adjustments) {
  if (auto* const found = dynamic_cast<AdjustedClassifier*>(model.get())) {
    model = found->release_base();
  }
  if (adjustments.empty()) { return model; }
  return std::make_unique<AdjustedClassifier>(std::move(model), std::move(adjustments));
}

std::unique_ptr<Classifier> load_adjusted(const modelfile::Reader& reader,
                                          std::unique_ptr<Classifier> model) {
  Adjustments found;
  found.calibration = posterior::load_calibration(reader, class_count(*model));
  if (reader.has_tensor(kThresholds)) {
    found.thresholds = reader.doubles(kThresholds, {class_count(*model)});
    const auto good = [](double t) { return t >= 0.0 && t <= 1.0; };
    if (!std::ranges::all_of(found.thresholds, good)) {
      reader.fail("a threshold of its decisions is no posterior");
    }
  }
  return adjusted(std::move(model), std::move(found));
}

}  // namespace logodds
