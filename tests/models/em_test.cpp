// Rows without labels: EM against straight loops, and what must hold for every family that takes
// them.
#include "logodds/models/em.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "support/definitions.hpp"
#include "support/law_data.hpp"
#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// The table with the labels of most rows taken away.
Table partly_labeled(Table table, double share, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  const std::size_t target = table.column("class");
  for (auto& row : table.rows) {
    if (uniform(random) < share) { row[target].clear(); }
  }
  return table;
}

std::vector<double> log_likelihoods(const Fit& fit) {
  std::vector<double> values;
  for (const auto& row : fit.report.trace.value().rows) {
    values.push_back(std::get<double>(row[1]));
  }
  return values;
}

OptionMap with_em(OptionMap options) {
  options.emplace("unlabeled", "em");
  return options;
}

std::string sentence_of(const std::string& csv, const std::string& family,
                        const OptionMap& options) {
  try {
    static_cast<void>(train(*open_csv_bytes(csv, "t.csv", {.target = "class"}), family, options));
  } catch (const Error& error) { return error.what(); }
  return {};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A level given the class, two columns of levels, by pseudo-count `alpha`.
struct StraightLevels {
  std::size_t classes;
  std::vector<std::vector<std::size_t>> rows;  ///< two levels of three each
  std::vector<int> labels;                     ///< -1: none
  double alpha;
  std::vector<double> log_likelihoods{};
  std::vector<std::vector<double>> posteriors{};

  void run(std::size_t steps) {
    std::vector<std::vector<double>> shares(rows.size(), std::vector<double>(classes, 0.0));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (labels[r] >= 0) { shares[r][static_cast<std::size_t>(labels[r])] = 1.0; }
    }
    for (std::size_t step = 0; step <= steps; ++step) {
      std::vector<double> prior(classes, 0.0);
      std::vector<double> counts(classes * 6, 0.0);
      double total = 0.0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t k = 0; k < classes; ++k) {
          prior[k] += shares[r][k];
          total += shares[r][k];
          for (std::size_t c = 0; c < 2; ++c) {
            counts[k * 6 + c * 3 + rows[r][c]] += shares[r][k];
          }
        }
      }
      double log_likelihood = 0.0;
      posteriors.assign(rows.size(), {});
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::vector<double> joint(classes);
        double sum = 0.0;
        for (std::size_t k = 0; k < classes; ++k) {
          joint[k] = prior[k] / total;
          for (std::size_t c = 0; c < 2; ++c) {
            joint[k] *= (counts[k * 6 + c * 3 + rows[r][c]] + alpha) / (prior[k] + 3.0 * alpha);
          }
          sum += joint[k];
        }
        const bool known = labels[r] >= 0;
        log_likelihood += std::log(known ? joint[static_cast<std::size_t>(labels[r])] : sum);
        for (std::size_t k = 0; k < classes; ++k) { posteriors[r].push_back(joint[k] / sum); }
        if (!known) { shares[r] = posteriors[r]; }
      }
      log_likelihoods.push_back(log_likelihood);
    }
  }
};

}  // namespace

TEST_CASE("em: naive Bayes with levels goes where straight loops go") {
  std::mt19937_64 random(7);
  for (const double alpha : {0.0, 1.0}) {
    StraightLevels straight{2, {}, {}, alpha};
    Table table{{"a", "b", "class"}, {}};
    for (std::size_t r = 0; r < 1500; ++r) {
      const int label = static_cast<int>(random() % 2);
      const auto level = [&] {
        return random() % 4 == 0 ? random() % 3 : static_cast<std::size_t>(label) + random() % 2;
      };
      straight.rows.push_back({level(), level()});
      const bool known = r < 12 || random() % 20 == 0;
      straight.labels.push_back(known ? label : -1);
      table.rows.push_back({"l" + std::to_string(straight.rows.back()[0]),
                            "l" + std::to_string(straight.rows.back()[1]),
                            known ? "c" + std::to_string(label) : ""});
    }
    straight.run(20);
    const Fit fitted = train_table(table, "naive-bayes",
                                   {{"unlabeled", "em"},
                                    {"max-iterations", "20"},
                                    {"tolerance", "0"},
                                    {"smoothing", format_number(alpha)}});
    const auto values = log_likelihoods(fitted);
    REQUIRE(values.size() == straight.log_likelihoods.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == doctest::Approx(straight.log_likelihoods[i]).epsilon(1e-12));
    }
    const auto posteriors = posteriors_of(*fitted.model, table);
    for (std::size_t r = 0; r < straight.rows.size(); ++r) {
      CHECK(std::abs(posteriors[2 * r] - straight.posteriors[r][0]) < 1e-9);
    }
  }
}

