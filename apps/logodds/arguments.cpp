#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "logodds/error.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

namespace {

template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> sentence, Values&&... values) {
  throw Error(ErrorCode::usage, fmt::format(sentence, std::forward<Values>(values)...));
}

/// The families whose options a command takes.
const std::vector<FamilyRecord>& records_for(const Command& command) {
  static const std::vector<FamilyRecord> none;
  if (!command.family_options) { return none; }
  return command.clusters ? clusterings() : families();
}

/// The record of an option that some family of the command has, or null.
const OptionSpec* find_family_option(const Command& command, std::string_view name) {
  for (const FamilyRecord& family : records_for(command)) {
    if (const OptionSpec* spec = find_option(family, name)) { return spec; }
  }
  return nullptr;
}

std::vector<std::string> known_names(const Command& command) {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if ((flag.commands & command.bit) != 0) { names.push_back(flag.spec.name); }
  }
  for (const FamilyRecord& family : records_for(command)) {
    for (const OptionSpec& spec : family.options) { names.push_back(spec.name); }
  }
  return names;
}

std::vector<std::string> takers_of(std::string_view name) {
  std::vector<std::string> takers;
  for (const Command& command : commands()) {
    const bool of_family = find_family_option(command, name) != nullptr;
    if (of_family || find_flag(name, command.bit) != nullptr) { takers.push_back(command.name); }
  }
  return takers;
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& name) {
  const std::vector<std::string> takers = takers_of(name);
  if (!takers.empty() && command.bit == kRoot) {
    refuse("option --{0} comes after a subcommand: logodds {1} --{0}", name, takers.front());
  }
  if (!takers.empty()) {
    refuse("option --{} belongs to 'logodds {}', not to 'logodds {}'", name,
           fmt::join(takers, "' and 'logodds "), command.name);
  }
  const std::string nearest = nearest_name(name, known_names(command));
  const std::string help = command.name.empty() ? "" : command.name + " ";
  if (nearest.empty()) { refuse("unknown option --{}; see 'logodds {}--help'", name, help); }
  refuse("unknown option --{}; did you mean '--{}'?", name, nearest);
}

/// Free text is not checked; everything else is, by the rules that the options of families obey.
bool checkable(const OptionSpec& spec) {
  return spec.type != OptionType::choice || !spec.choices.empty();
}

/// --missing em: the flag does not know the value, but an option of that name of some family does.
bool only_families_know(const Command& command, const OptionSpec& flag, std::string_view value) {
  const auto takes = [&](const OptionSpec* spec) {
    return spec != nullptr && std::ranges::count(spec->choices, value) > 0;
  };
  return checkable(flag) && flag.type == OptionType::choice && !takes(&flag) &&
         std::ranges::any_of(records_for(command), [&](const FamilyRecord& family) {
           return takes(find_option(family, flag.name));
         });
}

/// The family that `words` name, or null when they name none that there is.
const FamilyRecord* named_family(const Command& command, const std::vector<std::string>& words) {
  if (!command.family_options) { return nullptr; }
  if (command.clusters) {
    const auto end = std::ranges::find(words, "--");
    return &clustering(std::find(words.begin(), end, "--soft") != end);
  }
  constexpr std::string_view kFlag = "--model";
  std::string_view name;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    if (word == kFlag && i + 1 < words.size()) { name = words[i + 1]; }
    if (word.starts_with("--model=")) { name = word.substr(kFlag.size() + 1); }
  }
  const auto found = std::ranges::find(families(), name, &FamilyRecord::name);
  return found == families().end() ? nullptr : &*found;
}

/// The flag of this name; asking for one that the table lacks is a mistake of ours.
const Flag& known_flag(std::string_view name, CommandSet commands) {
  const Flag* flag = find_flag(name, commands);
  if (flag == nullptr) { refuse("option --{} is not in the table of flags", name); }
  return *flag;
}

}  // namespace

