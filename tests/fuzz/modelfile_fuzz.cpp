// Any bytes as a model file: refused with Error(model_file), or a model whose posteriors sum
// to 1 wherever its scores do not overflow.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/modelfile.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/posterior/posterior.hpp"
#include "modelfile/checksum.hpp"

namespace {

/// Puts the right checksum in, so that mutations get past it.
std::string resealed(const std::uint8_t* data, std::size_t size) {
  using namespace logodds::modelfile;
  std::string bytes;
  for (const std::uint8_t byte : std::span(data, size)) { bytes += static_cast<char>(byte); }
  if (const auto digits = find_checksum(bytes)) {
    bytes.replace(*digits, kChecksumDigits, checksum_text(checksum(bytes, *digits)));
  }
  return bytes;
}

void score_zeros(const logodds::Classifier& model) {
  const std::vector<double> numbers(model.schema().numeric_count(), 0.0);
  const std::int32_t first_level = 0;
  const std::vector<const std::int32_t*> codes(model.schema().coded_count(), &first_level);
  logodds::RowBlock block;
  block.rows = 1;
  block.numeric = numbers.data();
  block.numeric_columns = block.numeric_stride = numbers.size();
  block.codes = codes;
  std::vector<double> scores(model.labels().size());
  model.log_scores(block, scores);
  if (logodds::posterior::first_overflow(scores, scores.size()) == 0) { return; }  // refused
  logodds::posterior::from_log_scores(scores, scores.size());
  double sum = 0.0;
  for (const double posterior : scores) { sum += posterior; }
  if (!(std::abs(sum - 1.0) < 1e-9)) { std::abort(); }
}

/// Nothing to assert but that it ends without a crash.
void use_densities(const logodds::Classifier& model) {
  if (model.generative() == nullptr || model.geometry() == nullptr) { return; }
  logodds::RowBuffer drawn;
  model.generative()->sample(1, 0, 3, drawn);
  drawn.complete = false;
  if (drawn.numeric_columns > 0) {
    drawn.numeric.front() = std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> scores(3 * model.labels().size());
  model.generative()->log_joint(drawn.view(), scores);
  std::vector<double> p_values(3);
  model.generative()->outlier_p_values(drawn.view(), p_values);
  static_cast<void>(model.geometry()->boundaries());
  static_cast<void>(model.geometry()->axis_count());
  static_cast<void>(model.training_likelihood());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto model = logodds::modelfile::from_bytes(resealed(data, size), "fuzz");
    score_zeros(*model);
    use_densities(*model);
  } catch (const logodds::Error& error) {
    if (error.code() != logodds::ErrorCode::model_file) { std::abort(); }
  }
  return 0;
}
