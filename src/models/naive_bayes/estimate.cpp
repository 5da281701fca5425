// Statistics to factors: blocks, then the tree, then columns by themselves; and what the user
// should know of them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "logodds/error.hpp"
#include "models/lists.hpp"
#include "models/naive_bayes/blocks_auto.hpp"
#include "models/naive_bayes/column_factor.hpp"
#include "models/naive_bayes/documents/text_factor.hpp"
#include "models/naive_bayes/documents/text_notes.hpp"
#include "models/naive_bayes/gaussian_factor.hpp"
#include "models/naive_bayes/naive_bayes.hpp"
#include "models/naive_bayes/notes.hpp"
#include "models/naive_bayes/table_factor.hpp"
#include "models/naive_bayes/tree.hpp"
#include "models/priors.hpp"

namespace logodds::models::naive_bayes {

namespace {

/// A discrete column: coded, or 0 and 1.
bool discrete(const Column& column) { return column.coded() || column.kind == ColumnKind::binary; }

/// "0.22", "4.56", "58700": enough to see what sort of number it is.
std::string three_digits(double value) {
  if (!(value > 0.0)) { return "0"; }
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
  return format_number(std::round(value / unit) * (unit < 1.0 ? 1.0 : unit) /
                       (unit < 1.0 ? std::round(1.0 / unit) : 1.0));
}

/// Of its kind; and a column of levels needs a law of levels.
bool suits(const Column& column, const ColumnFamily& family) {
  const auto kinds = family.kinds();
  const bool of_levels =
      kinds.front() == ColumnKind::categorical || kinds.front() == ColumnKind::binary;
  return std::ranges::find(kinds, column.kind) != kinds.end() && (!column.coded() || of_levels);
}

/// A column of numbers that has one value only.
bool constant(const ColumnSummary& rows) {
  double value = 0.0;
  bool any = false;
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    if (!(rows.weights[k] > 0.0)) { continue; }
    if (rows.scatters[k] > 0.0 || (any && rows.means[k] != value)) { return false; }
    value = rows.means[k];
    any = true;
  }
  return true;
}

class Estimation {
 public:
  Estimation(const NaiveStatistics& statistics, const EstimatorInput& input, const Schema& schema)
      : statistics_(statistics),
        schema_(schema),
        wish_(input.options),
        notes_(input.report.notes),
        log_priors_(
            log_priors(input.options.text("priors"), schema.labels, statistics.class_weights())),
        weighs_priors_(wish_.text.family != TextFamily::complement ||
                       input.options.text("priors") != "ml"),
        places_(places_of(schema)),
        why_(schema.columns.size()),
        law_(schema.columns.size()) {}

  Product run() {
    Product product;
    add_texts(product);
    add_blocks(product);
    if (wish_.structure == Structure::tree) { add_tree(product); }
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      if (done_.contains(c)) { continue; }
      auto [family, law] = estimate_column(c);
      product.factors.push_back(
          std::make_unique<ColumnFactor>(schema_, c, places_[c], *family, std::move(law)));
      law_[c] = family->name();
    }
    product.laws = laws_table();
    note_columns(statistics_, schema_, notes_);
    return product;
  }

  [[nodiscard]] std::vector<double> take_log_priors() { return std::move(log_priors_); }

 private:
  std::pair<const ColumnFamily*, std::unique_ptr<ColumnLaw>> estimate_column(std::size_t c) {
    const Column& column = schema_.columns[c];
    const auto [family, reason] = chosen_family(c);
    why_[c] += (why_[c].empty() ? "" : "; ") + reason;
    check_suits(column, *family);
    statistics_.check_column(column, c, *family);
    const ColumnSummary rows = statistics_.summary(schema_, c);
    return {family, family->estimate(rows, wish_.rule_of(column.name), notes_)};
  }

