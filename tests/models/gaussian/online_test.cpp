// update, merge and forget: the model of the resulting rows.
#include <doctest/doctest.h>

#include <limits>

#include "support/sample.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

const std::vector<OptionMap>& variants() {
  static const std::vector<OptionMap> all{
      {{"covariance", "shared"}},
      {{"covariance", "own"}},
      {{"covariance", "groups"}, {"groups", "c0+c2"}},
      {{"covariance", "diagonal"}},
      {{"covariance", "spherical"}},
      {{"blend", "0.3,0.1"}},
      {{"covariance", "own"}, {"ridge", "0.1"}, {"priors", "smoothed:2"}},
      {{"shrinkage", "oas"}},
      {{"components", "2"}, {"covariance", "own"}}};
  return all;
}

Fit forgotten(const Classifier& model, const Sample& rows) {
  return forget(model, *open_matrix(rows.data()));
}

std::string forget_refusal(const Classifier& model, const Sample& rows) {
  try {
    static_cast<void>(forgotten(model, rows));
  } catch (const Error& error) { return error.what(); }
  return "accepted";
}

Fit forgotten(const Classifier& model, const Table& rows) {
  const std::string csv = rows.csv();
  return forget(model, *open_csv_bytes(csv, "rows", {.target = "class"}));
}

/// Counts exactly; means, covariances and posteriors within 1e-10.
void check_equal(const Classifier& actual, const Classifier& expected, const Sample& rows) {
  CHECK(actual.schema() == expected.schema());
  CHECK(array_of(actual, "weights") == array_of(expected, "weights"));
  CHECK(largest_error(array_of(actual, "means"), array_of(expected, "means")) < 1e-10);
  CHECK(largest_error(array_of(actual, "covariances"), array_of(expected, "covariances")) < 1e-10);
  CHECK(largest_error(posteriors_of(actual, rows), posteriors_of(expected, rows)) < 1e-10);
}

}  // namespace

TEST_CASE("online: update, merge and forget equal training, weights and gaps or not") {
  const Sample plain = made_sample(2500, 3, 3, 171);
  for (const Sample& all : {plain, weighted(plain, 172)}) {
    const Sample first = all.part(0, 1200);
    const Sample second = all.part(1200, 2500);
    for (const auto& options : variants()) {
      const auto whole = fit(all, options).model;
      const auto one = fit(first, options).model;
      const auto two = fit(second, options).model;
      check_equal(*update(*one, *open_matrix(second.data())).model, *whole, all);
      const std::vector<const Classifier*> parts{one.get(), two.get()};
      check_equal(*merge(parts).model, *whole, all);
      check_equal(*forgotten(*whole, second).model, *one, all);
      check_equal(*forgotten(*whole, all.part(0, 2400)).model,
                  *fit(all.part(2400, 2500), options).model, all);
    }
  }
}

TEST_CASE("online: rows that lack values are updated and forgotten in their patterns") {
  Sample all = with_gaps(made_sample(600, 3, 2, 173), 0.2, 174);
  for (const std::size_t r : {std::size_t{5}, std::size_t{305}, std::size_t{306}}) {  // of nothing
    std::fill_n(all.values.begin() + static_cast<std::ptrdiff_t>(3 * r), 3,
                std::numeric_limits<double>::quiet_NaN());
  }
  const Sample first = all.part(0, 300);
  const Sample second = all.part(300, 600);
  for (const std::string covariance : {"shared", "own", "diagonal"}) {
    const OptionMap options{{"covariance", covariance}};
    const auto whole = fit(all, options).model;
    const auto one = fit(first, options).model;
    const auto joined = update(*one, *open_matrix(second.data())).model;
    CHECK(largest_error(posteriors_of(*joined, all), posteriors_of(*whole, all)) < 1e-8);
    const auto left = forgotten(*whole, second).model;
    CHECK(largest_error(posteriors_of(*left, all), posteriors_of(*one, all)) < 1e-8);
  }
}

TEST_CASE("online: one row that lacks a value can be added and forgotten") {
  Sample all = made_sample(80, 3, 2, 183);
  for (std::size_t r = 40; r < 80; ++r) {
    all.values[3 * r + r % 3] = std::numeric_limits<double>::quiet_NaN();
  }
  for (const std::string covariance : {"own", "diagonal"}) {
    const OptionMap options{{"covariance", covariance}};
    const auto whole = fit(all, options).model;
    const auto few = fit(all.part(0, 79), options).model;
    std::unique_ptr<Classifier> more;
    std::unique_ptr<Classifier> less;
    CHECK_NOTHROW(more = update(*few, *open_matrix(all.part(79, 80).data())).model);
    CHECK_NOTHROW(less = forgotten(*whole, all.part(79, 80)).model);
    if (!more || !less) { continue; }
    CHECK(largest_error(posteriors_of(*more, all), posteriors_of(*whole, all)) < 1e-8);
    CHECK(largest_error(posteriors_of(*less, all), posteriors_of(*few, all)) < 1e-8);
  }
}