TEST_CASE("em: by maximum likelihood the objective never falls, whatever the structure") {
  const Table table = partly_labeled(made_table(1500, 3, 21), 0.8, 22);
  std::vector<std::pair<std::string, OptionMap>> estimators{
      {"naive-bayes", {{"smoothing", "0"}, {"variance-floor", "0"}}},
      {"gaussian", {{"components", "3"}, {"covariance", "own"}}}};
  for (const std::string covariance :
       {"shared", "own", "diagonal", "shared-diagonal", "spherical", "shared-spherical"}) {
    estimators.push_back({"gaussian", {{"covariance", covariance}}});
  }
  estimators.push_back({"gaussian", {{"covariance", "groups"}, {"groups", "class0+class2"}}});
  for (const auto& [family, options] : estimators) {
    CAPTURE(family);
    const std::string covariance = options.contains("covariance") ? options.at("covariance") : "";
    CAPTURE(covariance);
    if (options.contains("components")) { continue; }  // axes change with the classes
    const auto values = log_likelihoods(train_table(table, family, with_em(options)));
    REQUIRE(values.size() > 2);
    for (std::size_t i = 1; i < values.size(); ++i) {
      CHECK(values[i] >= values[i - 1] - 1e-9 * std::abs(values[i]));
    }
    CHECK(values.back() > values.front());
  }
}

TEST_CASE("em: where every row has a label the model is the supervised one, byte for byte") {
  const LawData data = law_data(600, 31);
  data.for_every_family([&](const Variant& variant) {
    if (!variant.record().capabilities.generative || variant.family == "table") { return; }
    const auto plain = train_table(data.table, variant.family, variant.options);
    auto options = variant.options;
    options["unlabeled"] = "em";
    const auto fitted = train_table(data.table, variant.family, options);
    CHECK(fitted.report.rows_unlabeled == 0);
    CHECK(posteriors_of(*fitted.model, data.table) == posteriors_of(*plain.model, data.table));
    CHECK(plain.model->training_likelihood().has_value() ==
          fitted.model->training_likelihood().has_value());
  });
}

TEST_CASE("em: the same bits for any number of threads [threads]") {
  const LawData data = law_data(3000, 41);
  const Table table = partly_labeled(data.table, 0.7, 42);
  for (const std::string family : {"gaussian", "naive-bayes"}) {
    if (!data.fits({family, {}, true})) { continue; }
    const OptionMap options{{"unlabeled", "em"}, {"max-iterations", "5"}};
    const auto one = modelfile::to_bytes(*train_table(table, family, options, 1).model);
    CHECK(modelfile::to_bytes(*train_table(table, family, options, 2).model) == one);
    CHECK(modelfile::to_bytes(*train_table(table, family, options, 7).model) == one);
  }
}

TEST_CASE("em: weights count as repeated rows do") {
  const Table table = partly_labeled(made_table(300, 2, 51), 0.6, 52);
  Table weighted = table;
  weighted.add_column("w", "1");
  Table repeated{table.names, {}};
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    weighted.rows[r].back() = std::to_string(1 + r % 3);
    for (std::size_t n = 0; n <= r % 3; ++n) { repeated.rows.push_back(table.rows[r]); }
  }
  for (const std::string family : {"gaussian", "naive-bayes"}) {
    const OptionMap options{{"unlabeled", "em"}, {"max-iterations", "4"}, {"tolerance", "0"}};
    const auto a = train_table(weighted, family, options, 2, "w");
    const auto b = train_table(repeated, family, options);
    CHECK(a.report.rows_unlabeled < b.report.rows_unlabeled);
    CHECK(largest_difference(posteriors_of(*a.model, table), posteriors_of(*b.model, table)) <
          1e-9);
    CHECK(log_likelihoods(a).back() == doctest::Approx(log_likelihoods(b).back()).epsilon(1e-12));
  }
}

TEST_CASE("em: rows that lack values help as well, and the objective still rises") {
  Table table = partly_labeled(made_table(500, 2, 61), 0.7, 62);
  std::mt19937_64 random(63);
  for (auto& row : table.rows) {
    if (random() % 5 == 0) { row[random() % 3].clear(); }
  }
  for (const auto& [family, options] : std::vector<std::pair<std::string, OptionMap>>{
           {"gaussian", {{"covariance", "own"}}},
           {"naive-bayes", {{"smoothing", "0"}, {"variance-floor", "0"}}}}) {
    const auto fitted = train_table(table, family, with_em(options));
    CHECK(fitted.report.rows_incomplete > 50);
    const auto values = log_likelihoods(fitted);
    for (std::size_t i = 1; i < values.size(); ++i) {
      CHECK(values[i] >= values[i - 1] - 1e-9 * std::abs(values[i]));
    }
  }
}