  /// The family of a column, and why. Whole numbers whose spread is nothing like that of counts
  /// (grams, years, amounts) would give posteriors that are far too sure, or none to speak of,
  /// under a Poisson law; unless the user asks for one, they are taken for what they are.
  [[nodiscard]] std::pair<const ColumnFamily*, std::string> chosen_family(std::size_t c) const {
    constexpr double kFar = 10.0;
    const Column& column = schema_.columns[c];
    const auto [family, named] = wish_.family_of(column);
    if (named) { return {family, "--families"}; }
    const std::string kind(to_string(column.kind));
    if (!column.coded() && constant(statistics_.summary(schema_, c))) {
      return {&default_family(ColumnKind::real), "constant"};  // whose law then says nothing
    }
    if (column.kind != ColumnKind::count) { return {family, "kind " + kind}; }
    const double ratio = dispersion(statistics_.summary(schema_, c));
    if (ratio <= kFar && ratio >= 1.0 / kFar) {
      return {family, "kind count, variance / mean " + three_digits(ratio)};
    }
    return {&default_family(ColumnKind::real),
            "variance / mean " + three_digits(ratio) + ", so no counts"};
  }

  static void check_suits(const Column& column, const ColumnFamily& family) {
    const auto kinds = family.kinds();
    if (suits(column, family)) { return; }
    std::string suited;
    std::string kind_names;
    for (const auto* candidate : column_families()) {
      if (!suits(column, *candidate)) { continue; }
      suited += (suited.empty() ? "" : ", ") + std::string(candidate->name());
    }
    for (const auto kind : kinds) {
      kind_names += (kind_names.empty() ? "" : ", ") + std::string(to_string(kind));
    }
    throw Error(ErrorCode::usage,
                "--families: column '" + column.name + "' is " +
                    (column.coded() ? "a column of words (kind " : "of kind ") +
                    std::string(to_string(column.kind)) + (column.coded() ? ")" : "") + ", and " +
                    std::string(family.name()) + " is for columns of kind " + kind_names +
                    "; give it one of " + suited +
                    (column.coded() ? ""
                                    : ", or another kind with --kinds " + column.name + "=" +
                                          std::string(to_string(kinds.front()))));
  }

