#include "choose/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/row_losses.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/posterior/posterior.hpp"
#include "scoring.hpp"

namespace logodds::choose {

namespace {

/// The place of each label of the model among those of the table.
std::vector<std::size_t> places_of(const std::vector<std::string>& labels, const Schema& schema) {
  std::vector<std::size_t> places;
  for (const auto& label : labels) {
    places.push_back(
        static_cast<std::size_t>(std::ranges::find(schema.labels, label) - schema.labels.begin()));
  }
  return places;
}

void spread(std::span<const double> from, const std::vector<std::size_t>& places,
            std::size_t classes, std::vector<double>& to) {
  const std::size_t rows = places.empty() ? 0 : from.size() / places.size();
  to.assign(rows * classes, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      to[r * classes + places[k]] = from[r * places.size() + k];
    }
  }
}

/// Every value is there, a number, and the classes are the table's: nothing but scores is needed.
bool plain(const Table& table, const std::vector<std::size_t>& places) {
  bool same = places.size() == table.schema.labels.size();
  for (std::size_t k = 0; k < places.size(); ++k) { same = same && places[k] == k; }
  return same && table.complete && !table.is_sparse() && table.codes.empty() && table.texts.empty();
}

/// Some rows where they lie.
RowBlock block_of(const Table& table, std::size_t first, std::size_t rows) {
  RowBlock block;
  block.rows = rows;
  block.numeric = table.numeric.data() + first * table.numeric_columns;
  block.numeric_columns = block.numeric_stride = table.numeric_columns;
  block.complete = true;
  return block;
}

std::span<const std::int32_t> truths_of(const Table& table, std::size_t first, std::size_t rows) {
  return std::span(table.labels).subspan(first, rows);
}

/// Room for the losses of some rows.
class LossArrays {
 public:
  kernels::RowLosses room(std::size_t rows) {
    rows_ = rows;
    values_.resize(4 * rows);
    double* const first = values_.data();
    return {first, first + rows, first + 2 * rows, first + 3 * rows};
  }
  [[nodiscard]] LossColumns some(std::size_t first, std::size_t count) const {
    const auto column = [&](std::size_t c) {
      return std::span(values_).subspan(c * rows_ + first, count);
    };
    return {column(0), column(1), column(2), column(3)};
  }

 private:
  std::size_t rows_ = 0;
  std::vector<double> values_;
};

/// Scores to what is wanted. False where they overflow, which only a source can complain of.
bool hand_on(std::vector<double>& scores, std::size_t classes, const Table& table,
             std::size_t first, bool losses_alone, LossArrays& losses,
             const std::function<void(const HeldOut&)>& sink) {
  const std::size_t rows = scores.size() / classes;
  if (losses_alone) {
    const auto truths = truths_of(table, first, rows);
    if (!kernels::row_losses(scores.data(), rows, classes, truths.data(), losses.room(rows))) {
      return false;
    }
    sink({.first = first, .rows = rows, .losses = losses.some(0, rows)});
    return true;
  }
  if (posterior::first_overflow(scores, classes) < rows) { return false; }
  posterior::from_log_scores(scores, classes);
  sink({.first = first, .rows = rows, .posteriors = scores});
  return true;
}

/// Blocks of rows where they lie. The first row that it leaves, because of what only a source can
/// complain of.
std::size_t score_plain(const Classifier& model, const Table& table, const RowRange& rows,
                        bool losses_alone, const std::function<void(const HeldOut&)>& sink) {
  const std::size_t classes = model.labels().size();
  std::vector<double> scores;
  LossArrays losses;
  for (std::size_t first = rows.begin; first < rows.end; first += kBlockRows) {
    const RowBlock block = block_of(table, first, std::min(kBlockRows, rows.end - first));
    scores.resize(block.rows * classes);
    try {
      model.log_scores(block, scores);
    } catch (const RowProblem&) { return first; }
    if (!hand_on(scores, classes, table, first, losses_alone, losses, sink)) { return first; }
  }
  return rows.end;
}

}  // namespace

