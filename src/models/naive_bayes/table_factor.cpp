#include "models/naive_bayes/table_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/error.hpp"
#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

std::vector<std::string> levels_of(const Column& column) {
  return column.coded() ? column.levels : std::vector<std::string>{"0", "1"};
}

std::int32_t code_at(const ColumnBlock& block, const Place& place, std::size_t r) {
  if (place.coded) { return block.codes[place.position][r]; }
  const double x = block.number_column(place.position)[r];
  if (std::isnan(x)) { return kMissingCode; }
  return x == 0.0 || x == 1.0 ? static_cast<std::int32_t>(x) : kUnseenCode;
}

TableFactor::TableFactor(const JointStatistic& joint, const std::vector<Column>& columns,
                         const std::vector<std::string>& labels, double smoothing,
                         double most_cells)
    : Factor(joint.places()), smoothing_(smoothing), cache_(std::make_unique<Cache>()) {
  constexpr std::size_t kShown = 8;
  std::string product;
  std::string names;
  for (const auto& column : columns) {
    levels_.push_back(levels_of(column));
    cells_ *= static_cast<double>(levels_.back().size());
    if (levels_.size() > kShown) { continue; }
    product += (product.empty() ? "" : " x ") + std::to_string(levels_.back().size());
    names += (names.empty() ? "" : "+") + column.name;
  }
  if (columns.size() > kShown) {
    product += " x ...";
    names += "+... (" + std::to_string(columns.size()) + " columns)";
  }
  if (cells_ > most_cells || cells_ >= 0x1p62) {
    throw Error(ErrorCode::usage,
                "the joint table of " + names + " would have " + product + " = " +
                    format_number(cells_) + " cells, and --max-cells is " +
                    std::to_string(static_cast<std::int64_t>(most_cells)) +
                    "; leave out columns with many levels, model fewer columns together (--model "
                    "naive-bayes --blocks), or raise --max-cells");
  }
  counts_ = joint.cells()->cells(labels.size());
  weights_.assign(labels.size(), 0.0);
  for (const auto& cell : counts_) {
    for (std::size_t k = 0; k < weights_.size(); ++k) { weights_[k] += cell.weights[k]; }
  }
}

double TableFactor::empty_share() const {
  return 1.0 - static_cast<double>(counts_.size()) / cells_;
}

/// `cells` cells with `weight` rows of class k among them.
double TableFactor::log_share(double weight, double cells, std::size_t k) const {
  const double total = weights_[k] + smoothing_ * cells_;
  if (total > 0.0) { return std::log((weight + smoothing_ * cells) / total); }
  return std::log(cells / cells_);  // a class without rows, and no smoothing: it says nothing
}

std::uint64_t TableFactor::index_of(const std::vector<std::int32_t>& codes,
                                    const std::string& observed) const {
  std::uint64_t index = 0;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (observed[c] == '0') { continue; }
    index = index * levels_[c].size() + static_cast<std::uint64_t>(codes[c]);
  }
  return index;
}

TableFactor::Marginal TableFactor::summed(const std::string& observed) const {
  const std::size_t classes = weights_.size();
  double missing_cells = 1.0;
  for (std::size_t c = 0; c < observed.size(); ++c) {
    if (observed[c] == '0') { missing_cells *= static_cast<double>(levels_[c].size()); }
  }
  Marginal marginal;
  for (const auto& cell : counts_) {
    auto& sums = marginal.logs[index_of(cell.codes, observed)];
    sums.resize(classes, 0.0);
    for (std::size_t k = 0; k < classes; ++k) { sums[k] += cell.weights[k]; }
  }
  for (auto& [index, sums] : marginal.logs) {
    for (std::size_t k = 0; k < classes; ++k) { sums[k] = log_share(sums[k], missing_cells, k); }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    marginal.empty.push_back(log_share(0.0, missing_cells, k));
  }
  return marginal;
}

std::shared_ptr<const TableFactor::Marginal> TableFactor::marginal(
    const std::string& observed) const {
  constexpr std::size_t kMostKept = 256;
  const std::lock_guard lock(cache_->mutex);
  auto& found = cache_->marginals[observed];
  if (!found) {
    auto made = std::make_shared<const Marginal>(summed(observed));
    if (cache_->marginals.size() > kMostKept) {
      cache_->marginals.erase(observed);
      return made;
    }
    found = std::move(made);
  }
  return found;
}

