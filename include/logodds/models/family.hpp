// From a family's three parts to the two virtual classes that everything else sees.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/coefficients.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/models/words.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

/// The schema that holds the columns and labels of both; throws when the columns do not agree.
[[nodiscard]] Schema united_schema(const Schema& a, const Schema& b);
/// From the codes of `from` to those of `to`, which knows all of them.
[[nodiscard]] Recoding recoding_between(const Schema& from, const Schema& to);
/// From the codes of `from` to those of `to`, which lacks some: -1 for these.
[[nodiscard]] Recoding recoding_dropping(const Schema& from, const Schema& to);
/// Throws Error(input) naming a class or level of `rows` that `model` does not know, or
/// Error(usage) when the columns do not agree: such rows cannot be forgotten.
void check_known(const Schema& rows, const Schema& model);

template <Family F>
class FittedClassifier final : public Classifier {
 public:
  /// Fitted from statistics, now or when a model file held them.
  FittedClassifier(const std::string& family, Schema schema, Options options,
                   typename F::Statistics statistics, const Context& context, FitReport& report)
      : Classifier(family, std::move(schema), std::move(options)),
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
    if constexpr (requires { F::likelihood(statistics_, discriminant_); }) {
      return F::likelihood(statistics_, discriminant_);
    }
    return {};
  }
  void save(modelfile::Writer& writer) const override {
    if constexpr (F::keeps_statistics) {
      statistics_.save(writer);
    } else {
      discriminant_.save(writer);
    }
  }
  [[nodiscard]] const typename F::Statistics& statistics() const { return statistics_; }

 private:
  /// The discriminant as an interface that it may have.
  template <class Interface>
  [[nodiscard]] const Interface* part() const {
    if constexpr (std::derived_from<typename F::Discriminant, Interface>) { return &discriminant_; }
    return nullptr;
  }

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
    auto found = read(source, missing, context);
    return estimate(std::move(found.schema), std::move(found.statistics), std::move(found.report),
                    context);
  }

  [[nodiscard]] const Incremental* incremental() const override {
    return F::keeps_statistics ? this : nullptr;
  }

 private:
  using Statistic = typename F::Statistics;

  [[nodiscard]] Accumulated<Statistic> read(BlockSource& source, MissingRows missing,
                                            const Context& context,
                                            const Schema* known = nullptr) const {
    const MissingRows rows = missing_rows(options_, missing);
    return accumulate(source, F::start(options_), takes_missing_ && rows == MissingRows::use, rows,
                      context, known);
  }

  /// A family may settle options that only the statistics can tell ("auto") before it estimates.
  [[nodiscard]] Fit estimate(Schema schema, Statistic statistics, FitReport report,
                             const Context& context) const {
    Options options = options_;
    if constexpr (requires { F::settle(statistics, options, schema, context, report); }) {
      F::settle(statistics, options, schema, context, report);
    }
    auto model = std::make_unique<FittedClassifier<F>>(
        family_, std::move(schema), std::move(options), std::move(statistics), context, report);
    return {std::move(model), std::move(report)};
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

  /// The statistics of a model in the codes of `schema`, as far as the options ask for them.
  [[nodiscard]] Statistic statistics_in(const Schema& schema, const Classifier& model) const {
    Statistic statistics = fitted(model).statistics();
    statistics.recode(recoding_between(model.schema(), schema));
    if (!F::start(options_).compatible(statistics)) {
      throw Error(ErrorCode::usage,
                  "the model keeps other statistics than the options ask for; train it with the "
                  "same options");
    }
    Statistic asked_for = F::start(options_);
    asked_for.merge(statistics);
    return asked_for;
  }

  /// The report with the weights of all rows of the model; those by class where the statistic
  /// knows.
  [[nodiscard]] static FitReport totals(const Statistic& statistics, FitReport report = {}) {
    report.weight = statistics.weight();
    report.class_weights.clear();
    if constexpr (requires { statistics.class_weights(); }) {
      report.class_weights = statistics.class_weights();
    }
    return report;
  }

  [[nodiscard]] Fit merge(std::span<const Classifier* const> models,
                          const Context& context) const override {
    if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
    Schema schema = models.front()->schema();
    for (const auto* model : models) { schema = united_schema(schema, model->schema()); }
    Statistic sum = F::start(options_);
    for (const auto* model : models) { sum.merge(statistics_in(schema, *model)); }
    FitReport report = totals(sum);
    return estimate(std::move(schema), std::move(sum), std::move(report), context);
  }

  [[nodiscard]] Fit update(const Classifier& model, BlockSource& source, MissingRows missing,
                           const Context& context) const override {
    auto found = read(source, missing, context, &model.schema());
    Schema schema = united_schema(model.schema(), found.schema);
    Statistic sum = statistics_in(schema, model);
    found.statistics.recode(recoding_between(found.schema, schema));
    sum.merge(found.statistics);
    FitReport report = totals(sum, std::move(found.report));
    return estimate(std::move(schema), std::move(sum), std::move(report), context);
  }

  [[nodiscard]] Fit forget(const Classifier& model, BlockSource& source, MissingRows missing,
                           const Context& context) const override {
    if constexpr (requires(Statistic s, const Schema& schema) { s.unmerge(s, schema); }) {
      auto found = read(source, missing, context, &model.schema());
      check_known(found.schema, model.schema());
      Statistic rest = statistics_in(model.schema(), model);
      found.statistics.recode(recoding_between(found.schema, model.schema()));
      rest.unmerge(found.statistics, model.schema());
      Schema schema = rest.remaining(model.schema());
      if (schema.labels.empty()) {
        throw Error(ErrorCode::usage, source.name() +
                                          ": these are all the rows of the model, and nothing is "
                                          "left without them; delete the model instead");
      }
      rest.recode(recoding_dropping(model.schema(), schema));
      FitReport report = totals(rest, std::move(found.report));
      return estimate(std::move(schema), std::move(rest), std::move(report), context);
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
      FitReport report;
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(statistics), Context{}, report);
    } else {
      auto discriminant = F::Discriminant::load(reader, schema, options);
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(discriminant));
    }
  };
  return record;
}

}  // namespace logodds
