#include "document_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "logodds/draw/markup.hpp"
#include "logodds/report/page_head.hpp"
#include "output.hpp"

namespace logodds::app {

namespace {

using draw::append_escaped;
using draw::escaped;

/// Okabe and Ito's blue for, vermilion against: told apart by everyone.
constexpr std::string_view kStyle =
    R"(:root{color-scheme:light dark;--for:0,114,178;--against:213,94,0}
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #8886;padding:1rem 0}
h1{font-size:1.4rem}h2{font-size:1rem;margin:0 0 .5rem}
p.document{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
mark{color:inherit;background:none;border-radius:.2em;padding:0 .1em}
mark.for{background:rgba(var(--for),var(--a))}
mark.against{background:rgba(var(--against),var(--a))}
table{border-collapse:collapse;font-size:.9rem}
td{padding:.1rem .8rem .1rem 0}td.n{text-align:right;font-variant-numeric:tabular-nums}
.for-text{color:rgb(var(--for))}.against-text{color:rgb(var(--against))}
@media(prefers-color-scheme:dark){:root{--for:86,180,233;--against:230,159,0}}
)";

std::string_view tone(double contribution) { return contribution >= 0.0 ? "for" : "against"; }

double strongest(const std::vector<TextMark>& marks) {
  double most = 1e-300;
  for (const TextMark& mark : marks) {
    if (std::isfinite(mark.contribution)) { most = std::max(most, std::abs(mark.contribution)); }
  }
  return most;
}

}  // namespace

DocumentPage::DocumentPage(const Classifier& model, std::size_t top, double log_base)
    : model_(model),
      evidence_(require_evidence(model)),
      base_name_(model.options().has("priors") ? "(prior)" : "(intercept)"),
      top_(top),
      scale_(1.0 / std::log(log_base)),
      text_places_(evidence_.parts().size(), kNoText) {
  std::size_t place = 0;
  for (const Column& column : model.schema().columns) {
    if (!column.text()) { continue; }
    const auto found = std::ranges::find(evidence_.parts(), column.name);
    text_places_[static_cast<std::size_t>(found - evidence_.parts().begin())] = place++;
  }
}

std::string DocumentPage::head() {
  constexpr std::string_view kTitle = "Why each document is decided as it is";
  return fmt::format(
      "{}<body>\n<h1>{}</h1>\n"
      "<p>Words marked in <span class=\"for-text\">this color</span> speak for the class that was "
      "chosen, words in <span class=\"against-text\">this color</span> for the likeliest other: "
      "the stronger, the more they say. Pointing at a word shows its share of the log odds.</p>\n",
      report::page_head(kTitle, kStyle), kTitle);
}

std::string DocumentPage::foot() { return "</body></html>\n"; }

void DocumentPage::render(const ExplainedBlock& block, std::string& text) const {
  for (std::size_t r = 0; r < block.scored.rows.rows; ++r) { render_row(block, r, text); }
}

void DocumentPage::render_row(const ExplainedBlock& block, std::size_t row,
                              std::string& text) const {
  const ScoredBlock& scored = block.scored;
  const std::size_t number = scored.rows.first_row + row + 1;
  const std::int32_t winner = scored.decisions[row];
  const std::int32_t other = block.against[row];
  if (winner == kNoDecision || other == kNoDecision) {
    text += fmt::format("<article><h2>{}: no decision</h2></article>\n", number);
    return;
  }
  const auto& labels = model_.labels();
  const auto posterior = scored.posteriors[row * labels.size() + static_cast<std::size_t>(winner)];
  text += fmt::format(
      "<article><h2>{}: <span class=\"for-text\">{}</span> against <span class=\"against-text\">{}"
      "</span>, posterior {}, log odds {:+.3f}</h2>\n",
      number, escaped(labels[static_cast<std::size_t>(winner)]),
      escaped(labels[static_cast<std::size_t>(other)]), short_number(posterior),
      block.log_odds[row]);
  const auto marks = evidence_.marks(scored.rows, row, winner, other);
  for (std::size_t part = 0; part < text_places_.size(); ++part) {
    if (text_places_[part] == kNoText) { continue; }
    render_document(scored.rows.texts[text_places_[part]][row], part, marks, text);
  }
  render_terms(block, row, evidence_.words(scored.rows, row, winner, other), text);
  text += "</article>\n";
}

void DocumentPage::render_document(std::string_view document, std::size_t part,
                                   const std::vector<TextMark>& marks, std::string& text) const {
  constexpr double kDeepest = 0.75;  // text stays readable on it
  const double most = strongest(marks);
  text += "<p class=\"document\">";
  std::size_t at = 0;
  for (const TextMark& mark : marks) {
    if (mark.part != part) { continue; }
    append_escaped(text, document.substr(at, mark.begin - at));
    const double share = std::min(1.0, std::abs(mark.contribution) / most);
    text += fmt::format("<mark class=\"{}\" style=\"--a:{:.2f}\" title=\"{:+.3f}\">",
                        tone(mark.contribution), kDeepest * share, scale_ * mark.contribution);
    append_escaped(text, document.substr(mark.begin, mark.end - mark.begin));
    text += "</mark>";
    at = mark.end;
  }
  append_escaped(text, document.substr(at));
  text += "</p>\n";
}

void DocumentPage::render_terms(const ExplainedBlock& block, std::size_t row,
                                const std::vector<WordShare>& words, std::string& text) const {
  std::vector<std::pair<double, std::string>> terms{{block.base[row], base_name_}};
  const std::size_t parts = text_places_.size();
  for (std::size_t part = 0; part < parts; ++part) {
    if (text_places_[part] != kNoText) { continue; }
    terms.emplace_back(block.contributions[row * parts + part], evidence_.parts()[part]);
  }
  for (const WordShare& word : words) {
    const std::string times = word.count > 1.0 ? " \u00d7 " + short_number(word.count) : "";
    terms.emplace_back(scale_ * word.contribution, word.word + times);
  }
  std::ranges::stable_sort(
      terms, [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  const std::size_t shown = std::min(terms.size(), top_);
  std::vector<double> rest;
  for (std::size_t i = shown; i < terms.size(); ++i) { rest.push_back(terms[i].first); }
  terms.resize(shown);
  if (!rest.empty()) {
    terms.emplace_back(add_terms(0.0, rest), counted(rest.size(), "other", "others"));
  }
  text += "<table>\n";
  for (const auto& [contribution, name] : terms) {
    text += fmt::format("<tr><td class=\"{}-text\">{}</td><td class=\"n\">{:+.3f}</td></tr>\n",
                        tone(contribution), escaped(name), contribution);
  }
  text += "</table>\n";
}

}  // namespace logodds::app
