// Principal and canonical axes: against a singular value decomposition, and as models.
#include "logodds/models/axes.hpp"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "logodds/models/geometry.hpp"
#include "support/sample.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

DescriptiveFit described(const Sample& sample, const std::string& kind,
                         const test::OptionMap& options = {}, int threads = 2) {
  const auto source = open_matrix(sample.data());
  return describe(*source, kind, options, {.threads = threads});
}

std::string refused(const Sample& sample, const std::string& kind,
                    const test::OptionMap& options = {}) {
  try {
    static_cast<void>(described(sample, kind, options));
  } catch (const Error& error) { return error.what(); }
  return "";
}

RowMajor matrix_of(const Sample& sample) {
  return Eigen::Map<const RowMajor>(sample.values.data(), static_cast<Eigen::Index>(sample.rows()),
                                    static_cast<Eigen::Index>(sample.columns));
}

RowMajor centred(const Sample& sample) {
  const RowMajor x = matrix_of(sample);
  return x.rowwise() - x.colwise().mean();
}

std::vector<double> projected(const DescriptiveModel& model, const Sample& sample,
                              std::size_t count) {
  std::vector<double> all;
  MatrixData data = sample.data();
  data.labels = nullptr;
  const auto source = open_matrix(data, model.schema());
  project(*model.axes(), *source, count, [&](const RowBlock&, std::span<const double> values) {
    all.insert(all.end(), values.begin(), values.end());
  });
  return all;
}

std::vector<double> rebuilt(const DescriptiveModel& model, const Sample& sample,
                            std::size_t count) {
  std::vector<double> all;
  MatrixData data = sample.data();
  data.labels = nullptr;
  const auto source = open_matrix(data, model.schema());
  reconstruct(*model.axes(), *source, count, [&](const RowBlock&, std::span<const double> values) {
    all.insert(all.end(), values.begin(), values.end());
  });
  return all;
}

std::string fact(const DescriptiveModel& model, const std::string& name) {
  for (const auto& [key, value] : model.describe().facts) {
    if (key == name) { return std::get<std::string>(value); }
  }
  return "";
}

/// Same axes, to rounding.
void check_same(const DescriptiveModel& found, const DescriptiveModel& expected) {
  const AxisSystem& a = found.axes()->system();
  const AxisSystem& b = expected.axes()->system();
  CHECK(largest_error(a.values, b.values) < 1e-11);
  CHECK(largest_error(a.center, b.center) < 1e-12);
  CHECK(largest_error(a.loadings, b.loadings) < 1e-8);
  CHECK(a.weight == doctest::Approx(b.weight));
}

/// PCA of the rows by a singular value decomposition: variances to 1e-10 of the largest, axes,
/// coordinates.
void check_against_svd(const Sample& sample, const DescriptiveModel& model) {
  const RowMajor rows = centred(sample);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const AxisSystem& system = model.axes()->system();
  const std::size_t count = system.values.size();
  const double divisor = static_cast<double>(sample.rows()) - 1.0;
  const double largest = svd.singularValues()(0) * svd.singularValues()(0) / divisor;
  for (std::size_t m = 0; m < count; ++m) {
    const double singular = svd.singularValues()(static_cast<Eigen::Index>(m));
    CHECK(std::abs(system.values[m] - singular * singular / divisor) <= 1e-13 * largest);
  }
  const auto coordinates = projected(model, sample, count);
  const Eigen::Map<const RowMajor> z(coordinates.data(), rows.rows(),
                                     static_cast<Eigen::Index>(count));
  const Eigen::MatrixXd expected = rows * svd.matrixV();
  for (Eigen::Index m = 0; m < z.cols(); ++m) {
    const double sign = z.col(m).dot(expected.col(m)) < 0.0 ? -1.0 : 1.0;
    CHECK((z.col(m) - sign * expected.col(m)).cwiseAbs().maxCoeff() < 1e-9 * std::sqrt(largest));
  }
}

}  // namespace

