// Any bytes as a model file: refused with Error(model_file), or a model whose posteriors sum
// to 1 wherever its scores do not overflow.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/modelfile.hpp"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto model = logodds::modelfile::from_bytes(resealed(data, size), "fuzz");
    score_zeros(*model);
  } catch (const logodds::Error& error) {
    if (error.code() != logodds::ErrorCode::model_file) { std::abort(); }
  }
  return 0;
}
