#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "logodds/error.hpp"
#include "plots/arrays.hpp"
#include "plots/trace_table.hpp"

using namespace logodds;

namespace {

class Files {
 public:
  Files()
      : folder_(std::filesystem::temp_directory_path() / ("trace" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("traces are read by the names of their columns") {
  const Files files;
  const auto path = files.write(
      "newton.csv",
      "iteration,objective,gradient norm,step,seconds\n0,8,2,0,0\n1,inf,1,1,0\n2,4,0.5,1,0\n");
  const plots::TraceTable trace = plots::read_trace(path, "newton");
  CHECK(trace.step == "iteration");
  CHECK(trace.objective == "objective");
  CHECK_FALSE(trace.rises);
  CHECK(trace.steps == std::vector<double>{0, 1, 2});
  CHECK(trace.values[0] == 8.0);
  CHECK(std::isnan(trace.values[1]));
  CHECK(trace.gradient == std::vector<double>{2, 1, 0.5});
  const auto em = plots::read_trace(
      files.write("em.csv", "iteration,log-likelihood,gain\n0,-9,0\n1,-5,4\n"), "em");
  CHECK(em.rises);
  CHECK(em.gradient.empty());
}

TEST_CASE("files that are no traces are refused with file, line and column") {
  const Files files;
  const auto refusal = [&](const std::string& text) {
    try {
      static_cast<void>(plots::read_trace(files.write("t.csv", text), "t"));
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  CHECK(refusal("a,b\n1,2\n").find("no column 'objective'") != std::string::npos);
  CHECK(refusal("iteration,objective\n0,1\n1,x\n").find("line 3: column 'objective': 'x'") !=
        std::string::npos);
  CHECK(refusal("iteration,objective\n1,1\n0,1\n").find("line 3: column 'iteration'") !=
        std::string::npos);
  CHECK(refusal("iteration,objective\n").find("no row") != std::string::npos);
  CHECK(refusal("iteration,objective\n0,1,2\n").find("line 2: 3 fields") != std::string::npos);
}

TEST_CASE("series are named by the stems of their files, unless two are alike") {
  using Names = std::vector<std::string>;
  CHECK(plots::short_names({{"a/x.csv", "a/x.csv"}, {"y.csv", "y.csv"}}) == Names{"x", "y"});
  CHECK(plots::short_names({{"a/x.csv", "a/x.csv"}, {"b/x.csv", "b/x.csv"}}) ==
        Names{"a/x.csv", "b/x.csv"});
}

TEST_CASE("plot trace: what the files hold") {
  const Files files;
  const auto path =
      files.write("one.csv", "iteration,objective,gradient norm\n0,8,2\n1,5,1\n2,5,0\n");
  const auto plot = plots::plot("trace", {.tables = {{path, "one.csv"}}});
  CHECK(test::array_of(plot, "one objective").values == std::vector<double>{0, 8, 1, 5, 2, 5});
  CHECK(test::array_of(plot, "one gradient norm").values == std::vector<double>{0, 2, 1, 1, 2, 0});
  CHECK_THROWS_AS(static_cast<void>(plots::plot("trace", {})), Error);
}

TEST_CASE("plot trace: numbers as large as there are") {
  const Files files;
  const auto path = files.write("one.csv",
                                "iteration,objective,gradient norm\n0,1.7e308,1.7e308\n"
                                "1,5,1e-300\n2,-1.7e308,0\n");
  const auto plot = plots::plot("trace", {.tables = {{path, "one.csv"}}});
  CHECK(test::array_of(plot, "one objective").shape[0] == 3);
}

TEST_CASE("plot trace: names stand beside the ends of the lines, not on them") {
  const Files files;
  const auto path = files.write("descent.csv", "iteration,objective\n0,8\n1,5\n2,4\n3,4.5\n");
  const auto plot = plots::plot("trace", {.tables = {{path, "descent.csv"}}});
  const auto names = test::marks_of<draw::Text>(plot.drawing, "names");
  const auto ends = test::marks_of<draw::Symbols>(plot.drawing, "ends");
  REQUIRE(names.size() == 1);
  REQUIRE(ends.size() == 1);
  CHECK(names[0].text == "descent");
  CHECK(names[0].align == draw::Align::start);
  CHECK(names[0].at.x > ends[0].places[0].x + 3.0);
  CHECK(names[0].at.x + draw::kBoldWidth * draw::text_width("descent") <= plot.drawing.width);
}
