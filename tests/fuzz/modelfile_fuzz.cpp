// Any bytes as a model file: refused with Error(model_file), or a classifier whose posteriors sum
// to 1 wherever its scores do not overflow, or axes or a line that can be used.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/modelfile.hpp"
#include "logodds/models/axes.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/models/line.hpp"
#include "logodds/models/row_problem.hpp"
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

/// A row of zeros and first levels.
class ZeroRow {
 public:
  explicit ZeroRow(const logodds::Schema& schema)
      : numbers_(schema.numeric_count(), 0.0), codes_(schema.coded_count(), &first_level_) {}
  ZeroRow(const ZeroRow&) = delete;
  ZeroRow(ZeroRow&&) = delete;
  ZeroRow& operator=(const ZeroRow&) = delete;
  ZeroRow& operator=(ZeroRow&&) = delete;
  ~ZeroRow() = default;

  [[nodiscard]] logodds::RowBlock view() const {
    logodds::RowBlock block;
    block.rows = 1;
    block.numeric = numbers_.data();
    block.numeric_columns = block.numeric_stride = numbers_.size();
    block.codes = codes_;
    return block;
  }

 private:
  std::int32_t first_level_ = 0;
  std::vector<double> numbers_;
  std::vector<const std::int32_t*> codes_;
};

void score_zeros(const logodds::Classifier& model) {
  std::vector<double> scores(model.labels().size());
  const ZeroRow row(model.schema());
  try {
    model.log_scores(row.view(), scores);
  } catch (const logodds::RowProblem&) { return; }  // by cosine: zeros have no direction
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

/// The same.
void use_axes_and_lines(const logodds::DescriptiveModel& model) {
  const ZeroRow row(model.schema());
  if (const auto* const axes = model.axes()) {
    std::vector<double> coordinates(axes->axis_count());
    axes->project(row.view(), axes->axis_count(), coordinates);
    std::vector<double> rebuilt(axes->column_names().size());
    axes->reconstruct(row.view(), axes->axis_count(), rebuilt);
    static_cast<void>(axes->describe());
  }
  if (const auto* const line = model.line()) {
    std::vector<double> value(1);
    line->fitted(row.view(), value);
    static_cast<void>(line->describe());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto model = logodds::modelfile::any_from_bytes(resealed(data, size), "fuzz");
    if (const auto* const classifier = dynamic_cast<const logodds::Classifier*>(model.get())) {
      score_zeros(*classifier);
      use_densities(*classifier);
    }
    if (const auto* const axes = dynamic_cast<const logodds::DescriptiveModel*>(model.get())) {
      use_axes_and_lines(*axes);
    }
  } catch (const logodds::Error& error) {
    if (error.code() != logodds::ErrorCode::model_file) { std::abort(); }
  }
  return 0;
}
