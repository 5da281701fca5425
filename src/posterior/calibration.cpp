#include "logodds/posterior/calibration.hpp"

#include <algorithm>
#include <array>

#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"
#include "posterior/calibrations.hpp"

namespace logodds::posterior {

namespace {

struct Method {
  std::string_view name;
  FitCalibration fit;
  LoadCalibration load;
};

constexpr std::array<Method, 3> kMethods = {{
    {"temperature", fit_temperature, load_temperature},
    {"platt", fit_platt, load_platt},
    {"isotonic", fit_isotonic, load_isotonic},
}};

void check_rows(const ValidationRows& rows) {
  if (rows.classes < 2) {
    throw Error(ErrorCode::usage,
                "the model knows one class only, so its posteriors are 1 and there is nothing to "
                "calibrate; train one with at least two classes");
  }
  const auto other = [&](std::int32_t label) { return label != rows.labels.front(); };
  if (rows.rows() > 0 && std::ranges::any_of(rows.labels, other)) { return; }
  throw Error(ErrorCode::input,
              "the validation rows are all of one class, which tells nothing about posteriors; "
              "give rows of at least two classes");
}

}  // namespace

void to_log_posteriors(std::span<double> scores, std::size_t classes) {
  for (std::size_t r = 0; r < scores.size() / classes; ++r) {
    const auto row = scores.subspan(r * classes, classes);
    const double sum = log_sum(row);
    if (sum == -kInfinity) { continue; }
    for (double& score : row) { score -= sum; }
  }
}

const std::vector<std::string>& calibration_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Method& method : kMethods) { list.emplace_back(method.name); }
    return list;
  }();
  return names;
}

std::unique_ptr<Calibration> fit_calibration(std::string_view method, const ValidationRows& rows,
                                             std::vector<std::string>& notes) {
  const auto* const found = std::ranges::find(kMethods, method, &Method::name);
  if (found == kMethods.end()) {
    throw Error(ErrorCode::usage, "there is no method of calibration '" + std::string(method) +
                                      "'; take temperature, platt or isotonic" +
                                      did_you_mean(method, calibration_methods()));
  }
  check_rows(rows);
  return found->fit(rows, notes);
}

std::unique_ptr<Calibration> load_calibration(const modelfile::Reader& reader,
                                              std::size_t classes) {
  for (const Method& method : kMethods) {
    if (auto calibration = method.load(reader, classes)) { return calibration; }
  }
  return nullptr;
}

}  // namespace logodds::posterior
