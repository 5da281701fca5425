#include "report/survey.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "logodds/data/forwarding_source.hpp"
#include "logodds/data/positions.hpp"

namespace logodds::report {

namespace {

constexpr std::size_t kMostSampled = 16'000;                // rows
constexpr std::size_t kMostValues = std::size_t{1} << 24U;  // 128 MiB of numbers
/// Wider rows, which come sparse, are neither drawn nor shown.
constexpr std::size_t kWidest = 20'000;  // columns

/// A source that counts the values which are missing, before anybody fills them or drops rows.
class CountedSource final : public ForwardingSource {
 public:
  CountedSource(BlockSource& source, const Schema& schema)
      : ForwardingSource(source),
        schema_(schema),
        positions_(positions_of(schema)),
        missing_(schema.columns.size()) {}

  void parse(RowBuffer& buffer) const override {
    ForwardingSource::parse(buffer);
    std::vector<std::size_t> missing(missing_.size());
    count(buffer, missing);
    const std::lock_guard lock(mutex_);
    rows_ += buffer.rows;
    for (std::size_t c = 0; c < missing.size(); ++c) { missing_[c] += missing[c]; }
  }

  [[nodiscard]] const std::vector<std::size_t>& missing() const { return missing_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  void count(const RowBuffer& buffer, std::vector<std::size_t>& missing) const {
    if (buffer.complete) { return; }
    for (std::size_t c = 0; c < missing.size(); ++c) {
      const Column& column = schema_.columns[c];
      const std::size_t at = positions_[c];
      if (column.text()) {
        missing[c] = static_cast<std::size_t>(std::ranges::count_if(
            buffer.texts[at],
            [](std::string_view document) { return document.data() == nullptr; }));
      } else if (column.coded()) {
        missing[c] = static_cast<std::size_t>(std::ranges::count(buffer.codes[at], kMissingCode));
      } else if (buffer.numeric_data != nullptr) {
        for (std::size_t r = 0; r < buffer.rows; ++r) {
          missing[c] += std::isnan(buffer.numeric_data[r * buffer.numeric_stride + at]) ? 1U : 0U;
        }
      }
    }
  }

  const Schema& schema_;
  std::vector<std::size_t> positions_;
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> missing_;
  mutable std::size_t rows_ = 0;
};

/// How little the likeliest class is ahead: 1 where two are as likely, 0 where one is certain.
double doubt(std::span<const double> posteriors) {
  double first = 0.0;
  double second = 0.0;
  for (const double p : posteriors) {
    if (p > first) {
      second = first;
      first = p;
    } else if (p > second) {
      second = p;
    }
  }
  return 1.0 - (first - second);
}

class Surveyor {
 public:
  Surveyor(const Classifier& model, const BlockSource& source, std::size_t rows_shown)
      : source_(source),
        classes_(model.labels().size()),
        wide_(model.schema().columns.size() > kWidest),
        sample_rows_(std::min(
            kMostSampled, kMostValues / std::max<std::size_t>(1, model.schema().columns.size()))),
        result_(model.schema(), wide_ ? 0 : rows_shown),
        measures_(classes_, {.bins = 10, .keep_rows = true}) {
    result_.class_rows.resize(classes_);
  }

  void add(const ScoredBlock& block) {
    for (std::size_t r = 0; r < block.rows.rows; ++r) {
      if (!block.skipped.empty() && block.skipped[r] != 0) { continue; }
      if (block.decisions[r] == kNoDecision) { continue; }
      add_row(block, r);
    }
  }

  Survey finish(ScoreReport report) {
    result_.evaluation = std::make_shared<const Evaluation>(
        Evaluation{.measures = std::move(measures_), .report = report});
    return std::move(result_);
  }

 private:
  void add_row(const ScoredBlock& block, std::size_t r) {
    const std::span<const double> posteriors = block.posteriors.subspan(r * classes_, classes_);
    const auto truth = static_cast<std::size_t>(block.rows.labels[r]);
    measures_.add(truth, static_cast<std::size_t>(block.decisions[r]), posteriors,
                  block.rows.weight(r));
    ++result_.class_rows[truth];
    const std::size_t number =
        block.rows.row_numbers == nullptr ? block.rows.first_row + r : block.rows.row_numbers[r];
    sample(block, r);
    const double surprise = -std::log(posteriors[truth]);
    const bool wrong = block.decisions[r] != block.rows.labels[r];
    if (wrong && result_.wrong.wants(surprise)) {
      result_.wrong.add(noted(block, r, number, surprise));
    }
    if (const double key = doubt(posteriors); result_.unsure.wants(key)) {
      result_.unsure.add(noted(block, r, number, key));
    }
  }

  /// Every n-th row, n doubled whenever there are too many, so that the sample is spread over all
  /// rows however many come.
  void sample(const ScoredBlock& block, std::size_t r) {
    const std::size_t at = seen_++;
    if (wide_ || at % every_ != 0) { return; }
    // At least half of the most that may be is left.
    if (result_.sample.rows() == sample_rows_) {
      result_.sample.keep_every_second();
      every_ *= 2;
      if (at % every_ != 0) { return; }
    }
    result_.sample.add(block.rows, r);
  }

  [[nodiscard]] NotedRow noted(const ScoredBlock& block, std::size_t r, std::size_t number,
                               double key) const {
    const std::span<const double> posteriors = block.posteriors.subspan(r * classes_, classes_);
    auto values = std::make_shared<RowSample>(result_.sample.schema());
    values->add(block.rows, r);
    return {.number = number,
            .place = source_.place(number),
            .key = key,
            .truth = block.rows.labels[r],
            .decision = block.decisions[r],
            .posteriors = {posteriors.begin(), posteriors.end()},
            .values = std::move(values)};
  }

  const BlockSource& source_;
  std::size_t classes_;
  bool wide_;
  std::size_t sample_rows_;
  Survey result_;
  measure::Measures measures_;
  std::size_t seen_ = 0;
  std::size_t every_ = 1;
};

}  // namespace

void NotedRows::add(NotedRow row) {
  const auto place =
      std::ranges::upper_bound(rows_, row.key, std::ranges::greater{}, &NotedRow::key);
  rows_.insert(place, std::move(row));
  if (rows_.size() > most_) { rows_.pop_back(); }
}

Survey survey(const Classifier& model, BlockSource& source, std::size_t rows_shown,
              const Context& context) {
  CountedSource counted(source, model.schema());
  Surveyor surveyor(model, source, rows_shown);
  const ScoreReport report =
      score(model, counted, [&](const ScoredBlock& block) { surveyor.add(block); }, context);
  Survey result = surveyor.finish(report);
  result.missing = counted.missing();
  result.rows_read = counted.rows();
  result.notes = source.notes();
  return result;
}

}  // namespace logodds::report
