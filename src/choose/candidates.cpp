// The text of candidates, and which there are.
#include <algorithm>

#include "logodds/choose/comparison.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::choose {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      // A comma within a value stays one; the colon of "smoothed:1" too.
      if (separator == ':') {
        ++i;
      } else {
        parts.back() += text[i++];
      }
      parts.back() += text[i];
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

Candidate candidate_of(const std::string& text) {
  const auto parts = split(text, ':');
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
