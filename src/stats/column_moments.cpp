#include "stats/column_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"

namespace logodds {

namespace {

/// The multiple nearest to `mean` of a power of two between sd / 4 and sd / 2.
double few_bits(double mean, double sd) {
  int exponent = 0;
  if (!(sd > 0.0) || !std::isfinite(sd)) { return mean; }
  static_cast<void>(std::frexp(sd, &exponent));
  const double unit = std::ldexp(1.0, exponent - 2);
  const double rounded = std::nearbyint(mean / unit) * unit;
  return std::isfinite(rounded) ? rounded : mean;
}

/// ln x! of a count.
double log_factorial(double x) {
  constexpr std::size_t kTable = 256;
  static const std::array<double, kTable> table = [] {
    std::array<double, kTable> values{};
    for (std::size_t i = 2; i < kTable; ++i) {
      values[i] = values[i - 1] + std::log(static_cast<double>(i));
    }
    return values;
  }();
  return x < static_cast<double>(kTable) ? table[static_cast<std::size_t>(x)]
                                         : std::lgamma(x + 1.0);
}

/// Without a call of floor(), which every value of every count would pay for.
bool is_count(double x) {
  constexpr double kAllWhole = 0x1p53;
  return x >= 0.0 && x < kAllWhole && static_cast<double>(static_cast<std::int64_t>(x)) == x;
}

}  // namespace

void ColumnMoments::grow(std::size_t classes, std::size_t columns) {
  columns_ = columns;
  classes_ = std::max(classes_, classes);
  sums_.resize(classes_ * columns_);
  counts_only_.resize(columns_, 1);
}

void ColumnMoments::add(const RowBlock& block, const Grouped& groups) {
  grow(groups.begin.size() - 1, block.numeric_columns);
  if (columns_ == 0) { return; }
  for (std::size_t k = 0; k + 1 < groups.begin.size(); ++k) {
    if (!groups.of(k).empty()) { add_class(k, block, groups.of(k)); }
  }
  add_log_factorials(block);
}

/// Shifts of columns that have had no value in this class: near the mean of these rows, which are
/// summed around the first value, so that the mean of a constant column is exact.
void ColumnMoments::place_shifts(std::size_t k, const RowBlock& block,
                                 std::span<const std::uint32_t> members) {
  const std::size_t d = columns_;
  std::vector<double> work(4 * d, 0.0);
  double* const shift = work.data();
  double* const weight = shift + d;
  double* const first = weight + d;
  double* const second = first + d;
  for (std::size_t c = 0; c < d; ++c) {
    for (const auto r : members) {
      const double x = block.numeric[r * block.numeric_stride + c];
      if (!std::isnan(x)) {
        shift[c] = x;
        break;
      }
    }
  }
  const auto sum = [&] {
    std::fill_n(weight, 3 * d, 0.0);
    kernels::observed_sums(block.numeric, members.data(), members.size(), d, block.numeric_stride,
                           block.weights, shift, weight, first, second);
  };
  sum();
  for (std::size_t c = 0; c < d; ++c) { shift[c] += weight[c] > 0.0 ? first[c] / weight[c] : 0.0; }
  sum();
  for (std::size_t c = 0; c < d; ++c) {
    Sums& sums = sums_[k * d + c];
    if (sums.weight == 0.0 && weight[c] > 0.0) {
      sums.shift = few_bits(shift[c], std::sqrt(second[c] / weight[c]));
    }
  }
}

void ColumnMoments::add_class(std::size_t k, const RowBlock& block,
                              std::span<const std::uint32_t> members) {
  const std::size_t d = columns_;
  Sums* const all = sums_.data() + k * d;
  if (std::any_of(all, all + d, [](const Sums& sums) { return sums.weight == 0.0; })) {
    place_shifts(k, block, members);
  }
  std::vector<double> work(4 * d, 0.0);
  double* const shift = work.data();
  for (std::size_t c = 0; c < d; ++c) { shift[c] = all[c].shift; }
  double* const weight = shift + d;
  double* const first = weight + d;
  double* const second = first + d;
  kernels::observed_sums(block.numeric, members.data(), members.size(), d, block.numeric_stride,
                         block.weights, shift, weight, first, second);
  for (std::size_t c = 0; c < d; ++c) {
    all[c].weight += weight[c];
    all[c].first += first[c];
    all[c].second += second[c];
    follow_mean(all[c]);
  }
}

void ColumnMoments::add_log_factorials(const RowBlock& block) {
  std::vector<std::size_t> counts;
  for (std::size_t c = 0; c < columns_; ++c) {
    if (counts_only_[c] != 0) { counts.push_back(c); }
  }
  for (std::size_t r = 0; r < block.rows; ++r) {
    const double* const row = block.numeric + r * block.numeric_stride;
    Sums* const sums = sums_.data() + static_cast<std::size_t>(block.labels[r]) * columns_;
    for (const auto c : counts) {
      const double x = row[c];
      if (x == 0.0 || x == 1.0 || std::isnan(x)) { continue; }  // ln x! = 0
      if (is_count(x)) {
        sums[c].log_factorials += block.weight(r) * log_factorial(x);
      } else {
        counts_only_[c] = 0;
      }
    }
  }
}

/// With delta = s - s', x - s' = (x - s) + delta.
void ColumnMoments::move_shift(Sums& sums, double shift) {
  const double delta = sums.shift - shift;
  sums.second = std::max(0.0, sums.second + delta * (2.0 * sums.first + sums.weight * delta));
  sums.first += sums.weight * delta;
  sums.shift = shift;
}

void ColumnMoments::follow_mean(Sums& sums) {
  if (!(sums.weight > 0.0)) { return; }
  constexpr double kFar = 0.5;  // of the mean square is the distance of the mean from the shift
  const double off = sums.first / sums.weight;
  if (off * off <= kFar * (sums.second / sums.weight)) { return; }
  const double sd = std::sqrt(scatter_of(sums) / sums.weight);
  const double shift = few_bits(sums.shift + off, sd);
  if (std::isfinite(shift)) { move_shift(sums, shift); }
}

/// S_2 - S_1^2 / W, the square and its quotient in twice the precision.
double ColumnMoments::scatter_of(const Sums& sums) {
  if (!(sums.weight > 0.0)) { return 0.0; }
  const double square = sums.first * sums.first;
  const double square_rest = std::fma(sums.first, sums.first, -square);
  const double quotient = square / sums.weight;
  const double quotient_rest =
      (std::fma(-quotient, sums.weight, square) + square_rest) / sums.weight;
  const double scatter = (sums.second - quotient) - quotient_rest;
  return scatter > 0.0 ? scatter : 0.0;
}

double ColumnMoments::sum(std::size_t k, std::size_t c) const {
  return std::fma(at(k, c).shift, at(k, c).weight, at(k, c).first);
}

double ColumnMoments::mean(std::size_t k, std::size_t c) const {
  const Sums& sums = at(k, c);
  if (!(sums.weight > 0.0)) { return 0.0; }
  return counts_only(c) ? sum(k, c) / sums.weight : sums.shift + sums.first / sums.weight;
}

double ColumnMoments::scatter(std::size_t k, std::size_t c) const { return scatter_of(at(k, c)); }

void ColumnMoments::merge(const ColumnMoments& other) {
  if (other.classes_ == 0) { return; }
  grow(other.classes_, other.columns_);
  for (std::size_t i = 0; i < other.sums_.size(); ++i) {
    Sums& sums = sums_[i];
    Sums more = other.sums_[i];
    if (!(more.weight > 0.0)) { continue; }
    if (!(sums.weight > 0.0)) {
      sums = more;
      continue;
    }
    move_shift(more, sums.shift);
    sums.weight += more.weight;
    sums.first += more.first;
    sums.second += more.second;
    sums.log_factorials += more.log_factorials;
    follow_mean(sums);
  }
  for (std::size_t c = 0; c < columns_; ++c) { counts_only_[c] &= other.counts_only_[c]; }
}

void ColumnMoments::recode(std::span<const std::int32_t> labels, std::size_t classes) {
  std::vector<Sums> moved(classes * columns_);
  for (std::size_t k = 0; k < std::min(labels.size(), classes_); ++k) {
    if (labels[k] < 0) { continue; }
    std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(k * columns_), columns_,
                moved.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(labels[k]) * columns_));
  }
  sums_ = std::move(moved);
  classes_ = classes;
}

