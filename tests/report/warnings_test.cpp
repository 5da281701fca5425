#include <doctest/doctest.h>

#include <algorithm>

#include "report/sections.hpp"
#include "support/sample.hpp"

namespace logodds::report {

namespace {

/// The warnings of a page about the model of `trained` on `data`.
std::vector<std::string> warnings_of(const test::Sample& trained, const test::Sample& data,
                                     const test::Sample* training = nullptr) {
  const auto model = std::move(fit(trained, {{"covariance", "diagonal"}}).model);
  const auto rows = [&](const test::Sample& sample) {
    return RowsOf{.name = "rows",
                  .open = [&] { return open_matrix(sample.data(), model->schema()); }};
  };
  ReportInput input{.model = model.get(), .model_name = "model", .data = rows(data)};
  if (training != nullptr) { input.training = rows(*training); }
  return make_report(input).notes;
}

bool any_begins(const std::vector<std::string>& sentences, std::string_view with) {
  return std::ranges::any_of(
      sentences, [&](const std::string& sentence) { return sentence.starts_with(with); });
}

/// Classes that one column tells apart for sure.
test::Sample apart(std::size_t rows, double shift) {
  test::Sample sample{.columns = 1, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < rows; ++r) {
    sample.labels.push_back(static_cast<std::int64_t>(r % 2));
    sample.values.push_back(static_cast<double>(r % 2) * shift + 0.1 * static_cast<double>(r % 7));
  }
  return sample;
}

}  // namespace

TEST_CASE("rows of the training are called so, whoever holds them") {
  const test::Sample sample = apart(100, 3.0);
  const test::Sample copy = sample;
  const test::Sample part = sample.part(0, 80);
  constexpr std::string_view kSame = "These are the rows that the model was trained on";
  CHECK(any_begins(warnings_of(sample, sample, &copy), kSame));
  CHECK_FALSE(any_begins(warnings_of(sample, part, &sample), kSame));
  CHECK_FALSE(any_begins(warnings_of(sample, sample), kSame));
}

TEST_CASE("classes of few rows, and those that nothing is decided for, are named") {
  const test::Sample sample = apart(100, 3.0);
  CHECK_FALSE(any_begins(warnings_of(sample, sample), "Fewer than 30 rows"));
  CHECK(
      any_begins(warnings_of(sample, sample.part(0, 58)), "Fewer than 30 rows are of class 'c0'"));
  CHECK_FALSE(any_begins(warnings_of(sample, sample), "No row is decided"));
  test::Sample moved = apart(100, 0.0);  // all look like the first class
  CHECK(any_begins(warnings_of(sample, moved), "No row is decided for class 'c1'"));
}

TEST_CASE("an accuracy that a guess would have is called one") {
  const test::Sample sample = apart(100, 3.0);
  CHECK_FALSE(any_begins(warnings_of(sample, sample), "Deciding always for"));
  CHECK(any_begins(warnings_of(sample, apart(100, 0.0)),
                   "Deciding always for 'c0' would be right in 50.0 % of these rows"));
  test::Sample heavy = apart(100, 0.0);
  heavy.weights.assign(100, 2.0);
  CHECK(any_begins(warnings_of(sample, heavy),
                   "Deciding always for 'c0' would be right in 50.0 % of the weight of these"));
}

}  // namespace logodds::report