const OptionSpec* find_option(const FamilyRecord& family, std::string_view name) {
  const auto found = std::ranges::find(family.options, name, &OptionSpec::name);
  return found == family.options.end() ? nullptr : &*found;
}

const Flag* find_flag(std::string_view name, CommandSet commands) {
  const auto found = std::ranges::find_if(flags(), [&](const Flag& flag) {
    return flag.spec.name == name && (flag.commands & commands) != 0;
  });
  return found == flags().end() ? nullptr : &*found;
}

std::string Arguments::text(std::string_view flag) const {
  const auto found = values_.find(flag);
  return found != values_.end() ? found->second : known_flag(flag, command_).spec.default_value;
}

std::int64_t Arguments::integer(std::string_view flag) const {
  const OptionSpec& spec = known_flag(flag, command_).spec;
  return Options({spec}, {{spec.name, text(flag)}}).integer(flag);
}

double Arguments::real(std::string_view flag) const {
  const OptionSpec& spec = known_flag(flag, command_).spec;
  return Options({spec}, {{spec.name, text(flag)}}).real(flag);
}

class Parser {
 public:
  Parser(const Command& command, const std::vector<std::string>& words)
      : command_(command), words_(words), family_(named_family(command, words)) {
    result_.command_ = command.bit;
  }

  Arguments parse() {
    for (; next_ < words_.size() && words_[next_] != "--"; ++next_) { take_word(words_[next_]); }
    for (++next_; next_ < words_.size(); ++next_) { result_.positionals_.push_back(words_[next_]); }
    return std::move(result_);
  }

 private:
  void take_word(const std::string& word) {
    if (word.starts_with("--")) {
      take_long(word.substr(2));
    } else if (word.size() > 1 && word.front() == '-') {
      take_short(word);
    } else {
      result_.positionals_.push_back(word);
    }
  }

  void take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool joined = equals != std::string::npos;
    const std::string value = joined ? word.substr(equals + 1) : "";
    const OptionSpec* own = family_ == nullptr ? nullptr : find_option(*family_, name);
    if (own != nullptr) {
      take_family_option(*own, joined, value);
    } else if (const Flag* flag = find_flag(name, command_.bit)) {
      take_flag(*flag, joined, value);
    } else if (const OptionSpec* spec = find_family_option(command_, name)) {
      take_family_option(*spec, joined, value);
    } else {
      refuse_unknown(command_, name);
    }
  }

  void take_short(const std::string& word) {
    const auto found = std::ranges::find_if(flags(), [&](const Flag& flag) {
      return flag.letter == word[1] && (flag.commands & command_.bit) != 0;
    });
    if (found == flags().end()) {
      refuse("unknown option {}; see 'logodds {}{}--help'", word, command_.name,
             command_.name.empty() ? "" : " ");
    }
    const std::size_t begin = word.size() > 2 && word[2] == '=' ? 3 : 2;
    take_flag(*found, word.size() > 2, word.size() > 2 ? word.substr(begin) : "");
  }

  void take_flag(const Flag& flag, bool joined, const std::string& value) {
    const OptionSpec& spec = flag.spec;
    const bool is_switch = spec.type == OptionType::flag;
    if (is_switch && joined) { refuse("option --{} takes no value", spec.name); }
    const std::string taken = is_switch ? "true" : joined ? value : following_word(spec.name);
    if (taken.empty()) { refuse("option --{} has an empty value; give one", spec.name); }
    if (only_families_know(command_, spec, taken)) {
      add_family_option(spec.name, taken);
      return;
    }
    if (checkable(spec)) { static_cast<void>(Options({spec}, {{spec.name, taken}})); }
    const bool repeated = result_.family_options_.contains(spec.name);
    if (!result_.values_.emplace(spec.name, taken).second || repeated) {
      refuse_repeated(spec.name);
    }
  }

  void take_family_option(const OptionSpec& spec, bool joined, const std::string& value) {
    const bool is_switch = spec.type == OptionType::flag;
    const std::string taken = joined ? value : is_switch ? "true" : following_word(spec.name);
    add_family_option(spec.name, taken);
  }

  void add_family_option(const std::string& name, const std::string& value) {
    const bool repeated = result_.values_.contains(name);
    if (!result_.family_options_.emplace(name, value).second || repeated) { refuse_repeated(name); }
  }

  std::string following_word(const std::string& name) {
    if (next_ + 1 >= words_.size()) { refuse("option --{} needs a value", name); }
    const std::string& word = words_[next_ + 1];
    const std::string bare = word.starts_with("--") ? word.substr(2, word.find('=') - 2) : "";
    if (std::ranges::count(known_names(command_), bare) > 0 || is_short_flag(word)) {
      refuse(
          "option --{0} needs a value, and '{1}' is an option (write --{0}={1} if it is the value)",
          name, word);
    }
    ++next_;
    return word;
  }

  [[nodiscard]] bool is_short_flag(const std::string& word) const {
    return word.size() == 2 && word[0] == '-' &&
           std::ranges::any_of(flags(), [&](const Flag& flag) {
             return flag.letter == word[1] && (flag.commands & command_.bit) != 0;
           });
  }

  [[noreturn]] static void refuse_repeated(const std::string& name) {
    refuse("option --{} is given twice; give it once", name);
  }

  const Command& command_;
  const std::vector<std::string>& words_;
  const FamilyRecord* family_;  ///< that --model names, or null
  std::size_t next_ = 0;
  Arguments result_;
};

