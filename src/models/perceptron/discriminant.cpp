#include "logodds/modelfile/container.hpp"
#include "models/perceptron/perceptron.hpp"

namespace logodds::models::perceptron {

Wish::Wish(const Options& options) {
  const std::string& kernel_name = options.choice("kernel");
  if (kernel_name == "polynomial") { kernel.kind = KernelKind::polynomial; }
  if (kernel_name == "rbf") { kernel.kind = KernelKind::rbf; }
  kernel.degree = static_cast<int>(options.integer("degree"));
  gamma_is_auto = options.text("gamma") == "auto";
  if (!gamma_is_auto) { kernel.gamma = parse_number(options.text("gamma")).value_or(kernel.gamma); }
  const std::string& name = options.choice("variant");
  variant_is_auto = name == "auto";
  if (name == "plain") { variant = Variant::plain; }
  const bool votes = variant_is_auto && kernel.kind != KernelKind::linear;
  if (name == "voted" || votes) { variant = Variant::voted; }
}

namespace {

std::string name_of(Wish::Variant variant) {
  switch (variant) {
    case Wish::Variant::plain:
      return "plain";
    case Wish::Variant::averaged:
      return "averaged";
    case Wish::Variant::voted:
      break;
  }
  return "voted";
}

}  // namespace

PerceptronDiscriminant::PerceptronDiscriminant(Scores scores, const Wish& wish, Outcome outcome)
    : scores_(std::move(scores)), wish_(wish), outcome_(outcome) {}

void PerceptronDiscriminant::log_scores(const RowBlock& block, std::span<double> out) const {
  std::visit([&](const auto& scores) { scores.log_scores(block, out); }, scores_);
}

bool PerceptronDiscriminant::takes_sparse() const {
  const auto* const linear = std::get_if<linear::LinearScores>(&scores_);
  return linear != nullptr ? linear->features().takes_sparse()
                           : std::get<KernelScores>(scores_).takes_sparse();
}

std::vector<NamedArray> PerceptronDiscriminant::arrays() const {
  const auto* const linear = std::get_if<linear::LinearScores>(&scores_);
  return linear != nullptr ? linear->arrays() : std::vector<NamedArray>{};
}

const Evidence* PerceptronDiscriminant::evidence() const {
  return std::holds_alternative<linear::LinearScores>(scores_) ? this : nullptr;
}

const std::vector<std::string>& PerceptronDiscriminant::parts() const {
  return std::get<linear::LinearScores>(scores_).parts();
}

void PerceptronDiscriminant::contributions(const RowBlock& block,
                                           std::span<const std::int32_t> first,
                                           std::span<const std::int32_t> second,
                                           std::span<double> out, std::span<double> base) const {
  std::get<linear::LinearScores>(scores_).contributions(block, first, second, out, base);
}

Description PerceptronDiscriminant::describe() const {
  Description description;
  description.facts = {{"variant", name_of(wish_.variant)},
                       {"passes", static_cast<std::int64_t>(outcome_.passes)},
                       {"mistakes", static_cast<std::int64_t>(outcome_.mistakes)}};
  auto& facts = description.facts;
  if (wish_.variant == Wish::Variant::voted) {
    facts.emplace_back("posteriors", std::string("shares of votes"));
  } else {
    facts.emplace_back("posteriors",
                       std::string("softmax of the scores; coefficients have the scale in them"));
    facts.emplace_back("scale", outcome_.scale);
  }
  if (const auto* const linear = std::get_if<linear::LinearScores>(&scores_); linear != nullptr) {
    description.tables.push_back(linear->table());
    return description;
  }
  const auto& kernel = std::get<KernelScores>(scores_);
  facts.emplace_back("supports", static_cast<std::int64_t>(kernel.supports()));
  if (wish_.variant == Wish::Variant::voted) {
    facts.emplace_back("voters", static_cast<std::int64_t>(kernel.voters()));
  }
  if (kernel.kernel().kind != KernelKind::linear) {
    facts.emplace_back("gamma", kernel.kernel().gamma);
  }
  return description;
}

void PerceptronDiscriminant::save(modelfile::Writer& writer) const {
  std::visit([&](const auto& scores) { scores.save(writer); }, scores_);
  const std::vector<double> outcome{outcome_.passes, outcome_.mistakes, outcome_.scale};
  writer.tensor("outcome", outcome, {outcome.size()});
}

PerceptronDiscriminant PerceptronDiscriminant::load(const modelfile::Reader& reader,
                                                    const Schema& schema, const Options& options) {
  const Wish wish(options);
  const std::string& basis = options.text("basis");
  const auto outcome = reader.doubles("outcome", {3});
  linear::check_finite(reader, outcome, "outcome");
  for (const double number : outcome) {
    if (number < 0.0 || number > 1e300) { reader.fail("its outcome makes no sense"); }
  }
  const Outcome end{outcome[0], outcome[1], outcome[2]};
  if (wish.is_linear()) {
    return {linear::LinearScores::load(reader, schema, OneHot::full, basis), wish, end};
  }
  return {
      KernelScores::load(reader, schema, basis, wish.kernel, wish.variant == Wish::Variant::voted),
      wish, end};
}

}  // namespace logodds::models::perceptron
