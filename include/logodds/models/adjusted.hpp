// A classifier with what was fitted to validation rows on top of it, whatever its family:
//   scores -> posteriors -> calibrated posteriors -> other priors -> thresholds.
#pragma once

#include <memory>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/posterior/calibration.hpp"

namespace logodds {

struct Adjustments {
  std::shared_ptr<const posterior::Calibration> calibration{};  ///< null: none
  /// ln pi'_k - ln pi_k: added to the calibrated log posteriors; empty: the priors as they are. Not
  /// part of a model file.
  std::vector<double> prior_shift{};
  /// As decide::Policy has them; empty: none.
  std::vector<double> thresholds{};

  [[nodiscard]] bool empty() const {
    return calibration == nullptr && prior_shift.empty() && thresholds.empty();
  }
};

class AdjustedClassifier final : public Classifier {
 public:
  AdjustedClassifier(std::unique_ptr<Classifier> base, Adjustments adjustments);

  /// ln of the adjusted posteriors, up to a constant of the row.
  void log_scores(const RowBlock& block, std::span<double> out) const override;
  [[nodiscard]] Description describe() const override;
  [[nodiscard]] std::vector<NamedArray> arrays() const override { return base_->arrays(); }
  /// "thresholds" as well, where there are some: one a label, 0 for none.
  [[nodiscard]] NamedArray array(std::string_view name) const override;
  void save(modelfile::Writer& writer) const override;
  [[nodiscard]] bool takes_missing() const override { return base_->takes_missing(); }
  [[nodiscard]] bool takes_unseen_levels() const override { return base_->takes_unseen_levels(); }
  [[nodiscard]] bool takes_sparse() const override { return base_->takes_sparse(); }
  /// Its ln p(x, C_k) is ln p(x) of the base plus the adjusted log posteriors.
  [[nodiscard]] const Generative* generative() const override;
  // What describes scores that are no longer those of the model is not there.
  [[nodiscard]] const Geometry* geometry() const override;
  [[nodiscard]] const Evidence* evidence() const override;
  [[nodiscard]] std::optional<NaturalParameters> natural_parameters() const override;
  [[nodiscard]] const Coefficients* coefficients() const override { return base_->coefficients(); }
  [[nodiscard]] const Neighborhood* neighborhood() const override { return base_->neighborhood(); }
  [[nodiscard]] const Centers* centers() const override { return base_->centers(); }
  [[nodiscard]] const Words* words() const override { return base_->words(); }
  [[nodiscard]] std::optional<Likelihood> training_likelihood() const override {
    return base_->training_likelihood();
  }

  [[nodiscard]] const Classifier& base() const { return *base_; }
  [[nodiscard]] std::unique_ptr<Classifier> release_base() { return std::move(base_); }
  [[nodiscard]] const Adjustments& adjustments() const { return adjustments_; }

 private:
  friend class AdjustedDensities;
  /// Posteriors are others than those of the base.
  [[nodiscard]] bool changes_scores() const {
    return adjustments_.calibration != nullptr || !adjustments_.prior_shift.empty();
  }
  void adjust(std::span<double> scores) const;
  void adjust_sound(std::span<double> scores) const;

  std::unique_ptr<Classifier> base_;
  Adjustments adjustments_;
  std::unique_ptr<Generative> generative_;
};

/// What the model is adjusted by; null for one that is not.
[[nodiscard]] const Adjustments* adjustments_of(const Classifier& model);
/// The model below its adjustments, or itself.
[[nodiscard]] const Classifier& unadjusted(const Classifier& model);
/// The model with these adjustments in place of those it has.
[[nodiscard]] std::unique_ptr<Classifier> adjusted(std::unique_ptr<Classifier> model,
                                                   Adjustments adjustments);
/// The model with what the file holds besides it.
[[nodiscard]] std::unique_ptr<Classifier> load_adjusted(const modelfile::Reader& reader,
                                                        std::unique_ptr<Classifier> model);

}  // namespace logodds
