// From a family's three parts to the two virtual classes that everything else sees.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/models/centers.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/coefficients.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/em.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/models/kept_statistics.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/models/neighborhood.hpp"
#include "logodds/models/words.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

/// In a model file: what FittedClassifier::em_likelihood() says.
inline constexpr const char* kEmLikelihood = "em.log_likelihood";

template <Family F>
class FittedClassifier final : public Classifier {
 public:
  /// Fitted from statistics, now or when a model file held them.
  FittedClassifier(const std::string& family, Schema schema, Options options,
                   typename F::Statistics statistics, const Context& context, FitReport& report,
                   std::optional<double> em_likelihood = {})
      : Classifier(family, std::move(schema), std::move(options)),
        em_likelihood_(em_likelihood),
        statistics_(std::move(statistics)),
        discriminant_(
            F::estimate(statistics_, {this->schema(), this->options(), context, report})) {
    if constexpr (!F::keeps_statistics) { statistics_ = F::start(this->options()); }
  }
  /// Read from a model file that holds the discriminant itself.
  FittedClassifier(const std::string& family, Schema schema, Options options,
                   typename F::Discriminant discriminant)
      : Classifier(family, std::move(schema), std::move(options)),
        statistics_(F::start(this->options())),
        discriminant_(std::move(discriminant)) {}

  void log_scores(const RowBlock& block, std::span<double> out) const override {
    discriminant_.log_scores(block, out);
  }
  [[nodiscard]] Description describe() const override { return discriminant_.describe(); }
  [[nodiscard]] bool takes_missing() const override {
    if constexpr (requires { discriminant_.takes_missing(); }) {
      return discriminant_.takes_missing();
    }
    return false;
  }
  [[nodiscard]] bool takes_unseen_levels() const override {
    if constexpr (requires { discriminant_.takes_unseen_levels(); }) {
      return discriminant_.takes_unseen_levels();
    }
    return false;
  }
  [[nodiscard]] bool takes_sparse() const override {
    if constexpr (requires { discriminant_.takes_sparse(); }) {
      return discriminant_.takes_sparse();
    }
    return false;
  }
  [[nodiscard]] std::vector<NamedArray> arrays() const override {
    if constexpr (requires { discriminant_.arrays(); }) { return discriminant_.arrays(); }
    return {};
  }
  [[nodiscard]] NamedArray array(std::string_view name) const override {
    if constexpr (requires { discriminant_.array(name); }) { return discriminant_.array(name); }
    return Classifier::array(name);
  }
  [[nodiscard]] const Generative* generative() const override {
    if constexpr (requires { discriminant_.generative(); }) { return discriminant_.generative(); }
    return part<Generative>();
  }
  [[nodiscard]] const Geometry* geometry() const override { return part<Geometry>(); }
  [[nodiscard]] const Evidence* evidence() const override {
    if constexpr (requires { discriminant_.evidence(); }) { return discriminant_.evidence(); }
    return part<Evidence>();
  }
  [[nodiscard]] const Coefficients* coefficients() const override { return part<Coefficients>(); }
  [[nodiscard]] const Neighborhood* neighborhood() const override { return part<Neighborhood>(); }
  [[nodiscard]] const Centers* centers() const override { return part<Centers>(); }
  [[nodiscard]] const Words* words() const override {
    if constexpr (requires { discriminant_.words_face(); }) { return discriminant_.words_face(); }
    return part<Words>();
  }
  [[nodiscard]] std::optional<NaturalParameters> natural_parameters() const override {
    if constexpr (requires { discriminant_.natural_parameters(); }) {
      return discriminant_.natural_parameters();
    }
    return {};
  }
  [[nodiscard]] std::optional<Likelihood> training_likelihood() const override {
    if constexpr (em::Able<F>) {
      if (em_likelihood_ && std::isnan(*em_likelihood_)) { return {}; }
      if (em_likelihood_) {
        return Likelihood{*em_likelihood_, discriminant_.parameter_count(), statistics_.weight()};
      }
    }
    if constexpr (requires { F::likelihood(statistics_, discriminant_); }) {
      return F::likelihood(statistics_, discriminant_);
    }
    return {};
  }
  void save(modelfile::Writer& writer) const override {
    if constexpr (F::keeps_statistics) {
      statistics_.save(writer);
      if (em_likelihood_) { writer.tensor(kEmLikelihood, std::span(&*em_likelihood_, 1), {1}); }
    } else {
      discriminant_.save(writer);
    }
  }
  [[nodiscard]] const typename F::Statistics& statistics() const { return statistics_; }
  [[nodiscard]] const typename F::Discriminant& discriminant() const { return discriminant_; }
  /// What EM ended with where statistics hold rows without a label: these do not tell it. NaN when
  /// they have been changed since. Nothing where every row had a label.
  [[nodiscard]] const std::optional<double>& em_likelihood() const { return em_likelihood_; }