  void add_texts(Product& product) {
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      if (!places_[c].text) { continue; }
      const TermCounts& counts = statistics_.terms(places_[c].position);
      const double smoothing = wish_.rule_of(places_[c].name).smoothing;
      // Complements of classes are weighed against each other without priors (Rennie et al. 2003),
      // unless the user gives some.
      const bool weighs_priors = weighs_priors_ || !product.factors.empty();
      auto factor =
          std::make_unique<TextFactor>(places_[c], counts, wish_.text, smoothing, schema_.labels,
                                       weighs_priors ? std::vector<double>{} : log_priors_);
      note_documents(*factor, counts, schema_.columns.size() == 1, notes_);
      product.facts.emplace_back("terms of " + places_[c].name,
                                 static_cast<double>(factor->vocabulary_size()));
      law_[c] = factor->law();
      why_[c] = "kind text";
      done_.insert(c);
      product.factors.push_back(std::move(factor));
    }
  }

  /// Named blocks, or the one table.
  void add_blocks(Product& product) {
    std::vector<std::vector<std::size_t>> blocks;
    for (const auto& names : wish_.blocks) {
      blocks.emplace_back();
      for (const auto& name : names) { blocks.back().push_back(column_of(name)); }
      std::ranges::sort(blocks.back());
    }
    if (wish_.structure == Structure::table) {
      blocks.emplace_back(schema_.columns.size());
      std::iota(blocks.back().begin(), blocks.back().end(), std::size_t{0});
    }
    for (const auto& block : blocks) {
      const bool alone = block.size() < 2 && wish_.structure != Structure::table;
      if (!alone) { add_block(product, block); }
    }
  }

  std::size_t column_of(const std::string& name) const {
    const auto found = std::ranges::find_if(
        schema_.columns, [&](const Column& column) { return column.name == name; });
    return static_cast<std::size_t>(found - schema_.columns.begin());
  }

  void add_block(Product& product, const std::vector<std::size_t>& block) {
    const JointStatistic& joint = *statistics_.joint(block);
    std::vector<Column> columns;
    std::size_t tables = 0;
    std::size_t numbers = 0;
    for (const auto c : block) {
      columns.push_back(schema_.columns[c]);
      tables += discrete(schema_.columns[c]) ? 1U : 0U;
      numbers += schema_.columns[c].coded() ? 0U : 1U;
    }
    const bool table = tables == block.size() && joint.cells();
    if (!table) { check_gaussian_block(columns, numbers == block.size()); }
    if (!table && !joint.moments()) {
      throw Error(ErrorCode::numeric, "nothing is known of the joint values of " + joint.name() +
                                          "; train the model again");
    }
    if (table) { check_smoothing(columns); }
    if (table) {
      auto factor = std::make_unique<TableFactor>(joint, columns, schema_.labels, wish_.smoothing,
                                                  wish_.max_cells);
      product.facts.emplace_back("cells of " + joint.name(), factor->cells());
      product.facts.emplace_back("empty cells of " + joint.name(), factor->empty_share());
      product.factors.push_back(std::move(factor));
    } else {
      product.factors.push_back(
          std::make_unique<GaussianFactor>(joint, schema_.labels, wish_.variance_floor, notes_));
    }
    for (const auto c : block) {
      done_.insert(c);
      law_[c] = table ? "table" : "gaussian";
      why_[c] = wish_.structure == Structure::table ? "--model table" : "block " + joint.name();
    }
  }

  void check_smoothing(const std::vector<Column>& columns) const {
    for (const auto& column : columns) {
      for (const auto& [name, alpha] : wish_.column_smoothing) {
        if (name != column.name) { continue; }
        throw Error(ErrorCode::usage,
                    "--smoothing names column '" + name +
                        "', which is part of a joint table; its cells have one pseudo-count, the "
                        "first of --smoothing");
      }
    }
  }

  void check_gaussian_block(const std::vector<Column>& columns, bool numbers) const {
    if (numbers && wish_.structure != Structure::table) { return; }
    for (const auto& column : columns) {
      if (discrete(column)) { continue; }
      const std::string kind(to_string(column.kind));
      throw Error(ErrorCode::usage,
                  wish_.structure == Structure::table
                      ? "column '" + column.name + "' is " + kind +
                            ", and a table is over discrete columns; make it one with --kinds " +
                            column.name + "=categorical, leave it out with --ignore " +
                            column.name + ", or take --model naive-bayes"
                      : "--blocks: column '" + column.name + "' is " + kind +
                            " and stands in a block with discrete ones; a block is either of "
                            "numbers or of discrete columns, so take it out, or make it discrete "
                            "with --kinds " +
                            column.name + "=categorical");
    }
  }

  void add_tree(Product& product) {
    std::vector<TreeKind> kinds(schema_.columns.size(), TreeKind::none);
    for (std::size_t c = 0; c < kinds.size(); ++c) {
      if (done_.contains(c)) { continue; }
      const auto name = chosen_family(c).first->name();
      if (name == "gaussian" && !schema_.columns[c].coded()) { kinds[c] = TreeKind::gaussian; }
      if (name == "categorical" || name == "bernoulli") { kinds[c] = TreeKind::discrete; }
    }
    const auto edges = best_tree(statistics_, schema_, kinds);
    std::set<std::size_t> children;
    for (const auto& edge : edges) { children.insert(edge.child); }
    DescriptionTable table{"tree", {"column", "depends on", "information (nats)"}, {}};
    for (std::size_t c = 0; c < kinds.size(); ++c) {
      if (kinds[c] == TreeKind::none || children.contains(c)) { continue; }
      why_[c] = "root of a tree";  // roots come first, because rows are drawn in this order
      auto [family, law] = estimate_column(c);
      product.factors.push_back(
          std::make_unique<ColumnFactor>(schema_, c, places_[c], *family, std::move(law)));
      law_[c] = family->name();
      done_.insert(c);
    }
    for (const auto& edge : edges) {
      why_[edge.child] = "tree";
      auto [family, law] = estimate_column(edge.child);
      const Column& child = schema_.columns[edge.child];
      product.factors.push_back(tree_factor(statistics_, schema_, edge, kinds[edge.child],
                                            wish_.rule_of(child.name), std::move(law)));
      law_[edge.child] = product.factors.back()->law();
      done_.insert(edge.child);
      table.rows.push_back({child.name, schema_.columns[edge.parent].name, edge.information});
    }
    if (!edges.empty()) { product.tree = std::move(table); }
  }

  [[nodiscard]] DescriptionTable laws_table() const {
    DescriptionTable table{
        "laws of the columns", {"column", "kind", "family", "why", "missing"}, {}};
    const double total = statistics_.weight();
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      const auto weights = statistics_.summary_weights(places_[c]);
      const double present = std::accumulate(weights.begin(), weights.end(), 0.0);
      const double missing = std::max(0.0, total - present);
      table.rows.push_back({schema_.columns[c].name,
                            std::string(to_string(schema_.columns[c].kind)), law_[c], why_[c],
                            missing > 1e-9 * total ? missing : 0.0});
    }
    return table;
  }

  const NaiveStatistics& statistics_;
  const Schema& schema_;
  Wish wish_;
  std::vector<std::string>& notes_;
  std::vector<double> log_priors_;
  bool weighs_priors_;
  std::vector<Place> places_;
  std::vector<std::string> why_;
  std::vector<std::string> law_;
  std::set<std::size_t> done_;  ///< columns that have a factor
};

}  // namespace

