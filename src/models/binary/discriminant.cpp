
#include "logodds/modelfile/container.hpp"
#include "models/binary/binary.hpp"

namespace logodds::models::binary {

namespace {

constexpr const char* kIntercept = "(intercept)";

const char* name_of(Link link) {
  switch (link) {
    case Link::probit:
      return "probit";
    case Link::cloglog:
      return "cloglog";
    case Link::logit:
      break;
  }
  return "logit";
}

/// What a coefficient is a coefficient of.
std::string meaning(Link link, const std::string& first, const std::string& second) {
  const std::string p = "p('" + second + "')";
  switch (link) {
    case Link::probit:
      return "of the normal quantile of " + p +
             "; e to the power of such a coefficient is no odds ratio, so none is given";
    case Link::cloglog:
      return "of ln(-ln(1 - " + p +
             ")); e to the power of such a coefficient is no odds ratio, so none is given";
    case Link::logit:
      break;
  }
  return "of the log odds of '" + second + "' against '" + first + "'";
}

}  // namespace

BinaryDiscriminant::BinaryDiscriminant(Link link, linear::LinearScores scores,
                                       linear::Inference inference, FitEnd end)
    : link_(link), scores_(std::move(scores)), inference_(std::move(inference)), end_(end) {}

void BinaryDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  scores_.log_scores(block, out);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const LogShares shares = log_shares(link_, out[2 * r + 1]);
    out[2 * r] = shares.first;
    out[2 * r + 1] = shares.second;
  }
}

Description BinaryDiscriminant::describe() const {
  Description description;
  description.facts = {{"link", std::string(name_of(link_))},
                       {"deviance", end_.deviance},
                       {"objective", end_.objective},
                       {"gradient_norm", end_.gradient_norm},
                       {"iterations", static_cast<std::int64_t>(end_.iterations)}};
  DescriptionTable table{"coefficients", {"column", scores_.labels()[1]}, {}};
  if (inference_.intercept) {
    table.rows.push_back({std::string(kIntercept), scores_.intercepts()[1]});
  }
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    table.rows.push_back({scores_.features().names()[i], coefficient(i)});
  }
  description.tables.push_back(std::move(table));
  return description;
}

std::vector<NamedArray> BinaryDiscriminant::arrays() const {
  NamedArray coefficients{"coefficients", {1, scores_.features().size()}, {}};
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    coefficients.values.push_back(coefficient(i));
  }
  return {std::move(coefficients), {"intercepts", {1}, {scores_.intercepts()[1]}}};
}

CoefficientTable BinaryDiscriminant::coefficient_table(double level) const {
  linear::Estimates estimates{scores_.labels()[1], {scores_.intercepts()[1]}};
  for (std::size_t i = 0; i < scores_.features().size(); ++i) {
    estimates.values.push_back(coefficient(i));
  }
  auto table = linear::wald_table({estimates}, scores_.features().names(), inference_, level,
                                  link_ == Link::logit);
  table.notes.insert(
      table.notes.begin(),
      "coefficients are those " + meaning(link_, scores_.labels()[0], scores_.labels()[1]));
  return table;
}

void BinaryDiscriminant::save(modelfile::Writer& writer) const {
  scores_.save(writer);
  const std::vector<double> end{end_.objective, end_.gradient_norm, end_.iterations, end_.deviance};
  writer.tensor("convergence", end, {end.size()});
  inference_.save(writer);
}

BinaryDiscriminant BinaryDiscriminant::load(const modelfile::Reader& reader, const Schema& schema,
                                            const Options& options) {
  if (schema.labels.size() != 2) { reader.fail("it has not two classes"); }
  auto scores =
      linear::LinearScores::load(reader, schema, one_hot_for(options), options.text("basis"));
  const auto end = reader.doubles("convergence", {4});
  linear::check_finite(reader, end, "coefficients");
  if (end[2] < 0.0 || end[2] > 1e15) { reader.fail("its number of iterations makes no sense"); }
  auto inference = linear::Inference::load(reader, scores.features().size(), 1);
  return {parse_link(options.choice("link")),
          std::move(scores),
          std::move(inference),
          {end[0], end[1], end[2], end[3]}};
}

}  // namespace logodds::models::binary
