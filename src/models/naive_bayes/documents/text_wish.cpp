#include "models/naive_bayes/documents/text_wish.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr std::size_t kLongestGram = 32;

/// "2" or "1-3".
std::pair<std::size_t, std::size_t> parse_range(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto first = parse_number(text.substr(0, dash));
  const auto last = dash == std::string::npos ? first : parse_number(text.substr(dash + 1));
  const auto fits = [](const std::optional<double>& n) {
    return n && *n >= 1.0 && *n <= kLongestGram && *n == std::floor(*n);
  };
  if (!fits(first) || !fits(last) || *first > *last) {
    throw std::invalid_argument("is not a range of lengths; give one as in 1-2, from 1 to " +
                                std::to_string(kLongestGram));
  }
  return {static_cast<std::size_t>(*first), static_cast<std::size_t>(*last)};
}

std::string canonical_range(const std::string& text) {
  const auto [first, last] = parse_range(text);
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::string canonical_chars(const std::string& text) {
  return text.empty() ? text : canonical_range(text);
}

DocumentLimit parse_limit(const std::string& text) {
  const auto value = parse_number(text);
  const bool share = value && (*value < 1.0 || text.find('.') != std::string::npos);
  if (!value || *value < 0.0 || (share && *value > 1.0) ||
      (!share && *value != std::floor(*value))) {
    throw std::invalid_argument(
        "is neither a number of documents, as in 2, nor a share of them, as in 0.5 or 1.0");
  }
  return {*value, share};
}

std::string canonical_limit(const std::string& text) {
  const DocumentLimit limit = parse_limit(text);
  const std::string number = format_number(limit.value);
  return limit.share && limit.value == 1.0 ? "1.0" : number;
}

/// One term a line; blank lines are none.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t stop = end;
    while (stop > begin && (text[stop - 1] == '\r')) { --stop; }
    if (stop > begin) { lines.push_back(text.substr(begin, stop - begin)); }
    begin = end + 1;
  }
  return lines;
}

std::string in_order(std::vector<std::string> terms) {
  std::ranges::sort(terms);
  std::string text;
  for (const auto& term : terms) { text += (text.empty() ? "" : "\n") + term; }
  return text;
}

std::string canonical_vocabulary(const std::string& text) {
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const auto& term : lines_of(text)) {
    ++number;
    if (!seen.insert(term).second) {
      throw std::invalid_argument("names '" + term + "' twice, the second time as term " +
                                  std::to_string(number) + "; give every term once");
    }
  }
  if (!text.empty() && seen.empty()) {
    throw std::invalid_argument("holds no term; give one a line");
  }
  return in_order({seen.begin(), seen.end()});
}

std::string canonical_stop_words(const std::string& text) {
  const auto words = lines_of(text);
  const std::set<std::string> different(words.begin(), words.end());
  return in_order({different.begin(), different.end()});
}

[[noreturn]] void exclude(const std::string& a, const std::string& b, const std::string& why) {
  throw Error(ErrorCode::usage, a + " and " + b + " exclude each other: " + why);
}

text::TermRules rules_of(const Options& options) {
  text::TermRules rules;
  const bool chars = !options.text("chars").empty();
  const bool pairs = options.choice("tokens") == "pairs";
  const auto [first, last] = parse_range(options.text(chars ? "chars" : "ngrams"));
  if (chars && options.text("ngrams") != "1") {
    exclude("--chars", "--ngrams", "terms are made of characters or of words");
  }
  if (pairs && (chars || options.text("ngrams") != "1")) {
    exclude("--tokens pairs", chars ? "--chars" : "--ngrams", "such terms have no order");
  }
  rules.unit = pairs ? text::Unit::pairs : (chars ? text::Unit::chars : text::Unit::words);
  rules.shortest = first;
  rules.longest = last;
  rules.keep_case = options.flag("keep-case");
  for (const auto& word : lines_of(options.text("stop-words"))) { rules.stop_words.insert(word); }
  rules.hash_bits = static_cast<unsigned>(options.integer("hash-bits"));
  return rules;
}

TermAmount amount_of(const Options& options, TextFamily family) {
  const std::string& norm = options.choice("normalize");
  const bool binary = options.flag("binary");
  if (family == TextFamily::bernoulli && (norm != "none" || options.flag("tf-idf"))) {
    exclude("--family bernoulli", norm != "none" ? "--normalize" : "--tf-idf",
            "it asks only whether a term is there");
  }
  if (binary && norm != "none") {
    exclude("--binary", "--normalize", "a document either has a term or so much of it");
  }
  if (binary || family == TextFamily::bernoulli) { return TermAmount::presence; }
  if (norm == "none") { return TermAmount::counts; }
  return norm == "l1" ? TermAmount::l1 : TermAmount::l2;
}

void check_markov(const Options& options, const TermPlan& plan) {
  const auto refuse = [](const std::string& option) {
    exclude("--family markov", option, "it counts words, each after the one before it");
  };
  if (plan.rules.unit == text::Unit::chars) { refuse("--chars"); }
  if (plan.rules.unit == text::Unit::pairs) { refuse("--tokens pairs"); }
  if (plan.rules.longest > 1) { refuse("--ngrams"); }
  if (plan.amount == TermAmount::presence) { refuse("--binary"); }
  if (plan.amount != TermAmount::counts) { refuse("--normalize"); }
  if (options.flag("tf-idf")) { refuse("--tf-idf"); }
}