bool ColumnMoments::overflows(std::size_t c) const {
  for (std::size_t k = 0; k < classes_; ++k) {
    const Sums& sums = at(k, c);
    const double all[] = {sums.weight, sums.shift, sums.first, sums.second, sums.log_factorials};
    if (!std::all_of(std::begin(all), std::end(all), [](double x) { return std::isfinite(x); })) {
      return true;
    }
  }
  return false;
}

ColumnMoments ColumnMoments::of_columns(std::span<const std::size_t> chosen) const {
  ColumnMoments some;
  some.grow(classes_, chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    some.counts_only_[i] = counts_only_[chosen[i]];
    for (std::size_t k = 0; k < classes_; ++k) {
      some.sums_[k * chosen.size() + i] = at(k, chosen[i]);
    }
  }
  return some;
}

namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw Error(ErrorCode::input,
              place + ": " + why +
                  ", so these rows were not all among those of the model; forget only rows that it "
                  "was trained on");
}

/// All are whole numbers of one small unit, as sums of whole numbers around a shift of few bits
/// are: then no sum has been rounded.
bool whole(std::initializer_list<double> sums) {
  for (const double units : {1.0, 0x1p10, 0x1p20}) {
    const bool all = std::all_of(sums.begin(), sums.end(), [units](double sum) {
      return std::abs(sum * units) < 0x1p53 && sum * units == std::floor(sum * units);
    });
    if (all) { return true; }
  }
  return false;
}

}  // namespace

