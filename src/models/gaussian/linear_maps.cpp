// Models of a grid with one covariance each, scored together: a row is transposed once for all.
#include "kernels/linear_maps.hpp"

#include <variant>

#include "models/gaussian/joint_runs.hpp"

namespace logodds::models::gaussian {

namespace {

class LinearMapsScores final : public JointScores {
 public:
  explicit LinearMapsScores(Models models)
      : models_(models.size()), design_(models.front()->design()) {
    for (const GaussianDiscriminant* const model : models) {
      const auto& scores = std::get<LinearScores>(model->scores());
      center_ = scores.center;
      coefficients_.insert(coefficients_.end(), scores.coefficients.begin(),
                           scores.coefficients.end());
      bias_.insert(bias_.end(), scores.bias.begin(), scores.bias.end());
    }
  }

  void log_scores(const RowBlock& block, std::span<double> out) const override {
    std::vector<double> scratch;
    const DesignRows rows = design_.encode(block, scratch);
    kernels::linear_maps_scores(rows.data, rows.rows, rows.stride, maps(), out.data());
  }

  [[nodiscard]] bool losses(const RowBlock& block, std::span<const std::int32_t> truths,
                            const kernels::RowLosses& out) const override {
    std::vector<double> scratch;
    const DesignRows rows = design_.encode(block, scratch);
    return kernels::linear_maps_losses(rows.data, rows.rows, rows.stride, maps(), truths.data(),
                                       out);
  }

 private:
  [[nodiscard]] kernels::LinearMaps maps() const {
    return {.d = center_.size(),
            .k = bias_.size() / models_,
            .m = models_,
            .center = center_.data(),
            .coefficients = coefficients_.data(),
            .bias = bias_.data()};
  }

  std::size_t models_;
  Design design_;
  std::vector<double> center_;  ///< this and the next as kernels::LinearMaps has them
  std::vector<double> coefficients_;
  std::vector<double> bias_;
};

}  // namespace

std::unique_ptr<JointScores> linear_maps_of(Models models) {
  return std::make_unique<LinearMapsScores>(models);
}

}  // namespace logodds::models::gaussian