RowLoss row_loss(std::size_t truth, std::span<const double> posteriors) {
  const double own = posteriors[truth];
  RowLoss loss{.own = own,
               .wrong = false,
               .log_loss = -std::log(std::max(own, std::numeric_limits<double>::min()))};
  // Loops without a jump that depends on posteriors: this is called for every row and point.
  unsigned beaten = 0;
  for (const double other : posteriors.first(truth)) {
    beaten |= other >= own ? 1U : 0U;  // ties go to the class that comes first
    loss.brier += other * other;
  }
  loss.brier += (own - 1.0) * (own - 1.0);
  for (const double other : posteriors.subspan(truth + 1)) {
    beaten |= other > own ? 1U : 0U;
    loss.brier += other * other;
  }
  loss.wrong = beaten != 0;
  return loss;
}

bool needs_scores_alone(const Classifier& model, const Table& table, const Scoreable& wanted) {
  const bool joint = wanted.joint && model.generative() != nullptr;
  return !joint && plain(table, places_of(model.labels(), table.schema));
}

namespace {

using ModelSink = std::function<void(std::size_t, const HeldOut&)>;

/// One block under all models. False where scores overflow.
bool losses_together(const JointScores& scores, std::size_t models, const Table& table,
                     std::size_t first, const RowBlock& block, LossArrays& losses,
                     const ModelSink& sink) {
  const auto truths = truths_of(table, first, block.rows);
  if (!scores.losses(block, truths, losses.room(models * block.rows))) { return false; }
  for (std::size_t m = 0; m < models; ++m) {
    sink(m,
         {.first = first, .rows = block.rows, .losses = losses.some(m * block.rows, block.rows)});
  }
  return true;
}

bool posteriors_together(const JointScores& scores, std::size_t models, std::size_t classes,
                         std::size_t first, const RowBlock& block, std::vector<double>& all,
                         const ModelSink& sink) {
  const std::size_t each = block.rows * classes;
  all.resize(models * each);
  scores.log_scores(block, all);
  if (posterior::first_overflow(all, classes) < models * block.rows) { return false; }
  posterior::from_log_scores(all, classes);
  for (std::size_t m = 0; m < models; ++m) {
    sink(
        m,
        {.first = first, .rows = block.rows, .posteriors = std::span(all).subspan(m * each, each)});
  }
  return true;
}

}  // namespace

std::size_t score_together(const JointScores& scores, std::size_t models, const Table& table,
                           const RowRange& rows, const Scoreable& wanted, const ModelSink& sink) {
  constexpr std::size_t kRows = 128;  // so that the scores of all models stay in the cache
  const std::size_t classes = table.schema.labels.size();
  LossArrays losses;
  std::vector<double> all;
  for (std::size_t first = rows.begin; first < rows.end; first += kRows) {
    const RowBlock block = block_of(table, first, std::min(kRows, rows.end - first));
    const bool sound = wanted.losses_alone
                           ? losses_together(scores, models, table, first, block, losses, sink)
                           : posteriors_together(scores, models, classes, first, block, all, sink);
    if (!sound) { return first; }
  }
  return rows.end;
}

void score_held_out(const Classifier& model, const Table& table, const RowRange& rows,
                    const Scoreable& wanted, const Context& context,
                    const std::function<void(const HeldOut&)>& sink) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const auto places = places_of(model.labels(), table.schema);
  const std::size_t classes = table.schema.labels.size();
  const bool joint = wanted.joint && model.generative() != nullptr;
  const std::size_t begin = !joint && plain(table, places)
                                ? score_plain(model, table, rows, wanted.losses_alone, sink)
                                : rows.begin;
  if (begin == rows.end) { return; }
  const auto source = open_rows(table, {{begin, rows.end}}, model.schema());
  const ScoreRequest request{.missing = wanted.missing};
  std::vector<double> posteriors;
  std::vector<double> scores;
  std::vector<double> log_joint;
  scoring::run_scoring(
      model, *source, context, request, [](scoring::Scoring&) {},
      [&](scoring::Scoring& block) {
        const std::size_t count = block.rows.rows;
        spread(block.posteriors, places, classes, posteriors);
        log_joint.clear();
        for (std::size_t r = 0; joint && r < count; ++r) {
          const auto truth = static_cast<std::size_t>(table.labels[block.rows.first_row + r]);
          const auto place = std::ranges::find(places, truth);
          log_joint.push_back(place == places.end()
                                  ? kNever
                                  : block.scores[r * places.size() +
                                                 static_cast<std::size_t>(place - places.begin())]);
        }
        sink({.first = block.rows.first_row,
              .rows = count,
              .posteriors = posteriors,
              .skipped = block.skipped,
              .log_joint = log_joint});
      },
      joint);
}

}  // namespace logodds::choose