TEST_CASE("pca: as a singular value decomposition of the rows, tall and wide") {
  const Sample tall = made_sample(400, 6, 2, 1);
  const auto from_moments = described(tall, "pca");
  CHECK(fact(*from_moments.model, "computed from").starts_with("the scatter matrix"));
  check_against_svd(tall, *from_moments.model);
  const Sample wide = made_sample(15, 40, 2, 2);
  const auto from_rows = described(wide, "pca");
  CHECK(fact(*from_rows.model, "computed from").starts_with("the Gram matrix"));
  CHECK(from_rows.model->axes()->axis_count() == 14);
  check_against_svd(wide, *from_rows.model);
  CHECK(described(wide, "pca", {{"components", "all"}}).model->axes()->axis_count() == 15);
}

TEST_CASE("pca: the largest loading of every axis is positive") {
  for (const auto& sample : {made_sample(100, 7, 2, 3), made_sample(5, 7, 2, 3)}) {
    const auto fit = described(sample, "pca");
    const AxisSystem& system = fit.model->axes()->system();
    for (std::size_t m = 0; m < system.values.size(); ++m) {
      const auto begin = system.loadings.begin() + static_cast<std::ptrdiff_t>(7 * m);
      const auto [low, high] = std::minmax_element(begin, begin + 7);
      CHECK(*high >= -*low);
    }
  }
}

TEST_CASE("pca: rows far from 0, and in tiny units, lose nothing") {
  const Sample plain = made_sample(200, 4, 2, 4);
  const auto expected = described(plain, "pca");
  Sample shifted = plain;
  Sample scaled = plain;
  for (double& value : shifted.values) { value += 1e6; }
  for (double& value : scaled.values) { value *= 0x1p-40; }
  const auto far = described(shifted, "pca");
  const auto tiny = described(scaled, "pca");
  for (std::size_t m = 0; m < 4; ++m) {
    const double value = expected.model->axes()->system().values[m];
    CHECK(far.model->axes()->system().values[m] == doctest::Approx(value).epsilon(1e-8));
    CHECK(tiny.model->axes()->system().values[m] == value * 0x1p-80);
  }
}

TEST_CASE("pca: rebuilt rows are as far off as is said, and all axes rebuild them") {
  for (const auto& sample : {made_sample(120, 5, 2, 5), made_sample(6, 9, 2, 5)}) {
    for (const test::OptionMap& options :
         {test::OptionMap{}, test::OptionMap{{"whiten", "true"}}}) {
      const auto fit = described(sample, "pca", options);
      const FittedAxes& axes = *fit.model->axes();
      for (std::size_t m = 1; m <= axes.axis_count(); ++m) {
        const auto values = rebuilt(*fit.model, sample, m);
        double square = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          square += (values[i] - sample.values[i]) * (values[i] - sample.values[i]);
        }
        const double error = std::sqrt(square / static_cast<double>(sample.rows()));
        CHECK(error == doctest::Approx(axes.system().errors[m]).epsilon(1e-9).scale(1e-5));
      }
      CHECK(axes.system().errors.back() < 1e-6);
    }
  }
}

TEST_CASE("pca: whitened coordinates have variance 1; standardized columns have no units") {
  const Sample sample = made_sample(300, 5, 2, 6);
  const auto white = described(sample, "pca", {{"whiten", "true"}});
  const auto z = projected(*white.model, sample, 5);
  const Eigen::Map<const RowMajor> coordinates(z.data(), 300, 5);
  const Eigen::MatrixXd covariance = coordinates.transpose() * coordinates / 299.0;
  CHECK((covariance - Eigen::MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff() < 1e-10);
  Sample other = sample;
  for (std::size_t i = 0; i < other.values.size(); i += 5) {
    other.values[i] = other.values[i] * 1e5 + 3.0;
  }
  const auto standard = described(sample, "pca", {{"standardize", "true"}});
  const auto units = described(other, "pca", {{"standardize", "true"}});
  CHECK(standard.model->axes()->system().total == doctest::Approx(5.0));
  CHECK(largest_error(units.model->axes()->system().values,
                      standard.model->axes()->system().values) < 1e-11);
  CHECK(largest_error(projected(*units.model, other, 3), projected(*standard.model, sample, 3)) <
        1e-9);
  CHECK(largest_error(rebuilt(*units.model, other, 5), other.values) < 1e-9);
}

TEST_CASE("pca: a weight is a multiplicity, with many rows and with few") {
  for (const std::size_t columns : {3U, 40U}) {
    Sample sample = made_sample(12, columns, 2, 7);
    Sample twice = sample;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      sample.weights.push_back(r % 3 == 0 ? 2.0 : 1.0);
      if (r % 3 == 0) { twice.append(sample, r); }
    }
    twice.weights.clear();
    check_same(*described(sample, "pca").model, *described(twice, "pca").model);
  }
}

