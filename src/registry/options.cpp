#include "logodds/registry/options.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

[[noreturn]] void refuse(const OptionSpec& spec, const std::string& why) {
  throw Error(ErrorCode::usage, "option --" + spec.name + ": " + why);
}

std::string joined(const std::vector<std::string>& words, const std::string& prefix = "") {
  std::string text;
  for (const auto& word : words) { text += (text.empty() ? "" : ", ") + prefix + word; }
  return text;
}

/// 100000 rather than 1e+05.
std::string plain(double bound) {
  constexpr double kReadable = 1e9;
  const bool whole = std::abs(bound) < kReadable && bound == std::floor(bound);
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : format_number(bound);
}

/// "give a whole number from 1 to 9".
std::string advice(const OptionSpec& spec) {
  const bool low = std::isfinite(spec.minimum);
  const bool high = std::isfinite(spec.maximum);
  std::string text = spec.type == OptionType::integer ? "give a whole number" : "give a number";
  if (low && high) {
    text += " from " + format_number(spec.minimum) + " to " + plain(spec.maximum);
  } else if (low) {
    text += " of at least " + format_number(spec.minimum);
  } else if (high) {
    text += " of at most " + format_number(spec.maximum);
  }
  return text;
}

void check_range(const OptionSpec& spec, const std::string& value, double number) {
  if (number >= spec.minimum && number <= spec.maximum) { return; }
  refuse(spec, "'" + value + "' is out of range; " + advice(spec));
}

/// For what parse_number refuses: "inf" and "1e999" are infinite, "nan" is nan;
/// nothing for what is no number at all.
std::optional<double> parse_extreme(std::string_view token) {
  token.remove_prefix(token.starts_with('+') ? 1 : 0);
  double number = 0.0;
  const char* const end = token.data() + token.size();
  const auto [stop, problem] = fast_float::from_chars(token.data(), end, number);
  if (problem == std::errc::invalid_argument || stop != end) { return std::nullopt; }
  return number;
}

[[noreturn]] void refuse_real(const OptionSpec& spec, const std::string& value) {
  const auto number = parse_extreme(value);
  const bool infinite = number && std::isinf(*number);
  refuse(spec,
         "'" + value + (infinite ? "' is not finite; " : "' is not a number; ") + advice(spec));
}

std::string checked_real(const OptionSpec& spec, const std::string& value) {
  const auto number = parse_number(value);
  if (!number) { refuse_real(spec, value); }
  check_range(spec, value, *number);
  return format_number(*number == 0.0 ? 0.0 : *number);  // -0 and 0 are the same option
}

/// "12" and, because people type them, "12.0" and "1e3"; nothing when it is no whole number or
/// does not fit in 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view token) {
  std::int64_t whole = 0;
  const char* const end = token.data() + token.size();
  const auto [stop, problem] = std::from_chars(token.data(), end, whole);
  if (problem == std::errc{} && stop == end) { return whole; }
  if (problem == std::errc::result_out_of_range) { return std::nullopt; }
  constexpr double kLimit = 9007199254740992.0;  // 2^53: beyond it doubles skip whole numbers
  const auto number = parse_number(token);
  if (!number || std::trunc(*number) != *number || std::abs(*number) > kLimit) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

[[noreturn]] void refuse_integer(const OptionSpec& spec, const std::string& value) {
  const auto number = parse_extreme(value);
  if (!number || std::trunc(*number) != *number) {  // nan is unequal to itself
    refuse(spec, "'" + value + "' is not a whole number; " + advice(spec));
  }
  const std::string low =
      std::isfinite(spec.minimum) ? format_number(spec.minimum) : "-9223372036854775808";
  const std::string high =
      std::isfinite(spec.maximum) ? format_number(spec.maximum) : "9223372036854775807";
  refuse(spec, "'" + value + "' is out of range; give a whole number from " + low + " to " + high +
                   ", in digits");
}

std::string checked_integer(const OptionSpec& spec, const std::string& value) {
  const auto number = parse_integer(value);
  if (!number) { refuse_integer(spec, value); }
  check_range(spec, value, static_cast<double>(*number));
  return std::to_string(*number);
}

std::string checked_choice(const OptionSpec& spec, const std::string& value) {
  if (std::ranges::find(spec.choices, value) == spec.choices.end()) {
    refuse(spec, "'" + value + "' is not one of " + joined(spec.choices) +
                     did_you_mean(value, spec.choices));
  }
  return value;
}

std::string checked_flag(const OptionSpec& spec, const std::string& value) {
  if (value == "true" || value == "yes" || value == "1") { return "true"; }
  if (value == "false" || value == "no" || value == "0") { return "false"; }
  refuse(spec, "'" + value + "' is neither true nor false; give true or false");
}

std::string checked_text(const OptionSpec& spec, const std::string& value) {
  if (spec.canonical == nullptr) { return value; }
  try {
    return spec.canonical(value);
  } catch (const std::invalid_argument& problem) {
    constexpr std::size_t kShown = 60;
    const bool cut = value.size() > kShown;
    refuse(spec, "'" + value.substr(0, kShown) + (cut ? "...' " : "' ") + problem.what());
  }
}

std::string checked(const OptionSpec& spec, const std::string& value) {
  switch (spec.type) {
    case OptionType::real:
      return checked_real(spec, value);
    case OptionType::integer:
      return checked_integer(spec, value);
    case OptionType::choice:
      return checked_choice(spec, value);
    case OptionType::text:
      return checked_text(spec, value);
    case OptionType::flag:
      break;
  }
  return checked_flag(spec, value);
}

[[noreturn]] void refuse_unknown(const std::vector<OptionSpec>& specs, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& spec : specs) { known.push_back(spec.name); }
  const std::string nearest = nearest_name(name, known);
  std::string cure = "this model takes no options";
  if (!nearest.empty()) {
    cure = "did you mean --" + nearest + "?";
  } else if (!known.empty()) {
    cure = "the options are " + joined(known, "--");
  }
  throw Error(ErrorCode::usage, "there is no option --" + name + "; " + cure);
}

const std::string& value_of(const std::map<std::string, std::string, std::less<>>& values,
                            std::string_view name) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw Error(ErrorCode::usage,
                "there is no option --" + std::string(name) + "; declare it in the registry");
  }
  return found->second;
}

}  // namespace

std::string_view to_string(OptionType type) {
  switch (type) {
    case OptionType::real:
      return "real";
    case OptionType::integer:
      return "integer";
    case OptionType::choice:
      return "choice";
    case OptionType::text:
      return "text";
    case OptionType::flag:
      break;
  }
  return "flag";
}

Options::Options(const std::vector<OptionSpec>& specs,
                 const std::map<std::string, std::string>& given) {
  for (const auto& [name, value] : given) {
    if (std::ranges::find(specs, name, &OptionSpec::name) == specs.end()) {
      refuse_unknown(specs, name);
    }
  }
  for (const auto& spec : specs) {
    const auto found = given.find(spec.name);
    values_[spec.name] = checked(spec, found == given.end() ? spec.default_value : found->second);
  }
}

double Options::real(std::string_view name) const {
  return parse_number(value_of(values_, name)).value();
}

std::int64_t Options::integer(std::string_view name) const {
  return parse_integer(value_of(values_, name)).value();
}

const std::string& Options::choice(std::string_view name) const { return value_of(values_, name); }

bool Options::flag(std::string_view name) const { return value_of(values_, name) == "true"; }

}  // namespace logodds