void TableFactor::add_log_densities(const ColumnBlock& block, double* scores) const {
  const std::size_t width = places().size();
  std::vector<std::int32_t> codes(width);
  std::string observed(width, '1');
  std::string last;
  std::shared_ptr<const Marginal> table;
  for (std::size_t r = 0; r < block.rows; ++r) {
    bool unseen = false;
    for (std::size_t c = 0; c < width; ++c) {
      codes[c] = code_at(block, places()[c], r);
      // Without smoothing a level that training has not met is impossible in every class, and so
      // says nothing: the other columns decide.
      if (codes[c] == kUnseenCode && smoothing_ == 0.0) { codes[c] = kMissingCode; }
      observed[c] = codes[c] == kMissingCode ? '0' : '1';
      unseen = unseen || codes[c] == kUnseenCode;
    }
    if (observed.find('1') == std::string::npos) { continue; }

    if (!table || observed != last) {
      table = marginal(observed);
      last = observed;
    }
    const auto found = unseen ? table->logs.end() : table->logs.find(index_of(codes, observed));
    const auto& logs = found == table->logs.end() ? table->empty : found->second;
    for (std::size_t k = 0; k < logs.size(); ++k) { scores[k * block.stride + r] += logs[k]; }
  }
}

std::vector<std::int32_t> TableFactor::codes_at(std::uint64_t cell) const {
  std::vector<std::int32_t> codes(levels_.size());
  for (std::size_t c = levels_.size(); c-- > 0;) {
    codes[c] = static_cast<std::int32_t>(cell % levels_[c].size());
    cell /= levels_[c].size();
  }
  return codes;
}

/// The smoothed table is a mixture: alpha cells of the weight is spread evenly, the rest lies where
/// the rows are.
void TableFactor::draw(std::size_t k, random::RowDraws& draws, DrawnRow& row) const {
  const double even = smoothing_ * cells_;
  const bool no_rows = !(weights_[k] + even > 0.0);
  double at = draws.uniform() * (weights_[k] + even);
  std::vector<std::int32_t> codes;
  if (no_rows || at < even) {
    codes = codes_at(std::min(static_cast<std::uint64_t>(draws.uniform() * cells_),
                              static_cast<std::uint64_t>(cells_) - 1));
  } else {
    at -= even;
    for (const auto& cell : counts_) {
      if (cell.weights[k] > 0.0) { codes = cell.codes; }
      at -= cell.weights[k];
      if (at < 0.0) { break; }
    }
  }
  for (std::size_t c = 0; c < codes.size(); ++c) { row.set(places()[c], codes[c]); }
}

double TableFactor::parameter_count() const {
  return static_cast<double>(weights_.size()) * (cells_ - 1.0);
}

std::optional<double> TableFactor::log_likelihood(const NaiveStatistics& statistics) const {
  if (statistics.has_partial_rows(*this)) { return {}; }
  double sum = 0.0;
  for (const auto& cell : counts_) {
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      if (cell.weights[k] > 0.0) { sum += cell.weights[k] * log_share(cell.weights[k], 1.0, k); }
    }
  }
  return sum;
}

std::string TableFactor::cell_name(const std::vector<std::int32_t>& codes) const {
  std::string text;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    text += (c == 0 ? "" : ",") + places()[c].name + "=" +
            levels_[c][static_cast<std::size_t>(codes[c])];
  }
  return text;
}

std::optional<NaturalForm> TableFactor::natural() const {
  constexpr double kMost = 100000.0;
  if (cells_ > kMost) { return {}; }
  const std::size_t classes = weights_.size();
  const auto cells = static_cast<std::size_t>(cells_);
  NaturalForm form;
  form.parameters.resize(classes * cells);
  form.log_partitions.assign(classes, 0.0);
  const std::string all(levels_.size(), '1');
  const auto table = marginal(all);
  for (std::size_t i = 0; i < cells; ++i) {
    form.statistics.push_back(cell_name(codes_at(i)));
    const auto found = table->logs.find(i);
    const auto& logs = found == table->logs.end() ? table->empty : found->second;
    for (std::size_t k = 0; k < classes; ++k) { form.parameters[k * cells + i] = logs[k]; }
  }
  return form;
}

std::vector<std::pair<std::string, std::vector<double>>> TableFactor::parameters() const {
  constexpr std::size_t kShown = 100;
  std::vector<std::pair<std::string, std::vector<double>>> shown;
  for (std::size_t i = 0; i < std::min(counts_.size(), kShown); ++i) {
    std::vector<double> shares;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      shares.push_back(std::exp(log_share(counts_[i].weights[k], 1.0, k)));
    }
    shown.emplace_back("p(" + cell_name(counts_[i].codes) + ")", std::move(shares));
  }
  return shown;
}

}  // namespace logodds::models::naive_bayes