TEST_CASE("pca: so many axes as are asked for") {
  const Sample sample = made_sample(100, 4, 2, 8);
  const auto all = described(sample, "pca");
  const AxisSystem& system = all.model->axes()->system();
  const auto two = described(sample, "pca", {{"components", "2"}});
  CHECK(two.model->axes()->axis_count() == 2);
  CHECK(two.model->axes()->system().total == system.total);
  const double share = (system.values[0] + 0.5 * system.values[1]) / system.total;
  const auto by_share = described(sample, "pca", {{"components", format_number(share)}});
  CHECK(by_share.model->axes()->axis_count() == 2);
  CHECK(contains(refused(sample, "pca", {{"components", "5"}}), "take at most 4"));
  CHECK(contains(refused(sample, "pca", {{"components", "0"}}), "neither a number of axes"));
  CHECK(contains(refused(sample, "pca", {{"components", "1.5"}}), "neither a number of axes"));
  Sample flat = sample;
  for (std::size_t i = 0; i < flat.values.size(); i += 4) { flat.values[i] = 7.0; }
  const auto fit = described(flat, "pca");
  CHECK(fit.model->axes()->axis_count() == 3);
  CHECK(contains(fit.report.notes.back(), "'x1' does not vary"));
}

TEST_CASE("pca: rows that tell nothing are refused") {
  Sample equal = made_sample(10, 3, 2, 9);
  for (std::size_t i = 0; i < equal.values.size(); ++i) { equal.values[i] = equal.values[i % 3]; }
  CHECK(contains(refused(equal, "pca"), "all rows are equal"));
  Sample few = equal.part(0, 2);
  few.columns = 2;
  few.values.resize(4, 0.1);
  std::ranges::fill(few.values, 0.1);
  CHECK(contains(refused(few, "pca"), "all rows are equal"));
  CHECK(contains(refused(made_sample(1, 3, 1, 9), "pca"), "at least two rows"));
  Sample huge = made_sample(10, 2, 2, 9);
  for (double& value : huge.values) { value *= 1e200; }
  CHECK(contains(refused(huge, "pca"), "overflows"));
}

TEST_CASE("axes: merged, updated and forgotten rows, from few to many") {
  for (const std::string kind : {"pca", "canonical"}) {
    for (const std::size_t columns : {5U, 50U}) {
      if (kind == "canonical" && columns == 50) { continue; }  // singular inside of the classes
      const Sample sample = weighted(made_sample(90, columns, 3, 10), 11);
      const auto whole = described(sample, kind);
      const auto first = described(sample.part(0, 40), kind);
      const auto second = described(sample.part(40, 90), kind);
      const DescriptiveModel* const parts[] = {first.model.get(), second.model.get()};
      const auto merged = merge(parts);
      check_same(*merged.model, *whole.model);
      const Sample rest = sample.part(40, 90);
      const auto more = open_matrix(rest.data());
      check_same(*first.model->updated(*more, MissingRows::skip, {}).model, *whole.model);
      const auto gone = open_matrix(rest.data());
      check_same(*whole.model->without(*gone, MissingRows::skip, {}).model, *first.model);
      const auto all = open_matrix(sample.data());
      CHECK_THROWS_WITH_AS(static_cast<void>(merged.model->without(*all, MissingRows::skip, {})),
                           doctest::Contains("these are all the rows of the model"), Error);
    }
  }
}

