#include "logodds/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/data/dictionary.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"
#include "random/row_draws.hpp"

namespace logodds {
namespace {

/// rows * share, which may miss a whole number by the rounding of the share: .29 * 100.
struct Quota {
  std::size_t whole = 0;
  double remainder = 0.0;
};

Quota quota(std::size_t rows, double share) {
  constexpr double kRounding = 1e-12;
  const double exact = static_cast<double>(rows) * share;
  const double near = std::round(exact);
  if (std::abs(exact - near) <= kRounding * std::max(1.0, near)) {
    return {static_cast<std::size_t>(near), 0.0};
  }
  return {static_cast<std::size_t>(exact), exact - std::floor(exact)};
}

/// Every record of the text, blocks in their order.
template <class Use>
void for_each_block(RecordSource& source, const Context& context, std::string_view what,
                    const Use& use) {
  std::size_t rows = 0;
  parallel::run_blocks<RecordBlock>(
      context.threads, 1,
      [&](RecordBlock& block) {
        const bool more = source.take(block);
        rows += more ? block.rows : 0;
        if (context.progress) {
          context.progress({.what = what, .fraction = source.fraction_taken(), .rows = rows});
        }
        return more;
      },
      [&](RecordBlock& block) { source.parse(block); },
      [&](RecordBlock& block, std::size_t) { use(block); });
}

/// What is left to give to each part, by class.
class Allotment {
 public:
  Allotment(const std::vector<std::size_t>& rows, std::span<const double> shares,
            std::uint64_t seed)
      : left_(rows), seed_(seed) {
    for (const std::size_t count : rows) { parts_.push_back(part_sizes(count, shares)); }
  }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& parts() const { return parts_; }

  /// The part of the next row of a class: with m places left in it of n in all, with probability
  /// m / n (selection sampling: Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S).
  [[nodiscard]] std::size_t draw(std::size_t label, std::size_t row) {
    std::size_t place = random::RowDraws(seed_, row).bits() % left_[label]--;
    std::size_t part = 0;
    while (place >= parts_[label][part]) { place -= parts_[label][part++]; }
    --parts_[label][part];
    return part;
  }
  [[nodiscard]] bool has_place(std::size_t label) const {
    return label < left_.size() && left_[label] > 0;
  }

 private:
  std::vector<std::size_t> left_;
  std::vector<std::vector<std::size_t>> parts_;
  std::uint64_t seed_;
};

void append_line(std::string& text, std::string_view row) {
  text += row;
  if (!row.ends_with('\n')) { text += '\n'; }
}

SplitReport report_of(const Dictionary& labels, const Allotment& allotment,
                      std::span<const std::size_t> counts) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return label_less(labels.values()[a], labels.values()[b]);
  });
  SplitReport report;
  for (const std::size_t label : order) {
    report.labels.push_back(labels.values()[label]);
    report.counts.push_back(allotment.parts()[label]);
    report.rows += counts[label];
  }
  return report;
}

}  // namespace

std::vector<std::size_t> part_sizes(std::size_t rows, std::span<const double> shares) {
  std::vector<std::size_t> sizes;
  std::vector<double> remainders;
  for (const double share : shares) {
    const Quota part = quota(rows, share);
    sizes.push_back(part.whole);
    remainders.push_back(part.remainder);
  }
  for (std::size_t given = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
       given < rows; ++given) {
    const auto part = std::ranges::max_element(remainders) - remainders.begin();
    ++sizes[static_cast<std::size_t>(part)];
    remainders[static_cast<std::size_t>(part)] = -1.0;
  }
  return sizes;
}

SplitReport split_rows(RecordSource& source, std::span<const double> shares,
                       const std::function<void(std::size_t part, std::string_view rows)>& sink,
                       const Context& context) {
  Dictionary labels;
  std::vector<std::size_t> counts;
  for_each_block(source, context, "counting", [&](const RecordBlock& block) {
    for (const auto& record : block.records) {
      const auto label = static_cast<std::size_t>(labels.code(record.label));
      if (label == counts.size()) { counts.push_back(0); }
      ++counts[label];
    }
  });
  if (counts.empty()) {
    throw Error(ErrorCode::input, source.name() + ": there is no row to split; give labelled rows");
  }
  Allotment allotment(counts, shares, context.seed);
  const SplitReport report = report_of(labels, allotment, counts);
  source.rewind();
  std::vector<std::string> texts(shares.size());
  std::size_t row = 0;
  for_each_block(source, context, "splitting", [&](const RecordBlock& block) {
    for (auto& text : texts) { text.clear(); }
    for (const auto& record : block.records) {
      const auto label = static_cast<std::size_t>(labels.code(record.label));
      if (!allotment.has_place(label)) {
        throw Error(ErrorCode::input, source.name() +
                                          ": the file changed while it was read; split "
                                          "it again when it is complete");
      }
      append_line(texts[allotment.draw(label, row++)], record.text);
    }
    for (std::size_t part = 0; part < texts.size(); ++part) {
      if (!texts[part].empty()) { sink(part, texts[part]); }
    }
  });
  return report;
}

}  // namespace logodds
