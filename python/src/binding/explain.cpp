// Why the rows of arrays and Arrow streams are decided as they are.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "arrow.hpp"
#include "given_rows.hpp"
#include "interrupt.hpp"
#include "model.hpp"

namespace nb = nanobind;

namespace logodds::binding {
namespace {

using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
/// What a word of a row's documents adds: column, word, count, contribution.
using Word = std::tuple<std::string, std::string, double, double>;
using RowWords = std::vector<std::vector<Word>>;
/// Decisions, opponents, log odds, base, contributions, and the words of models with text.
using Explained = std::tuple<Codes, Codes, Vector, Vector, Matrix, RowWords>;

struct Gathered {
  std::vector<std::int32_t> decisions;
  std::vector<std::int32_t> against;
  std::vector<double> log_odds;
  std::vector<double> base;
  std::vector<double> contributions;
  RowWords words{};

  void append(const ExplainedBlock& block) {
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    add(decisions, block.scored.decisions);
    add(against, block.against);
    add(log_odds, block.log_odds);
    add(base, block.base);
    add(contributions, block.contributions);
  }
};

/// Of each row of a block, unless it has no decision.
void append_words(const Evidence& evidence, const std::vector<std::string>& parts,
                  const ExplainedBlock& block, double unit, RowWords& out) {
  for (std::size_t r = 0; r < block.scored.rows.rows; ++r) {
    auto& row = out.emplace_back();
    if (block.against[r] == kNoDecision) { continue; }
    for (auto& word :
         evidence.words(block.scored.rows, r, block.scored.decisions[r], block.against[r])) {
      row.emplace_back(parts[word.part], std::move(word.word), word.count,
                       word.contribution / unit);
    }
  }
}

/// `missing`: whether rows that lack a value are used, or refused.
Explained explain_source(const Model& model, BlockSource& source, double log_base, bool missing,
                         int threads) {
  const Evidence& evidence = require_evidence(*model.classifier);
  const auto parts = evidence.parts();
  const bool text = model.classifier->words() != nullptr;
  const ExplainRequest request{
      .scoring = {.missing = missing ? MissingRows::use : MissingRows::error},
      .log_base = log_base};
  Gathered all;
  run_interruptibly(threads, [&](const Context& context) {
    return explain(
        *model.classifier, source,
        [&](const ExplainedBlock& block) {
          all.append(block);
          if (text) { append_words(evidence, parts, block, std::log(log_base), all.words); }
        },
        context, request);
  });
  const std::size_t rows = all.decisions.size();
  return {owning_array<Codes>(std::move(all.decisions), {rows}),
          owning_array<Codes>(std::move(all.against), {rows}),
          owning_array<Vector>(std::move(all.log_odds), {rows}),
          owning_array<Vector>(std::move(all.base), {rows}),
          owning_array<Matrix>(std::move(all.contributions), {rows, parts.size()}),
          std::move(all.words)};
}

Explained explain_array(const Model& model, const Features& features, double log_base, int threads,
                        bool missing) {
  const bool used = missing && uses_missing(model);
  const auto source = open_matrix({.features = matrix_view(features), .allow_missing = used},
                                  model.classifier->schema());
  return explain_source(model, *source, log_base, used, threads);
}

std::pair<Explained, std::vector<std::string>> explain_arrow(const Model& model,
                                                             const nb::object& stream,
                                                             double log_base, int threads) {
  const ArrowTable table = arrow_table(stream);
  const bool used = uses_missing(model);
  const auto source =
      open_arrow(table, model.classifier->schema(), used ? ArrowNulls::missing : ArrowNulls::error);
  Explained explained = explain_source(model, *source, log_base, used, threads);
  return {std::move(explained), source->notes()};
}

Explained explain_given(const Model& model, const GivenRows& rows, double log_base, int threads,
                        bool missing) {
  const bool used = missing && uses_missing(model);
  const auto source = rows.open(model.classifier->schema(), used);
  return explain_source(model, *source, log_base, used, threads);
}

}  // namespace

void bind_explain(nb::class_<Model>& model) {
  using nb::arg;
  model
      .def("evidence_parts",
           [](const Model& self) { return require_evidence(*self.classifier).parts(); })
      .def("explain_array", &explain_array, arg("features"), arg("log_base"), arg("threads"),
           arg("missing"), "Decisions, opponents, log odds, base and contributions of every row.")
      .def("explain_arrow", &explain_arrow, arg("stream"), arg("log_base"), arg("threads"))
      .def("explain_given", &explain_given, arg("rows"), arg("log_base"), arg("threads"),
           arg("missing"));
}

}  // namespace logodds::binding
