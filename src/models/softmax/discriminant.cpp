#include "logodds/modelfile/container.hpp"
#include "models/softmax/softmax.hpp"

namespace logodds::models::softmax {

SoftmaxDiscriminant::SoftmaxDiscriminant(linear::LinearScores scores, Convergence convergence)
    : scores_(std::move(scores)), convergence_(convergence) {}

Description SoftmaxDiscriminant::describe() const {
  Description description;
  description.facts = {{"objective", convergence_.objective},
                       {"gradient_norm", convergence_.gradient_norm},
                       {"iterations", static_cast<std::int64_t>(convergence_.iterations)}};
  description.tables.push_back(scores_.table());
  return description;
}

void SoftmaxDiscriminant::save(modelfile::Writer& writer) const {
  scores_.save(writer);
  const std::vector<double> end{convergence_.objective, convergence_.gradient_norm,
                                convergence_.iterations};
  writer.tensor("convergence", end, {end.size()});
}

SoftmaxDiscriminant SoftmaxDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                              const Options& options) {
  auto scores = linear::LinearScores::load(reader, schema, OneHot::full, options.text("basis"));
  const auto end = reader.doubles("convergence", {3});
  linear::check_finite(reader, end, "coefficients");
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  return {std::move(scores), {end[0], end[1], end[2]}};
}

}  // namespace logodds::models::softmax
