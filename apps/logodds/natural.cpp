#include "natural.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "logodds/error.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

/// Row-major values as a list of lists.
Json rows_json(std::span<const double> values, std::size_t rows) {
  Json list = Json::array();
  const std::size_t columns = values.size() / rows;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = values.subspan(r * columns, columns);
    list.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return list;
}

}  // namespace

NaturalParameters require_natural(const Classifier& model) {
  auto natural = model.natural_parameters();
  if (natural) { return *std::move(natural); }
  throw Error(ErrorCode::usage,
              fmt::format("--natural needs class densities of the exponential family, which this "
                          "model of family {} does not have; train one that does: --model "
                          "naive-bayes, or --model gaussian without --components",
                          model.family()));
}

std::string natural_text(const NaturalParameters& natural, const Classifier& model) {
  const std::size_t classes = model.labels().size();
  const std::size_t statistics = natural.statistics.size();
  std::vector<TextTable::Align> align(classes + 1, TextTable::Align::right);
  align.front() = TextTable::Align::left;
  TextTable table(align);
  std::vector<std::string> header{"statistic"};
  header.insert(header.end(), model.labels().begin(), model.labels().end());
  table.header(header);
  for (std::size_t t = 0; t <= statistics; ++t) {
    std::vector<std::string> row{t < statistics ? natural.statistics[t] : "1"};
    for (std::size_t k = 0; k < classes; ++k) {
      row.push_back(short_number(t < statistics ? natural.parameters[k * statistics + t]
                                                : natural.constants[k]));
    }
    table.row(row);
  }
  const std::string title =
      "natural parameters: p(class | x) is proportional to exp(sum of weight times statistic)";
  return toned(title, Tone::strong) + "\n" + table.text();
}

Json natural_json(const NaturalParameters& natural, const Classifier& model) {
  const std::size_t classes = model.labels().size();
  return {{"model", model.family()},
          {"statistics", natural.statistics},
          {"classes", model.labels()},
          {"parameters", rows_json(natural.parameters, classes)},
          {"constants", natural.constants},
          {"log_priors", natural.log_priors},
          {"parts", natural.parts},
          {"log_partitions", rows_json(natural.log_partitions, classes)},
          {"part_of_statistic", natural.part_of_statistic}};
}

}  // namespace logodds::app
