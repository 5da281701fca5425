#include <algorithm>

#include "kernels/sample.hpp"
#include "logodds/error.hpp"

using namespace logodds::kernels;

TEST_CASE("the best level is in use until another is asked for") {
  const std::vector<std::string> levels = available_levels();
  REQUIRE_FALSE(levels.empty());
  CHECK(levels.back() == "plain");
  CHECK(level() == levels.front());
  for (const std::string& name : levels) {
    set_level(name);
    CHECK(level() == name);
    CHECK(available_levels() == levels);
  }
  set_level("");
  CHECK(level() == levels.front());
}

TEST_CASE("a level really changes what runs") {
  // A fused multiply-add keeps the 2^-60 that separate rounding loses; only plain has none.
  const double tiny = std::ldexp(1.0, -30);
  const std::vector<double> row{1.0 + tiny}, center{0.0}, coefficient{1.0 - tiny}, bias{-1.0};
  const auto score = [&](const std::string& name) {
    set_level(name);
    double out = 0.0;
    affine_scores(row.data(), 1, 1, 1, center.data(), coefficient.data(), bias.data(), 1, &out);
    set_level("");
    return out;
  };
  CHECK(score("plain") == 0.0);
  const std::vector<std::string> levels = available_levels();
  if (std::find(levels.begin(), levels.end(), "avx2") != levels.end()) {
    CHECK(score("avx2") == -std::ldexp(1.0, -60));
  }
}

TEST_CASE("an unknown level is refused with the list of those there are") {
  try {
    set_level("mmx");
    FAIL("accepted");
  } catch (const logodds::Error& error) {
    CHECK(error.code() == logodds::ErrorCode::usage);
    CHECK(std::string(error.what()).find("'mmx'") != std::string::npos);
    CHECK(std::string(error.what()).find("plain") != std::string::npos);
  }
}