TEST_CASE("em: a model knows its likelihood, in a file too, until its rows change") {
  const Table table = partly_labeled(made_table(400, 2, 71), 0.6, 72);
  for (const std::string family : {"gaussian", "naive-bayes"}) {
    const auto fitted = train_table(table, family, {{"unlabeled", "em"}});
    const double last = log_likelihoods(fitted).back();
    CHECK(fitted.model->training_likelihood().value().log_likelihood == last);
    const auto bytes = modelfile::to_bytes(*fitted.model);
    const auto loaded = modelfile::from_bytes(bytes, "bytes");
    CHECK(loaded->training_likelihood().value().log_likelihood == last);
    CHECK(posteriors_of(*loaded, table) == posteriors_of(*fitted.model, table));
    const auto other = with_options(*loaded, {{"priors", "uniform"}});
    CHECK_FALSE(other.model->training_likelihood().has_value());
    const auto again = modelfile::from_bytes(modelfile::to_bytes(*other.model), "bytes");
    CHECK_FALSE(again->training_likelihood().has_value());
  }
}

TEST_CASE("em: an update uses its own rows without labels, beside what the model has") {
  const Table table = made_table(600, 2, 81);
  Table first = table;
  Table second = table;
  first.rows.resize(200);
  second.rows.erase(second.rows.begin(), second.rows.begin() + 200);
  second = partly_labeled(second, 0.9, 82);
  for (const std::string family : {"gaussian", "naive-bayes"}) {
    const OptionMap options{{"unlabeled", "em"}, {"tolerance", "1e-12"}};
    const auto start = train_table(first, family, options);
    const std::string more = second.csv();
    const auto source = open_csv_bytes_extending(more, "more", {}, start.model->schema());
    const auto updated = update(*start.model, *source);
    CHECK(updated.report.rows_unlabeled > 300);
    CHECK(updated.report.weight == doctest::Approx(600.0));
    Table all = first;
    all.rows.insert(all.rows.end(), second.rows.begin(), second.rows.end());
    const auto together = train_table(all, family, options);
    CHECK(largest_difference(posteriors_of(*updated.model, table),
                             posteriors_of(*together.model, table)) < 1e-4);
  }
}

TEST_CASE("em: what is wrong is said, with what to do") {
  const std::string none = "x,class\n1,\n2,\n3,\n";
  CHECK(holds(sentence_of(none, "gaussian", {{"unlabeled", "em"}}),
              "t.csv: no row has a label, so there are no classes to learn; find groups of rows "
              "with 'logodds cluster --soft'"));
  const std::string some = "x,y,class\n1,2,a\n2,1,\n3,5,b\n";
  CHECK(holds(sentence_of(some, "gaussian", {}),
              "t.csv, line 3, column 'class': the row has no label; remove the row or fill it in, "
              "or let EM use it with --unlabeled em"));
  CHECK(holds(sentence_of(some, "gaussian", {{"unlabeled", "em"}, {"covariance", "own"}}),
              "EM starts from the rows that have a label: class 'a'"));
  const std::string counts = "x,class\n1,a\n-2,\n3,b\n";
  CHECK(
      holds(sentence_of(counts, "naive-bayes", {{"unlabeled", "em"}, {"families", "x=log-normal"}}),
            "-2"));
  CHECK(sentence_of(some, "softmax", {{"unlabeled", "em"}}).starts_with("there is no option"));
}

TEST_CASE("em: it ends when it is told to, and says so") {
  const Table table = partly_labeled(made_table(400, 2, 91), 0.8, 92);
  const auto cut = train_table(table, "gaussian",
                               {{"unlabeled", "em"}, {"max-iterations", "2"}, {"tolerance", "0"}});
  CHECK_FALSE(cut.report.converged);
  CHECK(log_likelihoods(cut).size() == 3);
  CHECK(std::ranges::any_of(cut.report.notes, [](const std::string& note) {
    return holds(note, "EM has not converged after 2 steps");
  }));
  const auto done = train_table(table, "gaussian", {{"unlabeled", "em"}, {"tolerance", "1e-4"}});
  CHECK(done.report.converged);
  const auto none = train_table(table, "gaussian", {{"unlabeled", "em"}, {"max-iterations", "0"}});
  Table labeled{table.names, {}};
  for (const auto& row : table.rows) {
    if (!row[table.column("class")].empty()) { labeled.rows.push_back(row); }
  }
  CHECK(largest_difference(posteriors_of(*none.model, table),
                           posteriors_of(*train_table(labeled, "gaussian", {}).model, table)) <
        1e-12);
}
