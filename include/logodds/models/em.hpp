// EM over rows some of which have no label, for every family that is generative and keeps
// statistics (Dempster, Laird & Rubin, 1977; of documents Nigam et al., 2000).
//
// E: a row without a label counts in class k with its weight times p(C_k | x) under the model so
//    far; rows with a label count as they are.
// M: the family's own estimate() from these statistics.
//
// What rises, where estimate() is by maximum likelihood, is
//   sum over rows with a label of w ln p(x, t) + sum over rows without of w ln sum_k p(x, C_k).
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"
#include "logodds/stats/held_rows.hpp"

namespace logodds::em {

/// When EM ends: after so many steps, or when a step changes the mean log-likelihood of a row by
/// less than the tolerance.
struct Rule {
  std::size_t most_iterations = 1000;
  double tolerance = 1e-6;
};

/// The options of a family that uses rows without a label: unlabeled, max-iterations, tolerance.
[[nodiscard]] std::vector<OptionSpec> options();
/// Whether the options ask for rows without a label.
[[nodiscard]] bool wanted(const Options& options);
[[nodiscard]] Rule rule_of(const Options& options);

/// Where EM went: the log-likelihood at the start and after each step.
struct Course {
  std::vector<double> log_likelihoods;
  bool converged = false;

  /// Takes the log-likelihood of the present model, of rows of so much weight. True when EM is to
  /// end with this model.
  bool add(double log_likelihood, double weight, const Rule& rule);
  [[nodiscard]] std::size_t iterations() const { return log_likelihoods.size() - 1; }
  [[nodiscard]] double log_likelihood() const { return log_likelihoods.back(); }
  [[nodiscard]] DescriptionTable table() const;
  /// What the user should know of an end that is none; empty when it converged.
  [[nodiscard]] std::string note(double weight) const;
};

/// Throws Error(input) unless every row has finite scores, or none that is possible.
void check_scores(std::span<const double> scores);
/// The error of a row whose place is not known any more.
[[noreturn]] void throw_without_place(const RowProblem& problem);
/// The error that an estimate threw, and in which step.
[[noreturn]] void throw_in_step(const Error& error, std::size_t step, bool from_labels);
/// Throws Error(numeric) for a class that no weight is left of.
void check_weights(std::span<const double> weights, const std::vector<std::string>& labels);
/// No row of the source has a label.
[[noreturn]] void refuse_no_labels(const BlockSource& source);

/// A family whose rows may lack labels.
template <class F>
concept Able =
    Family<F> && F::keeps_statistics && std::derived_from<typename F::Discriminant, Generative>;

/// A statistic of rows that may lack labels: S of those that have one, and all rows besides.
template <class S>
class PartlyLabeled {
 public:
  static constexpr bool kTakesUnlabeled = true;
  static constexpr bool kTakesText = takes_text<S>();
  static constexpr bool kIdentifiersFit = identifiers_fit<S>();

  explicit PartlyLabeled(S start) : labeled(std::move(start)) {}

  void bind(std::span<const SourceColumn> columns) {
    if constexpr (requires { labeled.bind(columns); }) { labeled.bind(columns); }
  }
  void add(const RowBlock& block, const Shape& shape) {
    rows.add(block);
    std::vector<std::uint32_t> members;
    for (std::size_t r = 0; r < block.rows && block.labels != nullptr; ++r) {
      if (block.labels[r] >= 0) { members.push_back(static_cast<std::uint32_t>(r)); }
    }
    if (members.size() == block.rows) { return labeled.add(block, shape); }
    if (members.empty()) { return; }
    try {
      labeled.add(PickedRows(block, members).view(), shape);
    } catch (RowProblem& problem) {
      problem.row = members[problem.row];
      throw;
    }
  }
  void finish() {
    if constexpr (requires { labeled.finish(); }) { labeled.finish(); }
  }
  void merge(const PartlyLabeled& other) {
    labeled.merge(other.labeled);
    rows.merge(other.rows);
  }
  void recode(const Recoding& recoding) {
    labeled.recode(recoding);
    rows.recode(recoding);
  }
  [[nodiscard]] bool compatible(const PartlyLabeled& other) const {
    return labeled.compatible(other.labeled);
  }
  [[nodiscard]] double weight() const { return rows.weight(); }
  [[nodiscard]] std::size_t size_for(const Shape& shape) const { return labeled.size_for(shape); }
  [[nodiscard]] std::size_t rows_incomplete() const
    requires requires(const S s) { s.rows_incomplete(); }
  {
    return labeled.rows_incomplete() + rows.rows_incomplete();
  }

  S labeled;
  HeldRows rows;
};

/// Adds rows to a statistic, each in every class by its share (times its weight): row-major rows x
/// classes; see for_each_class().
template <class S>
void add_shares(S& statistic, const RowBlock& block, const Shape& shape,
                std::span<const double> shares) {
  if constexpr (requires { statistic.add_shares(block, shape, shares); }) {
    statistic.add_shares(block, shape, shares);
  } else {
    for_each_class(block, shape.classes, shares,
                   [&](const RowBlock& part) { statistic.add(part, shape); });
  }
}

/// What rows without a label come to under a model. A family that has a faster way has a type
/// Expectation of its own, with the same functions.
template <Able F>
class Expectation {
 public:
  using Statistic = typename F::Statistics;
  Expectation(const typename F::Discriminant& model, const Statistic& empty, const Shape& shape)
      : model_(model), shape_(shape), statistics_(empty) {}

