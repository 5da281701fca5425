// From a descriptive family's parts to the virtual class that everything else sees.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logodds/models/axes.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/kept_statistics.hpp"
#include "logodds/models/line.hpp"
#include "logodds/registry/descriptive.hpp"

namespace logodds {

/// A statistic that can forget, and an estimator of what describes the rows: F::Result has
/// describe() and arrays() and is a FittedAxes or a FittedLine.
template <class F>
concept DescriptiveFamily =
    Statistics<typename F::Statistics> &&
    requires(typename F::Statistics s, const typename F::Statistics& statistics,
             const Schema& schema, EstimatorInput input, const Options& options,
             const modelfile::Reader& reader) {
      s.unmerge(statistics, schema);
      { statistics.remaining(schema) } -> std::same_as<Schema>;
      { F::start(options) } -> std::same_as<typename F::Statistics>;
      { F::estimate(statistics, input) } -> std::same_as<typename F::Result>;
      { F::load_statistics(reader, schema, options) } -> std::same_as<typename F::Statistics>;
    };

template <DescriptiveFamily F>
class FittedDescription final : public DescriptiveModel {
 public:
  using Statistic = typename F::Statistics;

  FittedDescription(const std::string& family, Schema schema, Options options, Statistic statistics,
                    const Context& context, FitReport& report)
      : DescriptiveModel(family, std::move(schema), std::move(options)),
        statistics_(std::move(statistics)),
        result_(F::estimate(statistics_, {this->schema(), this->options(), context, report})) {}

  /// Reads the rows and fits; `known`: the columns of a model that they are meant for.
  static Accumulated<Statistic> read(BlockSource& source, const Options& options,
                                     MissingRows missing, const Context& context,
                                     const Schema* known = nullptr) {
    return accumulate(source, F::start(options), false, missing, context, known);
  }
  static DescriptiveFit fitted(const std::string& family, Accumulated<Statistic> rows,
                               const Options& options, const Context& context) {
    auto model = std::make_unique<FittedDescription>(
        family, std::move(rows.schema), options, std::move(rows.statistics), context, rows.report);
    return {std::move(model), std::move(rows.report)};
  }

  [[nodiscard]] Description describe() const override { return result_.describe(); }
  [[nodiscard]] std::vector<NamedArray> arrays() const override { return result_.arrays(); }
  void save(modelfile::Writer& writer) const override { statistics_.save(writer); }
  [[nodiscard]] const FittedAxes* axes() const override { return part<FittedAxes>(); }
  [[nodiscard]] const FittedLine* line() const override { return part<FittedLine>(); }

  [[nodiscard]] DescriptiveFit merged(std::span<const DescriptiveModel* const> others,
                                      const Context& context) const override {
    std::vector<KeptRows<Statistic>> parts{kept()};
    for (const auto* other : others) { parts.push_back(mine(*other).kept()); }
    return fitted(family(), joined(F::start(options()), parts), options(), context);
  }
  [[nodiscard]] DescriptiveFit updated(BlockSource& source, MissingRows missing,
                                       const Context& context) const override {
    auto found = read(source, options(), missing, context, &schema());
    return fitted(family(), extended(F::start(options()), kept(), std::move(found)), options(),
                  context);
  }
  [[nodiscard]] DescriptiveFit without(BlockSource& source, MissingRows missing,
                                       const Context& context) const override {
    auto found = read(source, options(), missing, context, &schema());
    return fitted(family(), reduced(F::start(options()), kept(), std::move(found), source),
                  options(), context);
  }

 private:
  [[nodiscard]] KeptRows<Statistic> kept() const { return {statistics_, schema()}; }

  [[nodiscard]] const FittedDescription& mine(const DescriptiveModel& model) const {
    const auto* const same = dynamic_cast<const FittedDescription*>(&model);
    if (same == nullptr) {
      throw Error(ErrorCode::usage, "a model of kind " + model.family() +
                                        " cannot be joined with one of kind " + family() +
                                        "; fit both in the same way");
    }
    return *same;
  }

  template <class Interface>
  [[nodiscard]] const Interface* part() const {
    if constexpr (std::derived_from<typename F::Result, Interface>) { return &result_; }
    return nullptr;
  }

  Statistic statistics_;
  typename F::Result result_;
};

/// Completes a record whose name, words and options are set.
template <DescriptiveFamily F>
DescriptiveRecord make_descriptive(DescriptiveRecord record) {
  const std::string name = record.name;
  record.fit = [name](BlockSource& source, const Options& options, MissingRows missing,
                      const Context& context) {
    return FittedDescription<F>::fitted(
        name, FittedDescription<F>::read(source, options, missing, context), options, context);
  };
  record.load = [name](const modelfile::Reader& reader, Schema schema,
                       Options options) -> std::unique_ptr<DescriptiveModel> {
    auto statistics = F::load_statistics(reader, schema, options);
    FitReport report;
    return std::make_unique<FittedDescription<F>>(name, std::move(schema), std::move(options),
                                                  std::move(statistics), Context{}, report);
  };
  return record;
}

}  // namespace logodds
