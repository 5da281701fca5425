#include <doctest/doctest.h>

#include <random>

#include "logodds/models/coefficients.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// The sentence of a training without decay, or empty when there is a model.
std::string sentence(const std::string& text) {
  const auto source = open_csv_bytes(text, "table", {.target = "class"});
  try {
    static_cast<void>(train(*source, "softmax", {{"decay", "0"}}));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::numeric);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Three classes along a line; rows of class c lie around 4 c, and `wide` makes them overlap.
std::string three_classes(double wide, double offset) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-wide, wide);
  std::string text = "class,u,x\n";
  for (int r = 0; r < 240; ++r) {
    const int c = r % 3;
    text += std::string(1, static_cast<char>('a' + c)) + "," + format_number(uniform(random)) +
            "," + format_number(offset + 4.0 * c + uniform(random)) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("separation: complete, of two classes and of three") {
  const auto two = sentence("class,x,y\na,1,3\na,2,1\na,3,2\nb,5,2\nb,6,1\nb,7,3\n");
  CHECK(has(two, "x"));
  CHECK(has(two, "--decay 0.01"));
  CHECK(has(two, "'a'"));
  CHECK(has(sentence(three_classes(1.5, 0.0)), "separable"));
  CHECK(has(sentence(three_classes(1.5, 1e4)), "separable"));
}

TEST_CASE("separation: only one class can be told from the others") {
  // b and c overlap, a lies apart.
  std::string text = "class,x\n";
  for (int i = 0; i < 10; ++i) {
    const std::string at = std::to_string(i);
    text += "a," + std::to_string(i - 30) + "\nb," + at + "\nc," + at + ".5\n";
  }
  const auto found = sentence(text);
  CHECK(has(found, "'a'"));
  CHECK(has(found, "x"));
}

TEST_CASE("separation: an indicator that only one class has") {
  std::string text = "class,flag,x\n";
  for (int i = 0; i < 60; ++i) {
    text += std::string(i % 2 == 0 ? "a" : "b") + "," + (i % 4 == 1 ? "1" : "0") + "," +
            std::to_string((i * 7) % 13) + "\n";
  }
  const auto found = sentence(text);
  CHECK(has(found, "along 1 'flag' (in"));
  CHECK(has(found, "every row of 'b'"));
}

TEST_CASE("separation: classes that overlap by little are none") {
  CHECK(sentence(three_classes(2.2, 0.0)).empty());
  CHECK(sentence(three_classes(2.2, 1e4)).empty());
  std::string text = "class,x\n";
  for (int i = 0; i < 400; ++i) {
    const bool high = i >= 200;
    const bool odd = i == 199 || i == 200;  // these two change places
    text += std::string(high == odd ? "a," : "b,") + std::to_string(i) + "\n";
  }
  CHECK(sentence(text).empty());
}

TEST_CASE("separation: a penalty bounds the coefficients") {
  for (const std::string decay : {"0.01", "1e-09"}) {
    const auto source =
        open_csv_bytes("class,x\na,1\na,2\nb,4\nb,5\n", "table", {.target = "class"});
    const auto fit = train(*source, "softmax", {{"decay", decay}});
    const auto rows = fit.model->coefficients()->coefficient_table(0.95).rows;
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].estimate > 1.0);
    CHECK(rows[1].estimate < 30.0);
  }
}