 private:
  /// The discriminant as an interface that it may have.
  template <class Interface>
  [[nodiscard]] const Interface* part() const {
    if constexpr (std::derived_from<typename F::Discriminant, Interface>) { return &discriminant_; }
    return nullptr;
  }

  std::optional<double> em_likelihood_;
  typename F::Statistics statistics_;  ///< before the discriminant, which may refer to them
  typename F::Discriminant discriminant_;
};

/// Which rows a family with an option `missing` of its own takes: "skip" and "error" are for the
/// reader, anything else is the family's way to use incomplete rows.
[[nodiscard]] MissingRows missing_rows(const Options& options, MissingRows asked);

template <Family F>
class FamilyLearner final : public Learner, private Incremental {
 public:
  FamilyLearner(std::string family, Options options, bool takes_missing)
      : family_(std::move(family)), options_(std::move(options)), takes_missing_(takes_missing) {}

  [[nodiscard]] Fit fit(BlockSource& source, MissingRows missing,
                        const Context& context) const override {
    if constexpr (em::Able<F>) {
      if (em::wanted(options_)) { return fit_by_em(source, missing, context, nullptr); }
    }
    return estimate(read(source, missing, context), context);
  }

  [[nodiscard]] const Incremental* incremental() const override {
    return keeps_statistics_of_all_rows(options_) ? this : nullptr;
  }

 private:
  using Statistic = typename F::Statistics;

  /// Options may ask a family to forget some of what it was given.
  [[nodiscard]] static bool keeps_statistics_of_all_rows(const Options& options) {
    if constexpr (requires { F::keeps_all_rows(options); }) { return F::keeps_all_rows(options); }
    return F::keeps_statistics;
  }

  [[nodiscard]] Accumulated<Statistic> read(BlockSource& source, MissingRows missing,
                                            const Context& context,
                                            const Schema* known = nullptr) const {
    const MissingRows rows = missing_rows(options_, missing);
    return accumulate(source, F::start(options_), takes_missing_ && rows == MissingRows::use, rows,
                      context, known);
  }

  /// A family may settle options that only the statistics can tell ("auto") before it estimates.
  static void settle(Statistic& statistics, Options& options, Schema& schema,
                     const Context& context, FitReport& report) {
    if constexpr (requires { F::settle(statistics, options, schema, context, report); }) {
      F::settle(statistics, options, schema, context, report);
    }
  }

  [[nodiscard]] Fit estimate(Accumulated<Statistic> rows, const Context& context,
                             std::optional<double> em_likelihood = {}) const {
    auto& [statistics, schema, report] = rows;
    Options options = options_;
    settle(statistics, options, schema, context, report);
    auto model = std::make_unique<FittedClassifier<F>>(family_, std::move(schema),
                                                       std::move(options), std::move(statistics),
                                                       context, report, em_likelihood);
    return {std::move(model), std::move(report)};
  }

  /// Rows that have no label are used by EM. The rows of `earlier`, unless it is null, count as its
  /// statistics have them.
  [[nodiscard]] Fit fit_by_em(BlockSource& source, MissingRows missing, const Context& context,
                              const Classifier* earlier) const {
    const MissingRows taken = missing_rows(options_, missing);
    auto found = accumulate(source, em::PartlyLabeled<Statistic>(F::start(options_)),
                            takes_missing_ && taken == MissingRows::use, taken, context,
                            earlier == nullptr ? nullptr : &earlier->schema());
    HeldRows held = std::move(found.statistics.rows);
    Accumulated<Statistic> labeled{std::move(found.statistics.labeled), std::move(found.schema),
                                   std::move(found.report)};
    if (earlier != nullptr) {
      const Schema own = labeled.schema;
      labeled = extended(F::start(options_), kept(*earlier), std::move(labeled));
      held.recode(recoding_between(own, labeled.schema));
    }
    if (labeled.schema.labels.empty()) { em::refuse_no_labels(source); }
    labeled.report = totals(labeled.statistics, std::move(labeled.report));
    labeled.report.rows_unlabeled = held.rows_unlabeled();
    if (labeled.report.rows_unlabeled == 0) {
      return estimate(std::move(labeled), context,
                      earlier == nullptr ? std::nullopt : changed_likelihood({&earlier, 1}));
    }
    return run_em(source, std::move(labeled), held, context, earlier != nullptr);
  }

