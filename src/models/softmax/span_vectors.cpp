#include "models/softmax/span_vectors.hpp"

#include <algorithm>

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
      columns_(rows, scale),
      shares_(columns_.shares(kLanes)),
      parts_(kLanes),
      float_parts_(kLanes) {
  columns_.keep_floats();
  if (!centered) { return; }
  std::vector<double> shares(rows_);
  for (std::size_t r = 0; r < rows_; ++r) { shares[r] = rows.weight_of(r) / rows.weight; }
  team_.each(kLanes, [&](std::size_t lane) {
    parts_[lane].assign(rows_, 0.0);
    static_cast<void>(kernels::gram_add(columns_.part(shares_[lane], shares_[lane + 1]),
                                        shares.data(), 1, parts_[lane].data()));
  });
  for (std::size_t r = 0; r < rows_; ++r) {
    centers_.push_back((parts_[0][r] + parts_[1][r]) + (parts_[2][r] + parts_[3][r]));
  }
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

double SpanSpace::score(SpanVector& v, std::vector<double>* means) {
  std::vector<double> largest(kLanes, 0.0);
  team_.each(kLanes, [&](std::size_t lane) {
    parts_[lane].assign(rows_ * width_, 0.0);
    largest[lane] = kernels::gram_add(columns_.part(shares_[lane], shares_[lane + 1]), v.a.data(),
                                      width_, parts_[lane].data());
  });
  for_blocks([&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * width_; i < end * width_; ++i) {
      v.scores[i] = (parts_[0][i] + parts_[1][i]) + (parts_[2][i] + parts_[3][i]);
    }
  });
  if (means != nullptr) { means->assign(width_, 0.0); }
  if (centered_) {
    const auto off = means_of(v.scores);
    for_blocks([&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) {
        for (std::size_t k = 0; k < width_; ++k) { v.scores[r * width_ + k] -= off[k]; }
      }
    });
    if (means != nullptr) { *means = off; }
  }
  return *std::max_element(largest.begin(), largest.end());
}

void SpanSpace::start_scores(const SpanStep& v) {
  team_.each(kLanes, [&](std::size_t lane) {
    float_parts_[lane].assign(rows_ * width_, 0.0F);
    static_cast<void>(kernels::gram_add(columns_.float_part(shares_[lane], shares_[lane + 1]),
                                        v.a.data(), width_, float_parts_[lane].data()));
  });
}

void SpanSpace::add_means(const SpanStep& v, std::size_t begin, std::size_t end,
                          double* means) const {
  for (std::size_t r = begin; r < end && centered_; ++r) {
    for (std::size_t k = 0; k < width_; ++k) {
      means[k] += centers_[r] * static_cast<double>(v.a[r * width_ + k]);
    }
  }
}

void SpanSpace::finish_scores(SpanStep& v, std::size_t begin, std::size_t end,
                              const std::vector<double>& means) const {
  std::vector<float> off(means.begin(), means.end());
  for (std::size_t r = begin; r < end; ++r) {
    for (std::size_t k = 0; k < width_; ++k) {
      const std::size_t i = r * width_ + k;
      v.scores[i] = (float_parts_[0][i] + float_parts_[1][i]) +
                    (float_parts_[2][i] + float_parts_[3][i]) - off[k];
    }
  }
}

std::vector<double> SpanSpace::expand(const std::vector<double>& a) {
  std::vector<double> theta(fit_.columns * width_);
  team_.each(kLanes, [&](std::size_t lane) {
    kernels::transposed_product(columns_.part(shares_[lane], shares_[lane + 1]), a.data(), width_,
                                theta.data() + shares_[lane] * width_);
  });
  return theta;
}

std::vector<double> SpanSpace::means_of(const std::vector<double>& table) const {
  std::vector<double> parts(blocks() * width_, 0.0);
  for_blocks([&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const double share = fit_.weight_of(r) / fit_.weight;
      for (std::size_t k = 0; k < width_; ++k) {
        parts[block * width_ + k] += share * table[r * width_ + k];
      }
    }
  });
  std::vector<double> sums(width_, 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i) { sums[i % width_] += parts[i]; }
  return sums;
}

}  // namespace logodds::models::softmax
