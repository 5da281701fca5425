// Standard errors on real data. The numbers are those of statsmodels 0.15.0 (GLM, Binomial,
// expected information, fit(tol=1e-14, tol_criterion="params")); tests/e2e/test_binary.py has the
// coefficients that belong to them. R's glm uses the same information.
#include <doctest/doctest.h>

#include <cmath>

#include "logodds/models/coefficients.hpp"
#include "support/shared_data.hpp"
#include "support/table.hpp"

using namespace logodds;

namespace {

struct Reference {
  std::string file;
  CsvOptions options;
  std::string link;
  std::vector<double> errors;  ///< the intercept's first
};

std::vector<Reference> references() {
  const CsvOptions spector{.target = "GRADE", .ignore = {"OBS"}};
  const CsvOptions pima{.target = "type"};
  const std::string spector_file = "logit_oracles/spector.csv";
  const std::string pima_file = "mass_pima/Pima.tr.csv";
  return {
      {spector_file, spector, "logit", {4.9313242136, 1.26294107563, 0.141554205674, 1.0645642545}},
      {spector_file,
       spector,
       "probit",
       {2.57155821884, 0.689731394709, 0.0811948458523, 0.586958871902}},
      {spector_file,
       spector,
       "cloglog",
       {3.43604439131, 0.917671329989, 0.0969710651117, 0.726155471011}},
      {pima_file,
       pima,
       "logit",
       {1.77038673787, 0.0646941664692, 0.00678730171846, 0.0185407456267, 0.0224995466574,
        0.0428268990784, 0.665514005465, 0.0220909825325}},
      {pima_file,
       pima,
       "probit",
       {0.98586747818, 0.0379115465296, 0.00385080406713, 0.0106866054671, 0.012959127008,
        0.0248053369407, 0.379859295334, 0.0129112016677}},
      {pima_file,
       pima,
       "cloglog",
       {1.28363416669, 0.042963356918, 0.00462273389972, 0.0129936980783, 0.0162524172626,
        0.0312993956767, 0.49023363887, 0.0148555424428}},
  };
}

}  // namespace

TEST_CASE("binary: standard errors, z and p are those of statsmodels, also from a loaded model") {
  for (const auto& reference : references()) {
    const auto path = test::shared_data(reference.file);
    if (!path) { continue; }
    CAPTURE(reference.file);
    CAPTURE(reference.link);
    const auto source = open_csv(*path, reference.options);
    const auto model = train(*source, "binary", {{"link", reference.link}, {"decay", "0"}}).model;
    const auto loaded = modelfile::from_bytes(modelfile::to_bytes(*model), "memory");
    const auto table = loaded->coefficients()->coefficient_table(0.9);
    REQUIRE(table.rows.size() == reference.errors.size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Coefficient& row = table.rows[i];
      CHECK(row.standard_error == doctest::Approx(reference.errors[i]).epsilon(1e-8));
      CHECK(row.z == row.estimate / row.standard_error);
      CHECK(row.p_value == std::erfc(std::abs(row.z) / std::sqrt(2.0)));
      CHECK(std::isnan(row.odds_ratio) == (reference.link != "logit"));
      if (i > 0 && reference.link == "logit") {
        CHECK(std::log(row.upper) ==
              doctest::Approx(row.estimate + 1.6448536269514722 * row.standard_error));
        CHECK(row.lower * row.upper == doctest::Approx(row.odds_ratio * row.odds_ratio));
      }
    }
  }
}