Arguments parse_arguments(const Command& command, const std::vector<std::string>& words) {
  return Parser(command, words).parse();
}

void check_positionals(const Command& command, const Arguments& arguments) {
  const std::size_t given = arguments.positionals().size();
  const std::size_t most = command.positionals.size();
  const bool endless = most > 0 && command.positionals.back().repeated;
  if (given > most && !endless) {
    refuse("argument '{}' is one too many for 'logodds {}'; usage: logodds {} {}",
           arguments.positional(most), command.name, command.name, command.usage);
  }
  if (given < most && command.positionals[given].required) {
    refuse("{} is missing; usage: logodds {} {}", command.positionals[given].name, command.name,
           command.usage);
  }
  for (std::size_t k = 0; k < given; ++k) {
    if (!arguments.positional(k).empty()) { continue; }
    refuse("argument {} is empty (''); usage: logodds {} {}",
           command.positionals[std::min(k, most - 1)].name, command.name, command.usage);
  }
}

void require_flag(const Command& command, const Arguments& arguments, std::string_view flag) {
  if (arguments.has(flag)) { return; }
  const Flag& record = known_flag(flag, command.bit);
  const std::string dashed =
      record.letter != 0 ? fmt::format("-{}", record.letter) : "--" + record.spec.name;
  refuse("option {} {} is missing ({}); example: logodds {}", dashed, record.value_name,
         record.spec.help, command.example);
}

const FamilyRecord& clustering(bool soft) { return find_clustering(soft ? "mixture" : "k-means"); }

void check_family_options(const Arguments& arguments, const FamilyRecord& record) {
  for (const auto& [name, value] : arguments.family_options()) {
    if (find_option(record, name) != nullptr) { continue; }
    if (is_clustering(record.name)) {
      const bool soft = arguments.has("soft");
      refuse("option --{} belongs to {}, not to {}; {} --soft", name, clustering(!soft).name,
             record.name, soft ? "leave out" : "add");
    }
    std::vector<std::string> owners;
    for (const FamilyRecord& other : families()) {
      if (find_option(other, name) != nullptr) { owners.push_back(other.name); }
    }
    const bool flag = find_flag(name, arguments.command()) != nullptr;
    refuse("option --{}{} belongs to model {}, not {}", name, flag ? ": '" + value + "'" : "",
           fmt::join(owners, " and "), record.name);
  }
}

}  // namespace logodds::app
