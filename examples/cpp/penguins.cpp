// Trains a Gaussian classifier on four measures of penguins and prints the doubtful ones.
#include <algorithm>
#include <cstdio>
#include <logodds/logodds.hpp>

void print_doubtful(const logodds::Classifier& model, const logodds::ScoredBlock& block) {
  const std::size_t classes = model.labels().size();
  for (std::size_t r = 0; r < block.rows.rows; ++r) {
    const auto p = block.posteriors.subspan(r * classes, classes);
    const bool lacks_values = !block.skipped.empty() && block.skipped[r] != 0;
    if (lacks_values || std::ranges::max(p) > 0.7) { continue; }
    std::printf("row %zu:", block.rows.first_row + r + 1);
    for (std::size_t k = 0; k < classes; ++k) {
      std::printf(" %s %.6f", model.labels()[k].c_str(), p[k]);
    }
    std::printf("\n");
  }
}

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "data/penguins.csv";
  const logodds::CsvOptions csv{.target = "species", .ignore = {"island", "sex", "year"}};
  const auto training = logodds::open_csv(path, csv);
  const auto fit = logodds::train(*training, "gaussian", {{"covariance", "shared"}});

  const auto rows = logodds::open_csv(path, csv, fit.model->schema(), true);
  logodds::score(*fit.model, *rows, [&](const auto& block) { print_doubtful(*fit.model, block); });

  const auto again = logodds::open_csv(path, csv, fit.model->schema(), true);
  const auto result = logodds::evaluate(*fit.model, *again);
  std::printf("rows %zu, accuracy %.6f\n", result.measures.rows(), result.measures.accuracy());
} catch (const logodds::Error& error) {
  std::fprintf(stderr, "penguins: %s\n", error.what());
  return 2;
}
