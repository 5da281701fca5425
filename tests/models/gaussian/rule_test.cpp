#include "models/gaussian/rule.hpp"

#include <doctest/doctest.h>

#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"
#include "models/lists.hpp"
#include "support/sample.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using logodds::test::contains;
using logodds::test::OptionMap;

namespace {

CovarianceRule rule(const OptionMap& options) {
  return CovarianceRule(Options(find_family("gaussian").options, options));
}

std::vector<std::size_t> groups(const std::string& text, const std::vector<std::string>& labels) {
  return class_groups(rule({{"covariance", "groups"}, {"groups", text}}), labels);
}

std::string refused(const OptionMap& options, const std::vector<std::string>& labels = {"a", "b"}) {
  try {
    static_cast<void>(class_groups(rule(options), labels));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    return error.what();
  }
  return "accepted";
}

using Groups = std::vector<std::size_t>;
using models::split;
using models::unescaped;

}  // namespace

TEST_CASE("groups: named together they share, unnamed classes stand alone") {
  const std::vector<std::string> labels{"a", "b", "c", "d"};
  CHECK(groups("a+c,b+d", labels) == Groups{0, 1, 0, 1});
  CHECK(groups("b+c", labels) == Groups{1, 0, 0, 2});
  CHECK(groups("d", labels) == Groups{1, 2, 3, 0});
  CHECK(groups("d+c+b+a", labels) == Groups{0, 0, 0, 0});
  CHECK(groups("x\\+y,1\\,5+z", {"1,5", "x+y", "z"}) == Groups{1, 0, 1});
  CHECK(class_groups(rule({}), labels) == Groups{0, 0, 0, 0});
  CHECK(class_groups(rule({{"covariance", "own"}}), labels) == Groups{0, 1, 2, 3});
}

TEST_CASE("groups: what does not fit, with the cure") {
  const OptionMap unknown{{"covariance", "groups"}, {"groups", "a+x"}};
  CHECK(contains(refused(unknown), "--groups: there is no class 'x'; the classes are 'a', 'b'"));
  const OptionMap slip{{"covariance", "groups"}, {"groups", "setosa+virginca"}};
  CHECK(contains(refused(slip, {"setosa", "virginica"}), "did you mean 'virginica'?"));
  CHECK(contains(refused({{"covariance", "groups"}, {"groups", "a+b,a"}}), "class 'a' twice"));
  CHECK(contains(refused({{"covariance", "groups"}}), "--covariance groups needs the groups"));
  CHECK(contains(refused({{"groups", "a+b"}}), "--groups needs --covariance groups"));
  CHECK(contains(refused({{"covariance", "groups"}, {"groups", "a+"}}), "no class ''"));
  std::vector<std::string> many;
  for (int k = 0; k < 30; ++k) { many.push_back("class" + std::to_string(k)); }
  CHECK(contains(refused({{"covariance", "groups"}, {"groups", "zzz"}}, many), "'class11', ..."));
}

TEST_CASE("lists: a backslash takes the next character as it is") {
  CHECK(split("a,b", ',') == std::vector<std::string>{"a", "b"});
  CHECK(split("a\\,b,c", ',') == std::vector<std::string>{"a\\,b", "c"});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(split("a\\\\,b", ',') == std::vector<std::string>{"a\\\\", "b"});
  CHECK(unescaped("a\\,b\\\\c") == "a,b\\c");
  CHECK(unescaped("end\\") == "end\\");
}

TEST_CASE("rule: coded columns lose an indicator only where it would be collinear") {
  CHECK(rule({}).one_hot() == OneHot::reference);
  CHECK(rule({{"covariance", "own"}}).one_hot() == OneHot::reference);
  CHECK(rule({{"covariance", "diagonal"}}).one_hot() == OneHot::full);
  CHECK(rule({{"ridge", "0.1"}}).one_hot() == OneHot::full);
  CHECK(rule({{"blend", "0.5,0"}}).one_hot() == OneHot::reference);
  CHECK(rule({{"blend", "0.5,0.1"}}).one_hot() == OneHot::full);
  CHECK(rule({{"shrinkage", "oas"}}).one_hot() == OneHot::full);
  CHECK(rule({{"wishart", "1"}}).one_hot() == OneHot::full);
}

TEST_CASE("rule: the syntax of blends, shrinkages and matrices, in their shortest form") {
  CHECK(canonical_blend("0.50,1e-1") == "0.5,0.1");
  CHECK(canonical_blend("auto") == "auto");
  CHECK(canonical_blend("0.5") == "0.5,0");
  for (const auto* text : {"0.5,", "0.5,0.1,0", "1.1,0", "0,-0.1", "a,b", "", "nan,0"}) {
    CHECK_THROWS_AS(static_cast<void>(canonical_blend(text)), std::invalid_argument);
  }
  CHECK(canonical_shrinkage("0.10") == "0.1");
  CHECK(canonical_shrinkage("ledoit-wolf") == "ledoit-wolf");
  for (const auto* text : {"1.5", "-0.1", "lw", "", "nan"}) {
    CHECK_THROWS_AS(static_cast<void>(canonical_shrinkage(text)), std::invalid_argument);
  }
  CHECK(canonical_matrix("1.0, 2\r\n2,\t5\n") == "1,2;2,5");
  CHECK(canonical_matrix("identity") == "identity");
  for (const auto* text : {"1,2", "1,2;3", "1,x;2,4", "1,2;2,inf", ""}) {
    CHECK_THROWS_AS(static_cast<void>(canonical_matrix(text)), std::invalid_argument);
  }
}

TEST_CASE("rule: a scale matrix that no covariance can be is refused") {
  const auto sample = logodds::test::made_sample(30, 2, 2, 144);
  for (const std::string matrix : {"1,0.5;0.4,1", "1,2;2,1", "-1,0;0,1"}) {
    CAPTURE(matrix);
    CHECK(contains(logodds::test::refusal(sample, {{"wishart", "50"}, {"wishart-scale", matrix}}),
                   "--wishart-scale"));
  }
}
