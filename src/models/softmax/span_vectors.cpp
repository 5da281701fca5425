#include "models/softmax/span_vectors.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "logodds/parallel/blocks.hpp"
#include "models/softmax/inner.hpp"

namespace logodds::models::softmax {

namespace {

constexpr std::size_t kBlock = 2048;  // doubles of a table at a time: they stay in the cache

Eigen::Map<const Eigen::VectorXd> slice(const std::vector<double>& of, std::size_t begin,
                                        std::size_t count) {
  return {of.data() + begin, static_cast<Eigen::Index>(count)};
}

}  // namespace

SpanSpace::SpanSpace(const FitRows& rows, const std::vector<double>& scale)
    : fit_(rows),
      size_(rows.rows * padded_width(free_classes(rows.classes))),
      free_(free_classes(rows.classes)),
      width_(padded_width(free_)),
      threads_(rows.threads),
      columns_(rows, scale),
      shares_(columns_.shares(kLanes)),
      parts_(kLanes) {}

SpanVector SpanSpace::zero() const {
  return {std::vector<double>(size_, 0.0), std::vector<double>(size_, 0.0),
          std::vector<double>(free_, 0.0)};
}

template <class Work>
void SpanSpace::for_blocks(const Work& work) const {
  const std::size_t blocks = (size_ + kBlock - 1) / kBlock;
  const std::size_t lanes = std::min(blocks, parallel::kMostLanes);
  parallel::run_lanes(threads_, lanes, [&](std::size_t lane) {
    for (std::size_t b = lane; b < blocks; b += lanes) {
      work(b, b * kBlock, std::min(kBlock, size_ - b * kBlock));
    }
  });
}

void SpanSpace::score(SpanVector& v) {
  parallel::run_lanes(threads_, kLanes, [&](std::size_t lane) {
    parts_[lane].assign(size_, 0.0);
    kernels::gram_add(columns_.part(shares_[lane], shares_[lane + 1]), v.a.data(), width_,
                      parts_[lane].data());
  });
  for_blocks([&](std::size_t, std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i) {
      v.scores[i] = (parts_[0][i] + parts_[1][i]) + (parts_[2][i] + parts_[3][i]);
    }
  });
}

std::vector<double> SpanSpace::products(const SpanVector& v,
                                        const std::vector<const SpanVector*>& others) const {
  const std::size_t blocks = (size_ + kBlock - 1) / kBlock;
  std::vector<double> parts(blocks * others.size());
  for_blocks([&](std::size_t block, std::size_t begin, std::size_t count) {
    for (std::size_t j = 0; j < others.size(); ++j) {
      parts[block * others.size() + j] =
          slice(v.a, begin, count).dot(slice(others[j]->scores, begin, count));
    }
  });
  std::vector<double> result(others.size(), 0.0);
  for (std::size_t j = 0; j < others.size(); ++j) {
    for (std::size_t b = 0; b < blocks; ++b) { result[j] += parts[b * others.size() + j]; }
    for (std::size_t k = 0; k < free_; ++k) { result[j] += v.bias[k] * others[j]->bias[k]; }
  }
  return result;
}

double SpanSpace::dot(const std::vector<double>& a, const std::vector<double>& b) const {
  std::vector<double> parts((size_ + kBlock - 1) / kBlock);
  for_blocks([&](std::size_t block, std::size_t begin, std::size_t count) {
    parts[block] = slice(a, begin, count).dot(slice(b, begin, count));
  });
  double sum = 0.0;
  for (const double part : parts) { sum += part; }
  return sum;
}

void SpanSpace::combine(const std::vector<double>& factors,
                        const std::vector<const SpanVector*>& vectors, SpanVector& out) const {
  const auto add = [&](auto member, std::size_t begin, std::size_t count) {
    Eigen::Map<Eigen::VectorXd> to((out.*member).data() + begin, static_cast<Eigen::Index>(count));
    to.setZero();
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      to += factors[j] * slice(vectors[j]->*member, begin, count);
    }
  };
  for_blocks([&](std::size_t, std::size_t begin, std::size_t count) {
    add(&SpanVector::a, begin, count);
    add(&SpanVector::scores, begin, count);
  });
  add(&SpanVector::bias, 0, free_);
}

void SpanSpace::add(const std::vector<double>& a, double factor, const std::vector<double>& b,
                    std::vector<double>& out) const {
  for_blocks([&](std::size_t, std::size_t begin, std::size_t count) {
    Eigen::Map<Eigen::VectorXd>(out.data() + begin, static_cast<Eigen::Index>(count)) =
        slice(a, begin, count) + factor * slice(b, begin, count);
  });
}

std::vector<double> SpanSpace::means(const std::vector<double>& table) const {
  std::vector<double> sums(width_, 0.0);
  for (std::size_t r = 0; r < fit_.rows; ++r) {
    const double share = fit_.weight_of(r) / fit_.weight;
    for (std::size_t k = 0; k < width_; ++k) { sums[k] += share * table[r * width_ + k]; }
  }
  return sums;
}

void SpanSpace::center(std::vector<double>& table) const {
  const auto off = means(table);
  for (std::size_t r = 0; r < fit_.rows; ++r) {
    for (std::size_t k = 0; k < width_; ++k) { table[r * width_ + k] -= off[k]; }
  }
}

void SpanSpace::take_off(const std::vector<double>& totals, std::vector<double>& table) const {
  for (std::size_t r = 0; r < fit_.rows; ++r) {
    const double share = fit_.weight_of(r) / fit_.weight;
    for (std::size_t k = 0; k < free_; ++k) { table[r * width_ + k] -= share * totals[k]; }
  }
}

}  // namespace logodds::models::softmax
