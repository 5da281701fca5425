// Options of the two methods, and how many axes are kept.
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "logodds/error.hpp"
#include "models/axes/family.hpp"

namespace logodds::models::axes {

namespace {

constexpr const char* kVarying = "varying";
constexpr const char* kAll = "all";

/// A whole number of at least 1, or 0 when the text is none.
std::size_t whole_number(const std::string& text) {
  std::size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, count);
  return problem == std::errc{} && stop == end ? count : 0;
}

OptionSpec components_option(const std::string& help) {
  return {.name = "components",
          .type = OptionType::text,
          .default_value = kVarying,
          .help = help,
          .form = "M",
          .canonical = &ComponentCount::canonical};
}

OptionSpec flag(const std::string& name, const std::string& help) {
  return {.name = name, .type = OptionType::flag, .default_value = "false", .help = help};
}

}  // namespace

DescriptiveRecord pca();
DescriptiveRecord canonical();

ComponentCount::ComponentCount(const std::string& text) : text_(text) {}

std::string ComponentCount::canonical(const std::string& value) {
  if (value == kVarying || value == kAll) { return value; }
  if (const std::size_t count = whole_number(value); count > 0) { return std::to_string(count); }
  const auto share = parse_number(value);
  if (share && *share > 0.0 && *share < 1.0) { return format_number(*share); }
  throw std::invalid_argument(
      "is neither a number of axes (1, 2, ...) nor a share of the variance between 0 and 1; give "
      "one of them, or leave the option out for all axes that vary");
}

std::size_t ComponentCount::chosen(std::span<const double> values, std::size_t varying,
                                   double total, const std::string& what) const {
  if (text_ == kVarying) { return varying; }
  if (text_ == kAll) { return values.size(); }
  if (const std::size_t count = whole_number(text_); count > 0) {
    if (count <= varying) { return count; }
    throw Error(ErrorCode::usage,
                "option --components: " + text_ + " is too many, because there " +
                    (varying == 1 ? "is 1 " : "are " + std::to_string(varying) + " ") + what +
                    (varying == 1 ? " axis" : " axes") +
                    " along which something varies; take at most " + std::to_string(varying));
  }
  const double wanted = *parse_number(text_) * total;
  double sum = 0.0;
  std::size_t count = 0;
  while (count < varying && sum < wanted) { sum += values[count++]; }
  return count;
}

DescriptiveRecord pca() {
  return make_descriptive<PrincipalFamily>({
      .name = "pca",
      .holds = "principal axes",
      .use = "'logodds project MODEL DATA' writes coordinates on them",
      .options = {components_option(
                      "axes to keep: a number, or a share of the variance such as 0.95"),
                  flag("whiten", "pca: divide each coordinate by its deviation"),
                  flag("standardize", "pca: measure each column in units of its deviation")},
      .fit = {},
      .load = {},
  });
}

DescriptiveRecord canonical() {
  return make_descriptive<CanonicalFamily>({
      .name = "canonical",
      .holds = "canonical axes",
      .use = "'logodds project MODEL DATA' writes coordinates on them",
      .labelled = true,
      .options = {components_option(
                      "axes to keep: a number, or a share of the spread between the classes"),
                  {.name = "ridge",
                   .type = OptionType::real,
                   .default_value = "0",
                   .help = "canonical: added to the variances inside the classes",
                   .minimum = 0.0}},
      .fit = {},
      .load = {},
  });
}

}  // namespace logodds::models::axes
