#include "logodds/registry/options.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"

using logodds::did_you_mean;
using logodds::Error;
using logodds::ErrorCode;
using logodds::nearest_name;
using logodds::Options;
using logodds::OptionSpec;
using logodds::OptionType;

namespace {

std::vector<OptionSpec> specs() {
  return {
      {.name = "covariance",
       .type = OptionType::choice,
       .default_value = "shared",
       .help = "which covariance",
       .choices = {"shared", "own", "diagonal"}},
      {.name = "ridge",
       .type = OptionType::real,
       .default_value = "0.0",
       .help = "added to the diagonal",
       .minimum = 0.0},
      {.name = "share",
       .type = OptionType::real,
       .default_value = "0.5",
       .help = "a share",
       .minimum = 0.0,
       .maximum = 1.0},
      {.name = "k",
       .type = OptionType::integer,
       .default_value = "5",
       .help = "neighbors",
       .minimum = 1.0},
      {.name = "shift", .type = OptionType::integer, .default_value = "-3", .help = "a shift"},
      {.name = "standardize", .type = OptionType::flag, .default_value = "no", .help = "scale"},
  };
}

std::string sentence(const std::string& name, const std::string& value) {
  try {
    const Options options(specs(), {{name, value}});
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("options: defaults fill what is not given, in canonical form") {
  const Options options(specs(), {});
  CHECK(options.choice("covariance") == "shared");
  CHECK(options.real("ridge") == 0.0);
  CHECK(options.values().find("ridge")->second == "0");
  CHECK(options.integer("k") == 5);
  CHECK(options.integer("shift") == -3);
  CHECK_FALSE(options.flag("standardize"));
  CHECK(options.values().size() == 6);
}

TEST_CASE("options: equal values are equal text, however they were typed") {
  const Options a(specs(), {{"ridge", "1e-3"}, {"k", "12.0"}, {"standardize", "1"}});
  const Options b(specs(), {{"ridge", "+0.00100"}, {"k", "+12"}, {"standardize", "yes"}});
  CHECK(a.values() == b.values());
  CHECK(a.real("ridge") == 1e-3);
  CHECK(a.integer("k") == 12);
  CHECK(a.flag("standardize"));
  CHECK(Options(specs(), {{"ridge", "-0"}}).values() == Options(specs(), {}).values());
}

TEST_CASE("options: integers reach both ends of 64 bits and no further") {
  const auto shift = [](const std::string& text) {
    return Options(specs(), {{"shift", text}}).integer("shift");
  };
  CHECK(shift("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(shift("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(shift("1e3") == 1000);
  for (const auto* text :
       {"2.5", "", " 3", "3 ", "0x10", "nan", "three", "99999999999999999999x"}) {
    CAPTURE(text);
    CHECK(sentence("shift", text) ==
          "option --shift: '" + std::string(text) + "' is not a whole number; give a whole number");
  }
  for (const auto* text :
       {"9223372036854775808", "-9223372036854775809", "1e19", "1e400", "-inf"}) {
    CAPTURE(text);
    CHECK(sentence("shift", text) ==
          "option --shift: '" + std::string(text) +
              "' is out of range; give a whole number from -9223372036854775808 to "
              "9223372036854775807, in digits");
  }
  CHECK(sentence("k", "99999999999999999999") ==
        "option --k: '99999999999999999999' is out of range; give a whole number from 1 to "
        "9223372036854775807, in digits");
}

TEST_CASE("options: a value that does not fit says what would") {
  CHECK(sentence("ridge", "abc") ==
        "option --ridge: 'abc' is not a number; give a number of at least 0");
  CHECK(sentence("ridge", "-1e-300") ==
        "option --ridge: '-1e-300' is out of range; give a number of at least 0");
  CHECK(sentence("share", "1.5") ==
        "option --share: '1.5' is out of range; give a number from 0 to 1");
  CHECK(sentence("share", "1") == "accepted");
  CHECK(sentence("k", "0") == "option --k: '0' is out of range; give a whole number of at least 1");
  CHECK(sentence("standardize", "maybe") ==
        "option --standardize: 'maybe' is neither true nor false; give true or "
        "false");
  CHECK(sentence("covariance", "onw") ==
        "option --covariance: 'onw' is not one of shared, own, diagonal; did "
        "you mean 'own'?");
  CHECK(sentence("covariance", "round") ==
        "option --covariance: 'round' is not one of shared, own, diagonal");
  for (const auto* text : {"nan", "NaN", "", "1,5", "1 2"}) {
    CAPTURE(text);
    CHECK(sentence("ridge", text).find("is not a number") != std::string::npos);
  }
  for (const auto* text : {"inf", "-inf", "+inf", "infinity", "1e400", "-1e999"}) {
    CAPTURE(text);
    CHECK(sentence("ridge", text).find("' is not finite; give a number") != std::string::npos);
  }
}

TEST_CASE("options: a text is what its own rule makes of it") {
  const OptionSpec pair{.name = "pair",
                        .type = OptionType::text,
                        .default_value = "none",
                        .help = "two numbers",
                        .form = "none|A,B",
                        .canonical = [](const std::string& value) -> std::string {
                          if (value == "none") { return value; }
                          if (value != "1.0,2") { throw std::invalid_argument("is no pair"); }
                          return "1,2";
                        }};
  const OptionSpec any{
      .name = "any", .type = OptionType::text, .default_value = "", .help = "any text"};
  const Options options({pair, any}, {{"pair", "1.0,2"}, {"any", " a,=b "}});
  CHECK(options.text("pair") == "1,2");
  CHECK(options.text("any") == " a,=b ");
  CHECK(Options({pair, any}, {}).text("pair") == "none");
  CHECK(options.has("pair"));
  CHECK_FALSE(options.has("ridge"));
  CHECK_THROWS_WITH_AS(Options({pair}, {{"pair", "x"}}), "option --pair: 'x' is no pair", Error);
  CHECK(logodds::to_string(OptionType::text) == "text");
}

TEST_CASE("options: the default of every text option is one that it takes, in shortest form") {
  for (const auto& family : logodds::families()) {
    for (const auto& spec : family.options) {
      CAPTURE(spec.name);
      const Options options({spec}, {});
      CHECK(options.text(spec.name) == spec.default_value);
      if (spec.type != OptionType::text) { continue; }
      CHECK_FALSE(spec.form.empty());
      CHECK(Options({spec}, {{spec.name, options.text(spec.name)}}).values() == options.values());
    }
  }
}

TEST_CASE("options: a value put in the place of another") {
  Options options(specs(), {{"ridge", "0.5"}});
  options.replace("ridge", "0.25");
  CHECK(options.real("ridge") == 0.25);
}

TEST_CASE("options: an unknown name suggests the nearest, or lists them all") {
  CHECK(sentence("covarience", "own") ==
        "there is no option --covarience; did you mean --covariance?");
  CHECK(sentence("zzz", "1") ==
        "there is no option --zzz; the options are "
        "--covariance, --ridge, --share, --k, --shift, "
        "--standardize");
  CHECK_THROWS_WITH_AS(Options({}, {{"k", "1"}}),
                       "there is no option --k; this model takes no options", Error);
  CHECK_THROWS_AS(static_cast<void>(Options(specs(), {}).real("none")), Error);
}

TEST_CASE(
    "nearest name: one slip in short names, a third of the letters in "
    "long ones") {
  const std::vector<std::string> names{"gaussian", "softmax", "neighbors"};
  CHECK(nearest_name("gaussain", names) == "gaussian");  // a swap counts once
  CHECK(nearest_name("Gaussian", names) == "gaussian");
  CHECK(nearest_name("gausian", names) == "gaussian");
  CHECK(nearest_name("sotfmaxx", names) == "softmax");
  CHECK(nearest_name("neighbours", names) == "neighbors");
  CHECK(nearest_name("knn", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name("x", {"k"}).empty());
  CHECK(nearest_name("ab", {"abc", "abd"}) == "abc");  // ties: the first
  CHECK(nearest_name("gaussian", {}).empty());
  CHECK(did_you_mean("softmx", names) == "; did you mean 'softmax'?");
  CHECK(did_you_mean("forest", names).empty());
}
