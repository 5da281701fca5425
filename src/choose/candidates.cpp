// The text of candidates, and which there are.
#include <algorithm>

#include "logodds/choose/comparison.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"
#include "models/lists.hpp"

namespace logodds::choose {

namespace {

using models::split;
using models::unescaped;

Candidate candidate_of(const std::string& text) {
  auto parts = split(text, ':');
  std::ranges::transform(parts, parts.begin(), unescaped);
  Candidate candidate{.family = parts.front()};
  const FamilyRecord& family = find_family(candidate.family);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw Error(ErrorCode::usage, "--models: '" + parts[i] +
                                        "' is not OPTION=VALUE; write a model with options as in "
                                        "gaussian:covariance=own");
    }
    candidate.options[parts[i].substr(0, equals)] = parts[i].substr(equals + 1);
  }
  const Options checked(family.options, candidate.options);
  for (auto& [name, value] : candidate.options) { value = checked.text(name); }
  return candidate;
}

}  // namespace

std::string Candidate::title() const {
  std::string text;
  for (const auto& [name, value] : options) {
    text += (text.empty() ? " (" : ", ") + name + " " + value;
  }
  return family + text + (text.empty() ? "" : ")");
}

std::vector<Candidate> parse_candidates(std::string_view text) {
  std::vector<Candidate> candidates;
  for (const auto& part : split(text, ',')) {
    candidates.push_back(candidate_of(part));
    const auto same = [&](const Candidate& other) {
      return other.title() == candidates.back().title();
    };
    if (std::ranges::count_if(candidates, same) > 1) {
      throw Error(ErrorCode::usage,
                  "--models names " + candidates.back().title() + " twice; name it once");
    }
  }
  return candidates;
}

std::vector<Candidate> all_candidates() {
  std::vector<Candidate> candidates;
  for (const FamilyRecord& family : families()) {
    candidates.push_back({.family = family.name});
    if (family.name == "gaussian") {
      candidates.push_back({.family = family.name, .options = {{"covariance", "own"}}});
    }
  }
  return candidates;
}

}  // namespace logodds::choose