TEST_CASE("online: a model read from a file forgets as well as one in memory") {
  const Sample all = made_sample(300, 3, 2, 175);
  const auto model = fit(all, {{"covariance", "own"}}).model;
  const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*model), "memory");
  const Sample gone = all.part(0, 100);
  CHECK(modelfile::to_bytes(*forgotten(*loaded, gone).model) ==
        modelfile::to_bytes(*forgotten(*model, gone).model));
}

TEST_CASE("online: classes join and go") {
  const Sample all = made_sample(400, 2, 3, 176);
  Sample others = all.part(0, 0);
  Sample third = others;
  for (std::size_t r = 0; r < all.rows(); ++r) {
    (all.labels[r] == 2 ? third : others).append(all, r);
  }
  for (const std::string shrinkage : {"none", "ledoit-wolf"}) {
    const OptionMap options{{"covariance", "own"}, {"shrinkage", shrinkage}};
    const auto whole = fit(all, options).model;
    const auto few = fit(others, options).model;
    CHECK(few->labels().size() == 2);
    check_equal(*update(*few, *open_matrix(third.data())).model, *whole, all);
    const auto left = forgotten(*whole, third).model;
    CHECK(left->labels() == std::vector<std::string>{"c0", "c1"});
    check_equal(*left, *few, all);
  }
}

TEST_CASE("online: levels join and go, and the schema is that of training") {
  const Table all = made_table(500, 2, 177);
  Table green{all.names, {}};
  Table rest = green;
  for (const auto& row : all.rows) {
    (row[all.column("color")] == "green" ? green : rest).rows.push_back(row);
  }
  for (const std::string covariance : {"shared", "own", "diagonal"}) {
    const OptionMap options{{"covariance", covariance}, {"ridge", "0.01"}};
    const auto whole = train_table(all, "gaussian", options).model;
    const auto few = train_table(rest, "gaussian", options).model;
    const auto left = forgotten(*whole, green).model;
    CHECK(left->schema().columns[5].levels == std::vector<std::string>{"blue", "red"});
    CHECK(left->schema() == few->schema());
    CHECK(largest_difference(posteriors_of(*left, rest), posteriors_of(*few, rest)) < 1e-10);
    const std::string csv = green.csv();
    const auto joined = update(*few, *open_csv_bytes(csv, "green", {.target = "class"})).model;
    CHECK(joined->schema() == whole->schema());
    CHECK(largest_difference(posteriors_of(*joined, all), posteriors_of(*whole, all)) < 1e-10);
  }
}

TEST_CASE("online: rows that cannot have been there are refused, with the reason") {
  const Sample all = made_sample(100, 2, 2, 178);
  const auto model = fit(all, {{"covariance", "own"}}).model;
  Sample stray = all.part(0, 1);
  stray.values[0] = 1e3;
  CHECK(contains(forget_refusal(*model, stray), "the spread of column 'x1'"));
  Sample twice = all;
  for (std::size_t r = 0; r < all.rows(); ++r) { twice.append(all, r); }
  CHECK(contains(forget_refusal(*model, twice), "there is only"));
  Sample unknown = all.part(0, 1);
  unknown.classes = 3;
  unknown.labels = {2};
  CHECK(contains(forget_refusal(*model, unknown), "the model has no row with class 'c2'"));
  const Sample wide = made_sample(10, 3, 2, 179);
  CHECK(contains(forget_refusal(*model, wide), "models with 2 and 3 columns cannot be joined"));
  CHECK(contains(forget_refusal(*model, all), "nothing is left"));
  Sample gap = all.part(0, 2);
  gap.values[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(forget_refusal(*model, gap), "lacks the same values"));
  Table table = made_table(100, 2, 180);
  const auto coded = train_table(table, "gaussian", {}).model;
  Table level{table.names, {table.rows[0]}};
  level.rows[0][table.column("color")] = "pink";
  CHECK_THROWS_WITH_AS(static_cast<void>(forgotten(*coded, level)), doctest::Contains("'pink'"),
                       Error);
}

TEST_CASE("online: models of other columns, kinds or statistics do not join") {
  const Sample two = made_sample(50, 2, 2, 181);
  const auto one = fit(two).model;
  CHECK_THROWS_AS(static_cast<void>(update(*one, *open_matrix(made_sample(50, 3, 2, 182).data()))),
                  Error);
  MatrixData renamed = two.data();
  renamed.names = {"x1", "height"};
  const auto other = train(*open_matrix(renamed), "gaussian").model;
  const std::vector<const Classifier*> parts{one.get(), other.get()};
  CHECK_THROWS_WITH_AS(static_cast<void>(merge(parts)), doctest::Contains("'height'"), Error);
  const auto neighbors = train(*open_matrix(two.data()), "neighbors").model;
  const std::vector<const Classifier*> mixed{one.get(), neighbors.get()};
  CHECK_THROWS_WITH_AS(static_cast<void>(merge(mixed)), doctest::Contains("family neighbors"),
                       Error);
  CHECK_THROWS_AS(static_cast<void>(with_options(*one, {{"covariance", "diagonal"}})), Error);
  CHECK_NOTHROW(static_cast<void>(with_options(*one, {{"covariance", "own"}})));
  CHECK_THROWS_AS(static_cast<void>(with_options(*one, {{"shrinkage", "ledoit-wolf"}})), Error);
}
