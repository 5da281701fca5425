#include "support/law_data.hpp"

#include <algorithm>

namespace logodds::test {

namespace {

/// Options that no list of choices names.
const std::vector<Variant>& further_variants() {
  static const std::vector<Variant> all{{"gaussian", {{"covariance", "own"}, {"ridge", "0.1"}}},
                                        {"gaussian", {{"ridge-relative", "0.01"}}},
                                        {"gaussian", {{"priors", "uniform"}}},
                                        {"gaussian", {{"priors", "smoothed:3"}}},
                                        {"gaussian", {{"blend", "0.5,0.1"}}},
                                        {"gaussian", {{"shrinkage", "0.2"}}},
                                        {"gaussian", {{"shrinkage", "oas"}}},
                                        {"gaussian", {{"shrinkage", "ledoit-wolf"}}},
                                        {"gaussian", {{"wishart", "7"}, {"covariance", "own"}}},
                                        {"gaussian", {{"components", "3"}}},
                                        {"naive-bayes", {{"families", "real=kernel"}}},
                                        {"naive-bayes", {{"families", "real=histogram"}}},
                                        {"naive-bayes", {{"blocks", "a+e,color+sex"}}},
                                        {"naive-bayes", {{"smoothing", "0"}}},
                                        {"naive-bayes", {{"priors", "uniform"}}},
                                        {"table", {{"smoothing", "0"}}},
                                        {"neighbors", {{"k", "1"}, {"condense", "true"}}},
                                        {"softmax", {{"basis", "interactions"}}},
                                        {"softmax", {{"basis", "spline:2"}}},
                                        {"softmax", {{"l1", "3"}, {"decay", "0.1"}}},
                                        {"binary", {{"basis", "polynomial:2"}}}};
  return all;
}

bool has_option(const FamilyRecord& family, const std::string& name) {
  return std::ranges::find(family.options, name, &OptionSpec::name) != family.options.end();
}

/// A variant whose fit takes no longer than the laws need. An answer that depends on the order of
/// the rows is as lawful after two passes as at its optimum; one that does not has to be found to
/// more digits than users want, since the laws compare two of them.
Variant made_variant(const FamilyRecord& family, OptionMap options) {
  Variant variant{family.name, std::move(options)};
  variant.as_it_comes = variant.options.empty();
  const auto set = [&](const std::string& name, const std::string& value) {
    if (has_option(family, name)) { variant.options.try_emplace(name, value); }
  };
  if (!variant.one_answer()) {
    set("max-iterations", "12");
    set("passes", "2");
  } else if (variant.options.contains("optimizer")) {
    const std::string optimizer = variant.options.at("optimizer");
    if (optimizer == "gradient-descent") { set("step", "2"); }
    // It would take ten thousand steps, and is on the same way whatever the order.
    if (optimizer == "iis") { set("max-iterations", "20"); }
    set("tolerance", "1e-10");
  }
  return variant;
}

std::vector<Variant> every_variant() {
  std::vector<Variant> all = further_variants();
  for (const auto& family : families()) {
    all.push_back(made_variant(family, {}));
    for (const auto& option : family.options) {
      if (option.type == OptionType::flag) {
        all.push_back(made_variant(family, {{option.name, "true"}}));
      }
      for (const auto& choice : option.choices) {
        if (choice == "groups") { continue; }  // they name classes
        all.push_back(made_variant(family, {{option.name, choice}}));
      }
    }
  }
  return all;
}

/// A column of documents, whose words tell the class a little.
void add_documents(Table& table, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  table.names.emplace_back("note");
  for (auto& row : table.rows) {
    const auto shift = static_cast<std::uint64_t>(row[0].back());
    const std::uint64_t length = 6 + random() % 20;
    std::string text;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t word = random() % 3 == 0 ? 7 * shift + random() % 9 : random() % 200;
      text += (text.empty() ? "word" : " word") + std::to_string(word);
    }
    row.push_back(text);
  }
}

void drop_numbers(Table& table) {
  const auto drop = [](std::vector<std::string>& cells) {
    cells.erase(cells.begin() + 1, cells.begin() + 6);
  };
  drop(table.names);
  for (auto& row : table.rows) { drop(row); }
}

}  // namespace

std::string Variant::name() const {
  std::string text = family;
  for (const auto& [option, value] : options) { text += " --" + option + " " + value; }
  return text;
}

bool Variant::one_answer() const {
  const auto optimizer = options.find("optimizer");
  return record().capabilities.one_answer &&
         (optimizer == options.end() || optimizer->second != "sgd");
}

bool Variant::mergeable() const {
  return record().capabilities.mergeable && !options.contains("condense");
}

bool Variant::symmetric() const {
  if (record().capabilities.many_classes) { return true; }
  const auto link = options.find("link");
  return has_option(record(), "link") && (link == options.end() || link->second != "cloglog");
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = every_variant();
  return all;
}

bool LawData::fits(const Variant& variant) const {
  const FamilyRecord& family = variant.record();
  const Capabilities& takes = family.capabilities;
  switch (kind) {
    case Rows::numbers_and_levels:
      return takes.numbers && takes.many_classes;
    case Rows::levels:
      return !takes.numbers && takes.many_classes;
    case Rows::documents:
      return has_option(family, "tokens");
    case Rows::two_classes:  // what takes more has been there with all its choices
      return takes.numbers && !takes_causes(family) && (!takes.many_classes || variant.as_it_comes);
    case Rows::causes:
      break;
  }
  return takes_causes(family);
}

LawData law_data(std::size_t rows, std::uint64_t seed) {
  LawData data;
  SUBCASE("numbers and levels") {}
  SUBCASE("levels only") { data.kind = Rows::levels; }
  SUBCASE("documents") { data.kind = Rows::documents; }
  SUBCASE("two classes") { data.kind = Rows::two_classes; }
  SUBCASE("causes") { data.kind = Rows::causes; }
  data.classes = data.kind >= Rows::two_classes ? 2 : 3;
  data.table =
      data.kind == Rows::causes ? made_causes(rows, seed) : made_table(rows, data.classes, seed);
  if (data.kind == Rows::documents) { add_documents(data.table, seed); }
  if (data.kind == Rows::levels) { drop_numbers(data.table); }
  return data;
}

}  // namespace logodds::test
