// From a family's three parts to the two virtual classes that everything else sees.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

/// The schema that holds the columns and labels of both; throws when the columns do not agree.
[[nodiscard]] Schema united_schema(const Schema& a, const Schema& b);
/// From the codes of `from` to those of `to`, which knows all of them.
[[nodiscard]] Recoding recoding_between(const Schema& from, const Schema& to);

template <Family F>
class FittedClassifier final : public Classifier {
 public:
  /// Fitted from statistics, now or when a model file held them.
  FittedClassifier(const std::string& family, Schema schema, Options options,
                   typename F::Statistics statistics, const Context& context,
                   std::vector<std::string>& notes)
      : Classifier(family, std::move(schema), std::move(options)),
        statistics_(std::move(statistics)),
        discriminant_(F::estimate(statistics_, {this->schema(), this->options(), context, notes})) {
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
  void save(modelfile::Writer& writer) const override {
    if constexpr (F::keeps_statistics) {
      statistics_.save(writer);
    } else {
      discriminant_.save(writer);
    }
  }
  [[nodiscard]] const typename F::Statistics& statistics() const { return statistics_; }

 private:
  typename F::Statistics statistics_;  ///< before the discriminant, which may refer to them
  typename F::Discriminant discriminant_;
};

template <Family F>
class FamilyLearner final : public Learner, private Incremental {
 public:
  FamilyLearner(std::string family, Options options, bool takes_missing)
      : family_(std::move(family)), options_(std::move(options)), takes_missing_(takes_missing) {}

  [[nodiscard]] Fit fit(BlockSource& source, MissingRows missing,
                        const Context& context) const override {
    auto found = accumulate(source, F::start(options_), takes_missing_, missing, context);
    FitReport report = std::move(found.report);
    auto model =
        std::make_unique<FittedClassifier<F>>(family_, std::move(found.schema), options_,
                                              std::move(found.statistics), context, report.notes);
    return {std::move(model), std::move(report)};
  }

  [[nodiscard]] const Incremental* incremental() const override {
    return F::keeps_statistics ? this : nullptr;
  }

 private:
  [[nodiscard]] std::unique_ptr<Classifier> merge(std::span<const Classifier* const> models,
                                                  const Context& context) const override {
    if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
    Schema schema = models.front()->schema();
    for (const auto* model : models) { schema = united_schema(schema, model->schema()); }
    auto sum = F::start(options_);
    for (const auto* model : models) {
      const auto* fitted = dynamic_cast<const FittedClassifier<F>*>(model);
      if (fitted == nullptr) {
        throw Error(ErrorCode::usage, "a model of family " + model->family() +
                                          " cannot be merged into one of family " + family_);
      }
      auto part = fitted->statistics();
      part.recode(recoding_between(model->schema(), schema));
      if (!sum.compatible(part)) {
        throw Error(ErrorCode::usage,
                    "these models keep other statistics than the options ask for; train them with "
                    "the same options");
      }
      sum.merge(part);
    }
    std::vector<std::string> notes;
    return std::make_unique<FittedClassifier<F>>(family_, std::move(schema), options_,
                                                 std::move(sum), context, notes);
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
      std::vector<std::string> notes;
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(statistics), Context{}, notes);
    } else {
      auto discriminant = F::Discriminant::load(reader, schema, options);
      return std::make_unique<FittedClassifier<F>>(name, std::move(schema), std::move(options),
                                                   std::move(discriminant));
    }
  };
  return record;
}

}  // namespace logodds
