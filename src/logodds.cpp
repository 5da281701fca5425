// train, score, evaluate: written once, for every family, over Learner and Classifier alone.
#include <algorithm>

#include "logodds/logodds.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds {

namespace {

/// A block on its way through scoring.
struct Scoring {
  RowBuffer rows;
  std::vector<double> posteriors;
  std::vector<std::uint8_t> skipped;
  std::string text;

  [[nodiscard]] ScoredBlock view() { return {rows.view(), posteriors, skipped}; }
};

bool takes_missing(const Classifier& model) {
  return find_family(model.family()).capabilities.missing;
}

/// A row that is so far out that its scores overflow has no posterior: says where it stands.
void check_scores(std::span<const double> scores, std::size_t classes, const RowBuffer& rows,
                  const BlockSource& source) {
  const std::size_t row = posterior::first_overflow(scores, classes);
  if (row == rows.rows) { return; }
  throw Error(ErrorCode::input,
              source.place(rows.row_number(row)) +
                  ": the values are so far from the training rows that the scores overflow; check "
                  "the units of the columns");
}

void score_rows(const Classifier& model, const BlockSource& source, MissingRows missing,
                bool missing_allowed, Scoring& block) {
  source.parse(block.rows);
  block.skipped.clear();
  if (!missing_allowed) {
    if (missing == MissingRows::error) {
      drop_incomplete(block.rows, source, missing);
    } else {
      block.skipped = block.rows.incomplete_rows();
      if (!block.skipped.empty()) { block.rows.fill_missing(block.skipped); }
    }
  }
  block.posteriors.resize(block.rows.rows * model.labels().size());
  model.log_scores(block.rows.view(), block.posteriors);
  check_scores(block.posteriors, model.labels().size(), block.rows, source);
  posterior::from_log_scores(block.posteriors, model.labels().size());
}

/// The pipeline behind score(), score_text() and evaluate(): `work` runs in parallel after a block
/// is scored, `commit` in the order of the rows.
ScoreReport run_scoring(const Classifier& model, BlockSource& source, const Context& context,
                        MissingRows missing, const std::function<void(Scoring&)>& work,
                        const std::function<void(Scoring&)>& commit) {
  ScoreReport report;
  const bool missing_allowed = takes_missing(model);
  std::size_t rows_taken = 0;
  parallel::run_blocks<Scoring>(
      context.threads, 1,
      [&](Scoring& block) {
        const bool more = source.take(block.rows);
        rows_taken += more ? block.rows.rows : 0;
        if (context.progress) {
          context.progress(
              {.what = "scoring", .fraction = source.fraction_taken(), .rows = rows_taken});
        }
        return more;
      },
      [&](Scoring& block) {
        score_rows(model, source, missing, missing_allowed, block);
        work(block);
      },
      [&](Scoring& block, std::size_t) {
        const auto skipped = static_cast<std::size_t>(
            std::count(block.skipped.begin(), block.skipped.end(), std::uint8_t{1}));
        report.rows += block.rows.rows - skipped;
        report.rows_skipped += skipped;
        report.unseen_levels += block.rows.unseen_levels;
        commit(block);
      });
  return report;
}

}  // namespace

Fit train(BlockSource& source, std::string_view family,
          const std::map<std::string, std::string>& options, const Context& context,
          MissingRows missing) {
  const FamilyRecord& record = find_family(family);
  return record.make_learner(Options(record.options, options))->fit(source, missing, context);
}

ScoreReport score(const Classifier& model, BlockSource& source,
                  const std::function<void(const ScoredBlock&)>& sink, const Context& context,
                  MissingRows missing) {
  return run_scoring(
      model, source, context, missing, [](Scoring&) {},
      [&](Scoring& block) { sink(block.view()); });
}

ScoreReport score_text(const Classifier& model, BlockSource& source,
                       const std::function<void(const ScoredBlock&, std::string&)>& render,
                       const std::function<void(const std::string&)>& write, const Context& context,
                       MissingRows missing) {
  return run_scoring(
      model, source, context, missing,
      [&](Scoring& block) {
        block.text.clear();
        render(block.view(), block.text);
      },
      [&](Scoring& block) { write(block.text); });
}

void posteriors(const Classifier& model, const MatrixView& rows, std::span<double> out,
                const Context& context) {
  const std::size_t classes = model.labels().size();
  const auto source = open_matrix({.features = rows}, model.schema());
  const std::size_t blocks = (rows.rows + kBlockRows - 1) / kBlockRows;
  parallel::run_blocks<RowBuffer>(
      parallel::useful_threads(context.threads, blocks), 1,
      [&](RowBuffer& buffer) { return source->take(buffer); },
      [&](RowBuffer& buffer) {
        source->parse(buffer);
        const auto block_out = out.subspan(buffer.first_row * classes, buffer.rows * classes);
        model.log_scores(buffer.view(), block_out);
        check_scores(block_out, classes, buffer, *source);
        posterior::from_log_scores(block_out, classes);
      },
      [](RowBuffer&, std::size_t) {});
}

Evaluation evaluate(const Classifier& model, BlockSource& source, const Context& context,
                    MissingRows missing) {
  const std::size_t classes = model.labels().size();
  measure::Measures total(classes);
  const auto add_block = [&](Scoring& block) {
    const RowBlock rows = block.rows.view();
    if (rows.labels == nullptr && rows.rows > 0) {
      throw Error(ErrorCode::usage, "the rows carry no labels to compare with");
    }
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (!block.skipped.empty() && block.skipped[r] != 0) { continue; }
      total.add(static_cast<std::size_t>(rows.labels[r]),
                {block.posteriors.data() + r * classes, classes}, rows.weight(r));
    }
  };
  const auto report = run_scoring(model, source, context, missing, [](Scoring&) {}, add_block);
  if (total.rows() == 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": no row is left to evaluate; give labelled rows that have every "
                    "value the model needs");
  }
  return {std::move(total), report};
}

}  // namespace logodds