void ColumnMoments::unmerge(const ColumnMoments& other, const std::vector<std::string>& labels,
                            const std::vector<std::string>& columns) {
  for (std::size_t k = 0; k < std::min(classes_, other.classes_); ++k) {
    for (std::size_t c = 0; c < columns_; ++c) {
      if (!(other.at(k, c).weight > 0.0)) { continue; }
      unmerge_column(k, c, other.at(k, c),
                     "class '" + labels[k] + "', column '" + columns[c] + "'");
    }
  }
}

void ColumnMoments::unmerge_column(std::size_t k, std::size_t c, Sums gone,
                                   const std::string& place) {
  constexpr double kWeightRounding = 1e-12;  // of the weight before
  constexpr double kRounding = 1e-13;        // of a sum of squares
  constexpr double kDoubt = 1e-6;            // of the scatter before
  constexpr double kExactDoubt = 1e-12;      // the same where sums are exact
  constexpr double kLost = 1e-3;             // of a scatter, more than which may not be rounding
  Sums& sums = sums_[k * columns_ + c];
  const Sums before = sums;
  move_shift(gone, sums.shift);
  const bool exact =
      whole({sums.weight, sums.first, sums.second, gone.weight, gone.first, gone.second});
  sums.weight -= gone.weight;
  if (std::abs(sums.weight) <= kWeightRounding * before.weight) { sums.weight = 0.0; }
  if (sums.weight < 0.0) {
    refuse(place, "values of weight " + format_number(gone.weight) +
                      " are to be forgotten, and there is only " + format_number(before.weight));
  }
  sums.first -= gone.first;
  sums.second -= gone.second;
  sums.log_factorials -= gone.log_factorials;
  const double scale = before.second + before.weight * 1e-30;
  const double doubt = (exact ? kExactDoubt : kDoubt) * scale;
  const double raw = sums.weight > 0.0 ? sums.second - sums.first * (sums.first / sums.weight)
                                       : std::abs(sums.second);
  const bool moved =
      sums.weight == 0.0 &&
      std::abs(sums.first) > (exact ? 0.0 : kDoubt * std::sqrt(scale * before.weight));
  if (raw < -doubt || (sums.weight == 0.0 && (raw > doubt || moved))) {
    refuse(place, "without them its spread would not be that of any rows");
  }
  if (sums.weight == 0.0) {
    sums = {};
    return;
  }
  const double rounding = exact ? 0.0 : kRounding * scale;
  const bool nothing = !exact && raw <= rounding;
  if (nothing) { sums.second = sums.first * (sums.first / sums.weight); }
  if (rounding / sums.weight > kLost * pooled_variance(c)) {
    throw Error(ErrorCode::input,
                place +
                    ": the rows to be forgotten are so far from the others, or so heavy, that what "
                    "they leave is lost in rounding; train on the remaining rows instead");
  }
  sums.second = std::max(0.0, sums.second);
  follow_mean(sums);
}

/// Within the classes; infinite where nothing varies, of which nothing can be lost.
double ColumnMoments::pooled_variance(std::size_t c) const {
  double scatter = 0.0;
  double weight = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) {
    scatter += scatter_of(at(k, c));
    weight += at(k, c).weight;
  }
  return scatter > 0.0 ? scatter / weight : std::numeric_limits<double>::infinity();
}

void ColumnMoments::save(modelfile::Writer& writer, const std::string& prefix) const {
  constexpr std::size_t kFields = 5;
  std::vector<double> values;
  for (const Sums& sums : sums_) {
    values.insert(values.end(),
                  {sums.weight, sums.shift, sums.first, sums.second, sums.log_factorials});
  }
  const std::vector<std::int32_t> counts(counts_only_.begin(), counts_only_.end());
  writer.tensor(prefix + ".sums", values, {classes_, columns_, kFields});
  writer.tensor(prefix + ".counts_only", counts, {columns_});
}

ColumnMoments ColumnMoments::load(const modelfile::Reader& reader, std::size_t classes,
                                  std::size_t columns, const std::string& prefix) {
  constexpr std::size_t kFields = 5;
  ColumnMoments moments;
  moments.grow(classes, columns);
  const auto values = reader.doubles(prefix + ".sums", {classes, columns, kFields});
  const auto counts = reader.integers(prefix + ".counts_only", {columns});
  for (std::size_t i = 0; i < moments.sums_.size(); ++i) {
    const double* const v = values.data() + i * kFields;
    const bool finite = std::all_of(v, v + kFields, [](double x) { return std::isfinite(x); });
    if (!finite || v[0] < 0.0 || v[3] < 0.0) { reader.fail("its moments of columns are not sums"); }
    moments.sums_[i] = {v[0], v[1], v[2], v[3], v[4]};
  }
  for (std::size_t c = 0; c < columns; ++c) {
    moments.counts_only_[c] = counts[c] != 0 ? std::uint8_t{1} : std::uint8_t{0};
  }
  return moments;
}

}  // namespace logodds
