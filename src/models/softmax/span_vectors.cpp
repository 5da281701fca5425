#include "models/softmax/span_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "models/softmax/inner.hpp"

namespace logodds::models::softmax {

SpanSpace::SpanSpace(const FitRows& rows, const std::vector<double>& scale, bool centered,
                     parallel::Team& team)
    : fit_(rows),
      rows_(rows.rows),
      free_(free_classes(rows.classes)),
      width_(padded_width(free_)),
      centered_(centered),
      team_(team),
      columns_(rows, scale, [&](std::size_t count, const auto& work) { team.each(count, work); }),
      shares_(columns_.shares(kShares)),
      column_floats_(columns_.values().size()),
      row_floats_(rows.sparse.starts[rows.rows]),
      table_(rows.columns * width_),
      float_table_(rows.columns * width_) {
  const SparseRows& x = rows.sparse;
  if (!scale.empty()) { scaled_.resize(x.starts[rows_]); }
  for_blocks([&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = x.starts[begin]; i < x.starts[end]; ++i) {
      const double value = x.values[i] * (scale.empty() ? 1.0 : scale[x.indices[i]]);
      if (!scale.empty()) { scaled_[i] = value; }
      row_floats_[i] = static_cast<float>(value);
    }
  });
  team_.each(kShares, [&](std::size_t share) {
    const std::size_t size = column_floats_.size();
    for (std::size_t i = size * share / kShares; i < size * (share + 1) / kShares; ++i) {
      column_floats_[i] = static_cast<float>(columns_.values()[i]);
    }
  });
  if (centered) { find_centers(); }
}

void SpanSpace::find_centers() {
  std::vector<double> shares(rows_);
  for (std::size_t r = 0; r < rows_; ++r) { shares[r] = fit_.weight_of(r) / fit_.weight; }
  centers_.resize(rows_);
  team_.each(kShares, [&](std::size_t share) {
    kernels::sparse_product(columns_.part(shares_[share], shares_[share + 1]), shares.data(), 1,
                            table_.data() + shares_[share]);
  });
  for_blocks([&](std::size_t, std::size_t begin, std::size_t end) {
    kernels::sparse_product(rows_of(begin, end), table_.data(), 1, centers_.data() + begin);
  });
}

void SpanSpace::for_blocks(
    const std::function<void(std::size_t, std::size_t, std::size_t)>& work) const {
  // Blocks are handed out some at a time: a Team counts its pieces in 16 bits.
  const std::size_t count = blocks();
  const std::size_t pieces = std::min<std::size_t>(count, 1024);
  team_.each(pieces, [&](std::size_t piece) {
    for (std::size_t b = count * piece / pieces; b < count * (piece + 1) / pieces; ++b) {
      work(b, b * kRows, std::min((b + 1) * kRows, rows_));
    }
  });
}

double SpanSpace::squares() const {
  double sum = 0.0;
  for (const double value : columns_.values()) { sum += value * value; }
  return sum;
}

template <class T>
void SpanSpace::transpose(const memory::LargeVector<T>& values, const memory::LargeVector<T>& a,
                          memory::LargeVector<T>& table) {
  team_.each(kShares, [&](std::size_t share) {
    kernels::sparse_product(columns_.part(shares_[share], shares_[share + 1], values), a.data(),
                            width_, table.data() + shares_[share] * width_);
  });
}

void SpanSpace::transpose(const memory::LargeVector<double>& a) {
  transpose(columns_.values(), a, table_);
}

void SpanSpace::transpose(const memory::LargeVector<float>& a) {
  transpose(column_floats_, a, float_table_);
}

template <class T>
double SpanSpace::largest(const std::vector<double>& units,
                          const memory::LargeVector<T>& table) const {
  std::vector<double> parts(kShares, 0.0);
  team_.each(kShares, [&](std::size_t share) {
    for (std::size_t i = shares_[share]; i < shares_[share + 1]; ++i) {
      T most = 0;
      for (std::size_t k = 0; k < width_; ++k) {
        most = std::max(most, std::abs(table[i * width_ + k]));
      }
      parts[share] = std::max(parts[share], units[i] * static_cast<double>(most));
    }
  });
  return *std::max_element(parts.begin(), parts.end());
}

double SpanSpace::largest(const std::vector<double>& units, Digits digits) const {
  return digits == Digits::double_precision ? largest(units, table_) : largest(units, float_table_);
}

std::vector<double> SpanSpace::variances() const {
  std::vector<double> result(fit_.columns);
  team_.each(kShares, [&](std::size_t share) {
    for (std::size_t i = shares_[share]; i < shares_[share + 1]; ++i) {
      const auto column = columns_.part(i, i + 1);
      const auto sum_over = [&](const auto& value) {
        double sum = 0.0;
        for (std::size_t j = column.starts[0]; j < column.starts[1]; ++j) {
          sum += fit_.weight_of(column.places[j]) / fit_.weight * value(column.values[j]);
        }
        return sum;
      };
      const double mean = sum_over([](double x) { return x; });
      const double met = sum_over([](double) { return 1.0; });
      result[i] = sum_over([&](double x) { return (x - mean) * (x - mean); }) +
                  std::max(0.0, 1.0 - met) * mean * mean;
    }
  });
  return result;
}

kernels::SparseLines SpanSpace::rows_of(std::size_t begin, std::size_t end) const {
  const SparseRows& x = fit_.sparse;
  return {end - begin, x.starts + begin, x.indices, scaled_.empty() ? x.values : scaled_.data()};
}

void SpanSpace::scores_of_block(SpanVector& v, std::size_t begin, std::size_t end,
                                const std::vector<double>& means) const {
  kernels::sparse_product(rows_of(begin, end), table_.data(), width_,
                          v.scores.data() + begin * width_);
  take_off(means, begin, end, v.scores);
}

void SpanSpace::scores_of_block(SpanStep& v, std::size_t begin, std::size_t end,
                                const std::vector<double>& means) const {
  const kernels::FloatLines x{end - begin, fit_.sparse.starts + begin, fit_.sparse.indices,
                              row_floats_.data()};
  kernels::sparse_product(x, float_table_.data(), width_, v.scores.data() + begin * width_);
  take_off(means, begin, end, v.scores);
}

template <class T>
void SpanSpace::take_off(const std::vector<double>& means, std::size_t begin, std::size_t end,
                         memory::LargeVector<T>& scores) const {
  if (!centered_) { return; }
  const std::vector<T> off(means.begin(), means.end());
  for (std::size_t r = begin; r < end; ++r) {
    for (std::size_t k = 0; k < width_; ++k) { scores[r * width_ + k] -= off[k]; }
  }
}

}  // namespace logodds::models::softmax
