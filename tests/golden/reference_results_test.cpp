// Error counts computed by R (MASS, nnet, e1071) on real data: REFERENCE_RESULTS.csv in the shared
// data folder says how. Ours must be equal, to the row.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "data/csv_source.hpp"
#include "logodds/logodds.hpp"
#include "support/shared_data.hpp"

using namespace logodds;

namespace {

constexpr const char* kLda = "\"LDA (MASS::lda, priors=train freq)\"";
constexpr const char* kQda = "QDA (MASS::qda)";
constexpr const char* kNaive = "\"Gaussian NB (e1071, sd n-1)\"";
constexpr const char* kLogistic = "\"multinomial logistic (nnet, maxit 3000)\"";

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The value of the line that begins with these fields, as they are written in the file.
double reference(const std::string& dataset, const std::string& protocol, const std::string& method,
                 const std::string& metric) {
  std::istringstream lines(read_text(*test::shared_data("REFERENCE_RESULTS.csv")));
  const std::string begin = dataset + "," + protocol + "," + method + ",R," + metric + ",";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) { return std::stod(line.substr(begin.size())); }
  }
  FAIL("no line '" << begin << "' in REFERENCE_RESULTS.csv");
  return 0.0;
}

struct Split {
  std::string dataset;
  std::string protocol;
  std::string target;
  std::string train;  ///< text of the training file
  std::string test;   ///< text of the test file
};

std::optional<Split> split_files(const std::string& dataset, const std::string& protocol,
                                 const std::string& target, const std::string& train,
                                 const std::string& test) {
  const auto train_path = test::shared_data(dataset + "/" + train);
  const auto test_path = test::shared_data(dataset + "/" + test);
  if (!train_path || !test_path) { return std::nullopt; }
  return Split{dataset, protocol, target, read_text(*train_path), read_text(*test_path)};
}

/// The first `rows` rows of one file against the rest.
std::optional<Split> split_rows(const std::string& dataset, const std::string& protocol,
                                const std::string& target, const std::string& file,
                                std::size_t rows) {
  const auto path = test::shared_data(dataset + "/" + file);
  if (!path) { return std::nullopt; }
  const std::string text = read_text(*path);
  const std::size_t header = text.find('\n') + 1;
  std::size_t cut = header;
  for (std::size_t r = 0; r < rows; ++r) { cut = text.find('\n', cut) + 1; }
  return Split{dataset, protocol, target, text.substr(0, cut),
               text.substr(0, header) + text.substr(cut)};
}

/// Trains on the training rows and compares the numbers of errors on `metric`'s rows.
void check_errors(const Split& split, const std::string& method, const std::string& family,
                  const std::map<std::string, std::string>& options,
                  const std::vector<std::string>& metrics) {
  const auto source = open_csv_bytes(split.train, "train", {.target = split.target});
  const auto model = train(*source, family, options, {.threads = 2}).model;
  for (const auto& metric : metrics) {
    CAPTURE(split.dataset);
    CAPTURE(method);
    CAPTURE(metric);
    const std::string& text = metric == "train error" ? split.train : split.test;
    const auto rows = open_csv_bytes(text, "rows", {}, model->schema(), true);
    const auto measures = evaluate(*model, *rows, {.threads = 2}).measures;
    const double expected = reference(split.dataset, split.protocol, method, metric);
    CHECK(measures.errors() == std::round(expected * measures.weight()));
  }
}

const std::vector<std::string> kBoth{"train error", "test error"};

void check_gaussians(const Split& split) {
  check_errors(split, kLda, "gaussian", {{"covariance", "shared"}}, kBoth);
  check_errors(split, kQda, "gaussian", {{"covariance", "own"}, {"divisor", "n-1"}}, kBoth);
  check_errors(split, kNaive, "gaussian", {{"covariance", "diagonal"}, {"divisor", "n-1"}},
               {"test error"});
}

void check_all(const std::optional<Split>& split) {
  if (!split) { return; }
  check_gaussians(*split);
  check_errors(*split, kLogistic, "softmax", {{"decay", "0"}}, kBoth);
}

}  // namespace

TEST_CASE("golden: vowel, as R") {
  check_all(
      split_files("esl_vowel", "train 528 / test 462", "y", "vowel.train.csv", "vowel.test.csv"));
}

TEST_CASE("golden: synth, as R") {
  check_all(
      split_files("mass_synth", "train 250 / test 1000", "yc", "synth.tr.csv", "synth.te.csv"));
}

TEST_CASE("golden: Pima, as R") {
  check_all(split_files("mass_pima", "train 200 / test 332", "type", "Pima.tr.csv", "Pima.te.csv"));
}

// On letter's training rows R's nnet stops at a relative change of 1e-8 with 3277 errors. At the
// maximum itself there are 3278: scikit-learn 1.9 (newton-cg, C = inf, tol 1e-10) finds that number
// and the deviance below; the two largest posteriors of the row in question differ by 4e-5.
TEST_CASE("golden: letter, as R, and as scikit-learn at the maximum") {
  const auto split = split_rows("letter", "train 15000 / test 5000", "lettr", "letter.csv", 15000);
  if (!split) { return; }
  check_gaussians(*split);
  check_errors(*split, kLogistic, "softmax", {{"decay", "0"}}, {"test error"});
  const auto source = open_csv_bytes(split->train, "train", {.target = "lettr"});
  const auto model = train(*source, "softmax", {{"decay", "0"}}, {.threads = 2}).model;
  const auto rows = open_csv_bytes(split->train, "train", {}, model->schema(), true);
  const auto measures = evaluate(*model, *rows, {.threads = 2}).measures;
  CHECK(measures.errors() == 3278.0);
  CHECK(std::abs(2.0 * measures.log_loss() * measures.weight() - 24575.882946) < 1e-5);
}

TEST_CASE("golden: iris and wine on their own rows, as R") {
  struct Case {
    std::string file;
    std::string target;
    double
        errors;  // iris: RECOMPUTED in its SOURCE.txt; wine: REFERENCE_RESULTS.csv, resubstitution
  };
  for (const auto& c :
       {Case{"iris/iris.csv", "Species", 3.0}, Case{"wine/wine.csv", "class", 0.0}}) {
    const auto path = test::shared_data(c.file);
    if (!path) { continue; }
    const auto source = open_csv(*path, {.target = c.target});
    const auto model = train(*source, "gaussian").model;
    const auto rows = open_csv(*path, {}, model->schema(), true);
    CHECK(evaluate(*model, *rows).measures.errors() == c.errors);
  }
}

TEST_CASE("golden: vowel's converged multinomial deviance, as R's nnet") {
  const auto path = test::shared_data("esl_vowel/vowel.train.csv");
  if (!path) { return; }
  const auto source = open_csv(*path, {.target = "y"});
  const auto model = train(*source, "softmax", {{"decay", "0"}}).model;
  const auto rows = open_csv(*path, {}, model->schema(), true);
  const auto measures = evaluate(*model, *rows).measures;
  CHECK(std::abs(2.0 * measures.log_loss() * measures.weight() - 676.99784814) < 1e-6);
}
