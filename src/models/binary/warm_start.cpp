#include "models/binary/warm_start.hpp"

#include "logodds/error.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::models::binary {

std::vector<double> warm_start(const Classifier& model, const EstimatorInput& input,
                               const Coordinates& coordinates) {
  if (model.family() != "binary") {
    throw Error(ErrorCode::usage, "a fit of --model binary cannot start from a model of family " +
                                      model.family() + "; give --warm-start a binary model");
  }
  const auto coefficients = model.array("coefficients").values;
  if (!(model.schema() == input.schema) || coefficients.size() != coordinates.columns) {
    throw Error(ErrorCode::usage,
                "the model of --warm-start has other columns or classes than the rows; train "
                "without it, or with the model's --basis");
  }
  double at_center = model.array("intercepts").values.front();
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    at_center += coefficients[i] * coordinates.center[i];
  }
  return coordinates.from_user_units(coefficients, at_center);
}

}  // namespace logodds::models::binary