  void add(const RowBlock& block) {
    const std::size_t classes = shape_.classes;
    std::vector<double> shares(block.rows * classes);
    std::vector<double> log_densities(block.rows);
    model_.log_joint(block, shares);
    check_scores(shares);
    posterior::from_log_scores(shares, classes, log_densities);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double weight = block.weight(r);
      log_likelihood_ += weight * log_densities[r];
      for (std::size_t k = 0; k < classes && weight != 1.0; ++k) {
        shares[r * classes + k] *= weight;
      }
    }
    add_shares(statistics_, block, shape_, shares);
  }
  void finish() {
    if constexpr (requires { statistics_.finish(); }) { statistics_.finish(); }
  }
  void merge(const Expectation& other) {
    if (other.statistics_.weight() == 0.0) { return; }
    statistics_.merge(other.statistics_);
    log_likelihood_ += other.log_likelihood_;
  }
  /// After finish() and merge().
  [[nodiscard]] Statistic take_statistics() { return std::move(statistics_); }
  [[nodiscard]] double log_likelihood() const { return log_likelihood_; }

 private:
  const typename F::Discriminant& model_;
  const Shape& shape_;
  Statistic statistics_;
  double log_likelihood_ = 0.0;
};

template <class F>
struct ExpectationOf {
  using Type = Expectation<F>;
};
template <class F>
  requires requires { typename F::Expectation; }
struct ExpectationOf<F> {
  using Type = typename F::Expectation;
};

/// sum w ln p(x, t) of labelled rows.
template <class D>
double labeled_log_likelihood(const D& model, const RowBlock& block, std::size_t classes) {
  std::vector<double> scores(block.rows * classes);
  model.log_joint(block, scores);
  double sum = 0.0;
  for (std::size_t r = 0; r < block.rows; ++r) {
    sum += block.weight(r) * scores[r * classes + static_cast<std::size_t>(block.labels[r])];
  }
  return sum;
}

template <class S>
struct Expected {
  S statistics;  ///< of the rows without a label
  double log_likelihood = 0.0;
};

/// One pass over the rows under a model. Part p goes to lane p mod lanes, so the result depends on
/// the rows alone.
template <Able F>
Expected<typename F::Statistics> expect(const typename F::Discriminant& model, const HeldRows& rows,
                                        const typename F::Statistics& empty, const Shape& shape,
                                        std::size_t most_lanes, const Context& context) {
  using Pass = typename ExpectationOf<F>::Type;
  const std::size_t lanes = std::min(most_lanes, std::max<std::size_t>(1, rows.parts()));
  std::vector<Pass> passes(lanes, Pass(model, empty, shape));
  std::vector<double> labeled(lanes, 0.0);
  parallel::run_lanes(context.threads, lanes, [&](std::size_t lane) {
    HeldRows::Pointers pointers;
    for (std::size_t part = lane; part < rows.parts(); part += lanes) {
      const RowBlock block = rows.view(part, pointers);
      try {
        if (rows.labeled(part)) {
          labeled[lane] += labeled_log_likelihood(model, block, shape.classes);
        } else {
          passes[lane].add(block);
        }
      } catch (const RowProblem& problem) { throw_without_place(problem); }
    }
    passes[lane].finish();
  });
  double log_likelihood = labeled[0];
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    log_likelihood += labeled[lane];
    passes[0].merge(passes[lane]);
  }
  log_likelihood += passes[0].log_likelihood();
  return {passes[0].take_statistics(), log_likelihood};
}

/// What EM works on.
template <Able F>
struct Task {
  const typename F::Statistics& labeled;  ///< of the rows with a label; empty when there are none
  const HeldRows& rows;
  const typename F::Statistics& empty;  ///< to begin every pass with
  const Schema& schema;
  const Options& options;  ///< settled
  Rule rule;
};

/// The statistics of the model that EM ends with, from those of a first one. `course` is of this
/// very model.
template <Able F>
typename F::Statistics run(const Task<F>& task, typename F::Statistics first,
                           const Context& context, Course& course) {
  const Shape shape = shape_of(task.schema);
  const double weight = task.rows.weight();
  typename F::Statistics sum = std::move(first);
  for (std::size_t step = 0;; ++step) {
    auto expected = [&] {
      try {
        FitReport unused;
        const auto model = F::estimate(sum, {task.schema, task.options, context, unused});
        return expect<F>(model, task.rows, task.empty, shape, lanes_for(task.schema), context);
      } catch (const Error& error) { throw_in_step(error, step, task.labeled.weight() > 0.0); }
    }();
    if (context.progress) {
      context.progress({.what = "EM", .objective = expected.log_likelihood, .iteration = step + 1});
    }
    if (course.add(expected.log_likelihood, weight, task.rule)) { return sum; }
    sum = task.labeled;
    sum.merge(expected.statistics);
    if constexpr (requires { sum.class_weights(); }) {
      check_weights(sum.class_weights(), task.schema.labels);
    }
  }
}

}  // namespace logodds::em