void check_given_terms(const Options& options) {
  if (!options.text("vocabulary").empty() && options.integer("max-vocabulary") > 0) {
    exclude("--vocabulary", "--max-vocabulary",
            "the terms are given, or chosen by how often they occur");
  }
}

void check_hashing(const Options& options) {
  if (options.integer("hash-bits") == 0) { return; }
  const std::string why = "buckets have no names, and there are no more than asked for";
  if (!options.text("vocabulary").empty()) { exclude("--hash-bits", "--vocabulary", why); }
  if (options.integer("max-vocabulary") > 0) { exclude("--hash-bits", "--max-vocabulary", why); }
}

TextFamily family_of(const std::string& name) {
  if (name == "bernoulli") { return TextFamily::bernoulli; }
  if (name == "complement") { return TextFamily::complement; }
  return name == "markov" ? TextFamily::markov : TextFamily::multinomial;
}

}  // namespace

TextWish::TextWish(const Options& options)
    : family(family_of(options.choice("family"))),
      family_name(options.choice("family")),
      min_documents(parse_limit(options.text("min-df"))),
      max_documents(parse_limit(options.text("max-df"))),
      max_vocabulary(static_cast<std::size_t>(options.integer("max-vocabulary"))),
      tf_idf(options.flag("tf-idf")),
      backoff(options.real("backoff")) {
  constexpr std::size_t kFewestHeld = 65536;
  TermPlan counted;
  counted.rules = rules_of(options);
  counted.amount = amount_of(options, family);
  counted.bigrams = family == TextFamily::markov;
  if (max_vocabulary > 0) { counted.most_terms = std::max(4 * max_vocabulary, kFewestHeld); }
  counted.vocabulary = lines_of(options.text("vocabulary"));
  if (family == TextFamily::markov) { check_markov(options, counted); }
  check_given_terms(options);
  check_hashing(options);
  if (family == TextFamily::markov && !(backoff > 0.0)) {
    throw Error(ErrorCode::usage, "option --backoff: give a number above 0");
  }
  plan = std::make_shared<const TermPlan>(std::move(counted));
}

std::vector<OptionSpec> text_options() {
  return {{.name = "family",
           .type = OptionType::choice,
           .default_value = "multinomial",
           .help = "law of documents: counts of words, words that are there or not, words of the "
                   "other classes, or words each after the one before",
           .choices = {"multinomial", "bernoulli", "complement", "markov"}},
          {.name = "tokens",
           .type = OptionType::choice,
           .default_value = "words",
           .help = "what a document is made of: words, or terms with their counts (a:2 b:1)",
           .choices = {"words", "pairs"}},
          {.name = "ngrams",
           .type = OptionType::text,
           .default_value = "1",
           .help = "words of a term: runs of so many",
           .form = "N|N-M",
           .canonical = canonical_range},
          {.name = "chars",
           .type = OptionType::text,
           .default_value = "",
           .help = "runs of so many characters instead of words",
           .form = "N|N-M",
           .canonical = canonical_chars},
          {.name = "min-df",
           .type = OptionType::text,
           .default_value = "1",
           .help = "leave out terms that fewer documents have: a number of them, or a share (0.01)",
           .form = "N|SHARE",
           .canonical = canonical_limit},
          {.name = "max-df",
           .type = OptionType::text,
           .default_value = "1.0",
           .help = "leave out terms that more documents have",
           .form = "N|SHARE",
           .canonical = canonical_limit},
          {.name = "max-vocabulary",
           .type = OptionType::integer,
           .default_value = "0",
           .help = "keep the most frequent terms only, in bounded memory; 0: all",
           .minimum = 0.0,
           .maximum = 1e9},
          {.name = "vocabulary",
           .type = OptionType::text,
           .default_value = "",
           .help = "the terms to count, one a line",
           .from_file = true,
           .form = "FILE",
           .canonical = canonical_vocabulary},
          {.name = "stop-words",
           .type = OptionType::text,
           .default_value = "",
           .help = "words to leave out, one a line",
           .from_file = true,
           .form = "FILE",
           .canonical = canonical_stop_words},
          {.name = "hash-bits",
           .type = OptionType::integer,
           .default_value = "0",
           .help = "count terms in 2^B buckets instead of keeping them; 0: keep them",
           .minimum = 0.0,
           .maximum = 30.0},
          {.name = "keep-case",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "do not turn capitals into small letters"},
          {.name = "binary",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "a term counts once in a document, however often it occurs"},
          {.name = "normalize",
           .type = OptionType::choice,
           .default_value = "none",
           .help = "divide the counts of a document by their sum, or by the root of their squares",
           .choices = {"none", "l1", "l2"}},
          {.name = "tf-idf",
           .type = OptionType::flag,
           .default_value = "false",
           .help = "weigh terms by ln((1 + documents) / (1 + documents that have it)) + 1"},
          {.name = "backoff",
           .type = OptionType::real,
           .default_value = "100",
           .help = "of markov: pseudo-count of the word alone against the pair of words",
           .minimum = 0.0}};
}

}  // namespace logodds::models::naive_bayes
