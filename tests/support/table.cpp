#include "support/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logodds::test {

std::string Table::csv() const {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) { text += (c == 0 ? "" : ",") + cells[c]; }
    text += "\n";
  };
  line(names);
  for (const auto& row : rows) { line(row); }
  return text;
}

std::size_t Table::column(const std::string& name) const {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

void Table::add_column(const std::string& name, const std::string& value) {
  names.push_back(name);
  for (auto& row : rows) { row.push_back(value); }
}

void Table::permute_rows(std::mt19937_64& random) {
  std::shuffle(rows.begin(), rows.end(), random);
}

void Table::permute_columns(std::mt19937_64& random) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  const auto apply = [&](std::vector<std::string>& cells) {
    std::vector<std::string> moved;
    for (const auto from : order) { moved.push_back(cells[from]); }
    cells = std::move(moved);
  };
  apply(names);
  for (auto& row : rows) { apply(row); }
}

Table made_table(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Table table{{"class", "a", "b", "c", "d", "e", "color", "sex"}, {}};
  const std::vector<std::string> colors{"blue", "green", "red"};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto k = static_cast<std::size_t>(random() % classes);
    const auto shift = static_cast<double>(k);
    const double common = normal(random);
    const double a = normal(random) + shift;
    const double b = 100.0 + 10.0 * (common + normal(random) - 0.5 * shift);
    const double c = 1e-3 * (common + normal(random));
    const double d = normal(random) * (1.0 + 0.3 * shift);
    const double e = normal(random) + 0.3 * a;
    const auto color = static_cast<std::size_t>(
        std::min(2.0, std::floor(3.0 * uniform(random) * (1.0 + 0.1 * shift))));
    table.rows.push_back({"class" + std::to_string(k), format_number(a), format_number(b),
                          format_number(c), format_number(d), format_number(e), colors[color],
                          uniform(random) < 0.4 + 0.1 * shift ? "f" : "m"});
  }
  return table;
}

Table made_causes(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  Table table{{"class", "a", "b", "c", "d", "e", "color", "sex"}, {}};
  const std::vector<std::string> colors{"blue", "green", "red"};
  const std::vector<std::uint64_t> most{1, 3, 2, 1, 4};  // of a, b, ...
  const std::vector<double> fails{0.5, 0.8, 0.95, 0.9, 0.7};
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::string> row(1);
    double off = 0.9;
    for (std::size_t i = 0; i < most.size(); ++i) {
      const std::uint64_t least = i == 1 ? 1 : 0;  // so that every row has a cause
      const std::uint64_t times = least + (random() % 3 == 0 ? random() % (most[i] + 1) : 0);
      off *= std::pow(fails[i], static_cast<double>(times));
      row.push_back(std::to_string(times));
    }
    const auto color = static_cast<std::size_t>(random() % 3);
    const bool female = random() % 2 == 0;
    off *= (color == 1 ? 0.8 : 1.0) * (female ? 0.9 : 1.0);
    row[0] = uniform(random) < off ? "class0" : "class1";
    row.push_back(colors[color]);
    row.emplace_back(female ? "f" : "m");
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool takes_causes(const FamilyRecord& family) { return family.name == "noisy-or"; }

Table suited_table(const FamilyRecord& family, std::size_t rows, std::size_t classes,
                   std::uint64_t seed) {
  if (takes_causes(family)) { return made_causes(rows, seed); }
  return made_table(rows, family.capabilities.many_classes ? classes : 2, seed);
}

Fit train_table(const Table& table, const std::string& family, const OptionMap& options,
                int threads, const std::string& weights) {
  const std::string text = table.csv();
  CsvOptions reading{.target = "class", .weights = weights};
  if (!find_family(family).capabilities.numbers &&
      std::ranges::find(table.names, "a") != table.names.end()) {
    reading.ignore = {"a", "b", "c", "d", "e"};
  }
  const auto source = open_csv_bytes(text, "table", reading);
  return train(*source, family, options, {.threads = threads});
}

std::vector<double> posteriors_of(const Classifier& model, const Table& table, int threads) {
  const std::string text = table.csv();
  const auto source = open_csv_bytes(text, "table", {}, model.schema(), false);
  std::vector<double> all;
  score(model, *source,
        [&](const ScoredBlock& block) {
          all.insert(all.end(), block.posteriors.begin(), block.posteriors.end());
        },
        {.threads = threads});
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) { return std::numeric_limits<double>::infinity(); }
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                     : std::max(largest, difference);
  }
  return largest;
}

}  // namespace logodds::test
