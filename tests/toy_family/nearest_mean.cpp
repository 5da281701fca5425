// A toy family in one file: the class whose mean is nearest, a_k(x) = -scale |x - mu_k|^2.
#include "logodds/models/family.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds::models::nearest_mean {
namespace {

class MeanDistances {
 public:
  MeanDistances(const ClassMoments& moments, double scale)
      : columns_(moments.columns()), classes_(moments.classes()), scale_(scale) {
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t i = 0; i < columns_.size(); ++i) { means_.push_back(moments.mean(k, i)); }
    }
  }

  void log_scores(const RowBlock& block, std::span<double> out) const {
    std::vector<double> scratch;
    const DesignRows rows = encode_design(block, columns_, scratch);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      for (std::size_t k = 0; k < classes_; ++k) {
        out[r * classes_ + k] = -scale_ * squared_distance(rows.data + r * rows.stride, k);
      }
    }
  }

  [[nodiscard]] Description describe() const {
    return {.facts = {{"scale", scale_}}, .tables = {}};
  }

 private:
  [[nodiscard]] double squared_distance(const double* x, std::size_t k) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const double difference = x[i] - means_[k * columns_.size() + i];
      sum += difference * difference;
    }
    return sum;
  }

  std::vector<DesignColumn> columns_;
  std::size_t classes_;
  double scale_;
  std::vector<double> means_;  ///< row-major classes x design columns
};

struct NearestMean {
  using Statistics = ClassMoments;
  using Discriminant = MeanDistances;
  static constexpr bool keeps_statistics = true;

  static Statistics start(const Options&) { return ClassMoments(SecondMoments::diagonal); }
  static Discriminant estimate(const Statistics& moments, const EstimatorInput& input) {
    return {moments, input.options.real("scale")};
  }
  static Statistics load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                    const Options&) {
    return ClassMoments::load(reader, shape_of(schema), SecondMoments::diagonal);
  }
};

}  // namespace

FamilyRecord record() {
  return make_record<NearestMean>(
      {.name = "nearest-mean",
       .summary = "The class whose mean is nearest (a toy)",
       .example = "--scale 0.1",
       .options = {{.name = "scale",
                    .type = OptionType::real,
                    .default_value = "1",
                    .help = "How fast posteriors fall with the squared distance",
                    .minimum = 0.0}},
       .capabilities = {.one_pass = true},
       .make_learner = {},
       .load = {}});
}

}  // namespace logodds::models::nearest_mean