TEST_CASE("axes: the same bytes for 1, 2 and 7 threads [threads]") {
  for (const std::size_t columns : {6U, 200U}) {
    const Sample sample = weighted(made_sample(5000, columns, 3, 12), 13);
    for (const std::string kind : {"pca", "canonical"}) {
      const auto bytes = modelfile::to_bytes(*described(sample, kind, {}, 1).model);
      for (const int threads : {2, 7}) {
        CHECK(modelfile::to_bytes(*described(sample, kind, {}, threads).model) == bytes);
      }
    }
  }
}

TEST_CASE("axes: to a file and back; a classifier they are not") {
  for (const auto& [kind, columns] : {std::pair{"pca", std::size_t{4}},
                                      {"pca", std::size_t{80}},
                                      {"canonical", std::size_t{4}}}) {
    const Sample sample = made_sample(60, columns, 3, 14);
    const auto fit = described(sample, kind, {{"components", "2"}});
    const std::string bytes = modelfile::to_bytes(*fit.model);
    const auto loaded = modelfile::descriptive_from_bytes(bytes, "axes.model");
    CHECK(loaded->family() == kind);
    CHECK(modelfile::to_bytes(*loaded) == bytes);
    CHECK(projected(*loaded, sample, 2) == projected(*fit.model, sample, 2));
    CHECK(modelfile::to_bytes(*modelfile::any_from_bytes(bytes, "axes.model")) == bytes);
    CHECK_THROWS_WITH_AS(static_cast<void>(modelfile::from_bytes(bytes, "axes.model")),
                         doctest::Contains("'logodds project MODEL DATA'"), Error);
  }
  const auto classifier = modelfile::to_bytes(*fit(made_sample(60, 2, 2, 15)).model);
  CHECK_THROWS_WITH_AS(static_cast<void>(modelfile::descriptive_from_bytes(classifier, "m")),
                       doctest::Contains("'logodds predict MODEL DATA'"), Error);
}

TEST_CASE("canonical axes: those of the gaussian model, bit for bit") {
  const Sample sample = weighted(made_sample(200, 4, 3, 16), 17);
  const auto model = fit(sample);
  const auto axes = described(sample, "canonical");
  const std::size_t count = model.model->geometry()->axis_count();
  REQUIRE(axes.model->axes()->axis_count() == count);
  std::vector<std::int32_t> codes;
  const RowBlock block = sample.block(codes);
  std::vector<double> expected(sample.rows() * count);
  model.model->geometry()->project(block, count, expected);
  std::vector<double> found(expected.size());
  axes.model->axes()->project(block, count, found);
  CHECK(found == expected);
}

TEST_CASE("canonical axes: rebuilt rows have the same coordinates; with all axes so have means") {
  const Sample sample = made_sample(150, 5, 3, 18);
  const auto fit = described(sample, "canonical");
  Sample twin = sample;
  twin.values = rebuilt(*fit.model, sample, 2);
  CHECK(largest_error(projected(*fit.model, twin, 2), projected(*fit.model, sample, 2)) < 1e-9);
  CHECK(fit.model->axes()->system().errors.back() == doctest::Approx(0.0));
}

TEST_CASE("canonical axes: what they need") {
  CHECK(contains(refused(made_sample(40, 3, 1, 19), "canonical"), "give rows of two classes"));
  Sample wide = made_sample(10, 30, 2, 20);
  const std::string singular = refused(wide, "canonical");
  CHECK(contains(singular, "add --ridge 0.001"));
  CHECK_FALSE(contains(singular, "--covariance"));
  CHECK(described(wide, "canonical", {{"ridge", "0.1"}}).model->axes()->axis_count() == 1);
  CHECK(contains(refused(made_sample(40, 3, 2, 21), "canonical", {{"components", "2"}}),
                 "there is 1 canonical axis"));
}

TEST_CASE("axes: words become indicators of every level") {
  const Table table = made_table(200, 3, 22);
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "made", {.target = "class"});
  const auto fit = describe(*source, "pca");
  const auto& names = fit.model->axes()->column_names();
  CHECK(std::ranges::count_if(names, [](const std::string& name) {
          return name.find('=') != std::string::npos;
        }) == 4);  // three levels, and one of two
  CHECK(std::ranges::any_of(fit.report.notes,
                            [](const std::string& note) { return note.starts_with("one-hot: "); }));
}