void NaiveFamily::settle(NaiveStatistics& statistics, Options& options, const Schema& schema,
                         const Context& /*context*/, FitReport& report) {
  if (!options.has("blocks") || options.text("blocks") != "auto") { return; }
  DescriptionTable table{
      "blocks that predict better together", {"block", "gain of log-likelihood (nats)"}, {}};
  std::string text;
  for (const auto& block : best_blocks(statistics, schema, Wish(options))) {
    const std::string name = escaped(schema.columns[block.first].name) + "+" +
                             escaped(schema.columns[block.second].name);
    text += (text.empty() ? "" : ",") + name;
    table.rows.push_back({name, block.gain});
  }
  if (text.empty()) {
    report.notes.push_back("--blocks auto: no two columns predict better together than apart");
  } else {
    report.tables.push_back(std::move(table));
  }
  options.replace("blocks", text);
  statistics.settle(Wish(options));
}

NaiveDiscriminant NaiveFamily::estimate(const NaiveStatistics& statistics, EstimatorInput input) {
  auto schema = std::make_shared<const Schema>(input.schema);
  Estimation estimation(statistics, input, *schema);
  Product product = estimation.run();
  const std::string& priors = input.options.text("priors");
  product.weights = statistics.class_weights();
  product.log_priors = estimation.take_log_priors();
  product.prior_parameters = prior_parameters(priors, schema->labels.size());
  product.schema = std::move(schema);
  input.report.tables.push_back(product.laws);
  if (product.tree) { input.report.tables.push_back(*product.tree); }
  return NaiveDiscriminant(std::move(product));
}

std::optional<Likelihood> NaiveFamily::likelihood(const NaiveStatistics& statistics,
                                                  const NaiveDiscriminant& discriminant) {
  const Product& product = discriminant.product();
  Likelihood result{.log_likelihood = 0.0,
                    .parameters = discriminant.parameter_count(),
                    .weight = statistics.weight()};
  for (std::size_t k = 0; k < product.weights.size(); ++k) {
    result.log_likelihood += product.weights[k] * product.log_priors[k];
  }
  for (const auto& factor : product.factors) {
    const auto part = factor->log_likelihood(statistics);
    if (!part) { return {}; }
    result.log_likelihood += *part;
  }
  if (std::isnan(result.log_likelihood)) { return {}; }
  return result;
}

}  // namespace logodds::models::naive_bayes
