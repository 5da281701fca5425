// Options of a family: one record each drives parsing, checks, help, JSON and Python signatures.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace logodds {

/// `text` is anything that the option's own `canonical` accepts.
enum class OptionType : std::uint8_t { real, integer, choice, flag, text };

[[nodiscard]] std::string_view to_string(OptionType type);

struct OptionSpec {
  std::string name;  ///< as on the command line without the dashes: "covariance"
  OptionType type = OptionType::real;
  std::string default_value;           ///< as it would be typed
  std::string help;                    ///< one line, no full stop
  std::vector<std::string> choices{};  ///< for OptionType::choice
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  /// For OptionType::text: the command is given the name of a file that holds the value.
  bool from_file = false;
  /// For OptionType::text: "ml|uniform|smoothed:ALPHA|A=P,..." in help.
  std::string form{};
  /// For OptionType::text: the value in its shortest form; throws std::invalid_argument with the
  /// rest of the sentence "option --name: 'value' " when it cannot be read. Null: any text.
  std::string (*canonical)(const std::string& value) = nullptr;
};

/// Values for every option of a family, checked against its specs. Numbers are kept in their
/// shortest form, so equal options are equal text.
class Options {
 public:
  Options() = default;
  /// Defaults for what `given` does not name. Throws Error(usage) with the nearest name for an
  /// unknown option, and with the allowed range or choices for a value that does not fit.
  Options(const std::vector<OptionSpec>& specs, const std::map<std::string, std::string>& given);

  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] const std::string& choice(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const { return choice(name); }
  /// Puts another value in the place of one; it must be in its shortest form.
  void replace(std::string_view name, std::string value) {
    values_.find(name)->second = std::move(value);
  }
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& values() const {
    return values_;
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// The candidate closest to `name` in edit distance, or empty when none is near.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       const std::vector<std::string>& candidates);
/// "; did you mean 'x'?" for the nearest candidate, or empty.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace logodds