  /// `more`: the labelled rows are not all among those held.
  [[nodiscard]] Fit run_em(const BlockSource& source, Accumulated<Statistic> labeled,
                           const HeldRows& held, const Context& context, bool more) const {
    auto& [statistics, schema, report] = labeled;
    Options options = options_;
    settle(statistics, options, schema, context, report);
    const Statistic empty = bound_to(source, F::start(options));
    em::Course course;
    Statistic sum = em::run<F>({statistics, held, empty, schema, options, em::rule_of(options)},
                               statistics, context, course);
    settle(sum, options, schema, context, report);
    report.weight = sum.weight();
    report.expected_weights = totals(sum).class_weights;
    if (const auto note = course.note(held.weight()); !note.empty()) {
      report.notes.push_back(note);
    }
    auto model = std::make_unique<FittedClassifier<F>>(
        family_, std::move(schema), std::move(options), std::move(sum), context, report,
        more ? kUnknown : course.log_likelihood());
    report.trace = course.table();
    report.converged = course.converged;
    return {std::move(model), std::move(report)};
  }

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  /// Of statistics that were put together from those of models; see em_likelihood().
  [[nodiscard]] std::optional<double> changed_likelihood(
      std::span<const Classifier* const> models) const {
    for (const auto* model : models) {
      if (fitted(*model).em_likelihood()) { return kUnknown; }
    }
    return {};
  }

  [[nodiscard]] const FittedClassifier<F>& fitted(const Classifier& model) const {
    const auto* const mine = dynamic_cast<const FittedClassifier<F>*>(&model);
    if (mine == nullptr) {
      throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                        " cannot be joined with one of family " + family_ +
                                        "; train both with the same --model");
    }
    return *mine;
  }

  [[nodiscard]] KeptRows<Statistic> kept(const Classifier& model) const {
    const FittedClassifier<F>& mine = fitted(model);
    if (!keeps_statistics_of_all_rows(model.options())) {
      throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                        " that has dropped rows cannot be joined with another; "
                                        "train on all the rows together");
    }
    return {mine.statistics(), model.schema()};
  }

  [[nodiscard]] Fit merge(std::span<const Classifier* const> models,
                          const Context& context) const override {
    std::vector<KeptRows<Statistic>> parts;
    for (const auto* model : models) { parts.push_back(kept(*model)); }
    return estimate(joined(F::start(options_), parts), context, changed_likelihood(models));
  }

  [[nodiscard]] Fit update(const Classifier& model, BlockSource& source, MissingRows missing,
                           const Context& context) const override {
    if constexpr (em::Able<F>) {
      if (em::wanted(options_)) { return fit_by_em(source, missing, context, &model); }
    }
    auto found = read(source, missing, context, &model.schema());
    const Classifier* const models[] = {&model};
    return estimate(extended(F::start(options_), kept(model), std::move(found)), context,
                    changed_likelihood(models));
  }

  [[nodiscard]] Fit forget(const Classifier& model, BlockSource& source, MissingRows missing,
                           const Context& context) const override {
    if constexpr (requires(Statistic s, const Schema& schema) { s.unmerge(s, schema); }) {
      auto found = read(source, missing, context, &model.schema());
      const Classifier* const models[] = {&model};
      return estimate(reduced(F::start(options_), kept(model), std::move(found), source), context,
                      changed_likelihood(models));
    } else {
      throw Error(ErrorCode::usage, "a model of family " + family_ + " cannot forget rows");
    }
  }

  std::string family_;
  Options options_;
  bool takes_missing_;
};

/// Completes a record whose name, summary, example, options and capabilities are set.
template <Family F>
FamilyRecord make_record(FamilyRecord record) {
  const std::string name = record.name;
  const bool takes_missing = record.capabilities.missing;
  record.capabilities.mergeable = F::keeps_statistics;
  record.make_learner = [name, takes_missing](const Options& options) -> std::unique_ptr<Learner> {
    return std::make_unique<FamilyLearner<F>>(name, options, takes_missing);
  };
  record.load = [name](const modelfile::Reader& reader, Schema schema,
                       Options options) -> std::unique_ptr<Classifier> {
    if constexpr (F::keeps_statistics) {
      auto statistics = F::load_statistics(reader, schema, options);
      std::optional<double> em_likelihood;
      if (reader.has_tensor(kEmLikelihood)) {
        em_likelihood = reader.doubles(kEmLikelihood, {1}).front();
      }
      FitReport report;
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(statistics), Context{}, report,
                                                   em_likelihood);
    } else {
      auto discriminant = F::Discriminant::load(reader, schema, options);
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(discriminant));
    }
  };
  return record;
}

}  // namespace logodds
