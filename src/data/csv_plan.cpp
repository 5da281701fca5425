#include "data/csv_plan.hpp"

#include <algorithm>
#include <charconv>

#include "data/csv_text.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::csv {
namespace {

[[noreturn]] void fail_usage(const std::string& sentence) {
  throw Error(ErrorCode::usage, sentence);
}

std::optional<std::size_t> position_from(const std::string& text, std::size_t count) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end || number < 1 || number > count) {
    return std::nullopt;
  }
  return number - 1;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string count_sentence(std::size_t count) {
  return (count == 1 ? "; there is 1 column"
                     : "; there are " + std::to_string(count) + " columns") +
         std::string(", numbered from 1");
}

std::string columns_sentence(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 12;
  constexpr std::size_t kMostBytes = 200;
  const std::string list = name_list(names, kMostNames);
  if (list.size() <= kMostBytes) { return "; the columns are " + list; }
  return "; there are " + std::to_string(names.size()) + " columns, the first is " +
         shown(names.front());
}

bool same_as_nan(std::string_view token) {
  return token.size() == 3 && (token[0] | 0x20) == 'n' && (token[1] | 0x20) == 'a' &&
         (token[2] | 0x20) == 'n';
}

void set_kind(Plan& plan, std::size_t field, ColumnKind kind, const Roles& roles) {
  if (field == roles.target || field == roles.weights) {
    fail_usage("column '" + plan.names[field] + "' is the " +
               (field == roles.target ? "target" : "weight column") +
               ", so its kind cannot be chosen; remove it from --kinds");
  }
  if (roles.ignored[field]) { return; }
  if (plan.fields[field].use == FieldUse::skip) {
    fail_usage("column '" + plan.names[field] +
               "' is not among those to take, so it has no kind; remove it from --kinds");
  }
  SourceColumn& column = plan.columns[plan.fields[field].column];
  column.given_kind = kind;
  column.coded = kind == ColumnKind::categorical;
  column.text = kind == ColumnKind::text;
}

bool is_feature(FieldUse use) {
  return use == FieldUse::number || use == FieldUse::level || use == FieldUse::text;
}

void add_feature(Plan& plan, std::size_t field) {
  plan.fields[field].use = FieldUse::number;
  plan.fields[field].column = plan.columns.size();
  plan.columns.push_back({plan.names[field], false, std::nullopt});
}

/// The fields that are features, in the order in which they are asked for.
std::vector<std::size_t> feature_fields(const FieldFinder& finder, const Header& header,
                                        const Roles& roles,
                                        const std::vector<std::string>& wanted) {
  std::vector<std::size_t> fields;
  const auto taken = [&](std::size_t field) {
    return field == roles.target || field == roles.weights || roles.ignored[field];
  };
  for (const auto& name : wanted) {
    const std::size_t field = finder.require(name, "columns");
    if (taken(field)) {
      fail_usage("column '" + header.names[field] + "' is named as one to take, but it is " +
                 (field == roles.target    ? "the target"
                  : field == roles.weights ? "the weight column"
                                           : "one to ignore") +
                 "; remove one of the two");
    }
    if (std::ranges::find(fields, field) != fields.end()) {
      fail_usage("column '" + header.names[field] + "' is named twice; name it once");
    }
    fields.push_back(field);
  }
  for (std::size_t field = 0; wanted.empty() && field < header.names.size(); ++field) {
    if (!taken(field)) { fields.push_back(field); }
  }
  return fields;
}

}  // namespace

MissingTokens::MissingTokens(const std::vector<std::string>& given) : given_(given) {
  for (const auto& token : given_) {
    if (const auto number = parse_number(token)) { numbers_.push_back(*number); }
  }
}

bool MissingTokens::contains(std::string_view token) const {
  if (token.empty() || token == "NA" || token == "?" || same_as_nan(token)) { return true; }
  return std::ranges::find(given_, token) != given_.end();
}

void Plan::assign_slots() {
  std::vector<std::size_t> slots;
  number_count = coded_count = text_count = 0;
  for (const auto& column : columns) {
    slots.push_back(column.text ? text_count++ : column.coded ? coded_count++ : number_count++);
  }
  for (auto& field : fields) {
    if (!is_feature(field.use)) { continue; }
    const SourceColumn& column = columns[field.column];
    field.use = column.text ? FieldUse::text : column.coded ? FieldUse::level : FieldUse::number;
    field.slot = slots[field.column];
    const bool restricted = !bound && (column.given_kind == ColumnKind::binary ||
                                       column.given_kind == ColumnKind::count);
    field.quick = field.use == FieldUse::number && !restricted;
  }
}

FieldFinder::FieldFinder(const Header& header) : header_(header) {
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    sorted_.emplace_back(header.names[i], i);
  }
  std::ranges::sort(sorted_);
}

std::optional<std::size_t> FieldFinder::find(const std::string& wanted) const {
  const auto found = std::ranges::lower_bound(sorted_, std::string_view(wanted), {},
                                              &std::pair<std::string_view, std::size_t>::first);
  if (found != sorted_.end() && found->first == wanted) { return found->second; }
  return position_from(wanted, header_.names.size());
}

std::size_t FieldFinder::require(const std::string& wanted, const std::string& what) const {
  const auto found = find(wanted);
  if (found) { return *found; }
  const std::string problem = header_.file + " has no column " + shown(wanted) + " (" + what + ")";
  if (is_number(wanted)) { fail_usage(problem + count_sentence(header_.names.size())); }
  const std::string near = did_you_mean(wanted, header_.names);
  fail_usage(problem + (near.empty() ? columns_sentence(header_.names) : near));
}

Roles find_roles(const FieldFinder& finder, const Header& header, const CsvOptions& options) {
  Roles roles;
  roles.ignored.assign(header.names.size(), false);
  if (!options.target.empty()) { roles.target = finder.require(options.target, "target"); }
  if (!options.weights.empty()) { roles.weights = finder.require(options.weights, "weights"); }
  for (const auto& name : options.ignore) { roles.ignored[finder.require(name, "ignore")] = true; }
  for (const auto& [name, kind] : options.kinds) {
    const std::size_t field = finder.require(name, "kinds");
    if (kind == ColumnKind::ignore) { roles.ignored[field] = true; }
  }
  if (roles.target && roles.target == roles.weights) {
    fail_usage("column '" + header.names[*roles.target] +
               "' is named both as the target and as the weights; name two columns");
  }
  for (const auto& [role, what] : {std::pair{roles.target, "target"}, {roles.weights, "weights"}}) {
    if (role && roles.ignored[*role]) {
      fail_usage("column '" + header.names[*role] + "' is named both as the " + what +
                 " and as one to ignore; remove one of the two");
    }
  }
  return roles;
}

Plan start_plan(const Header& header, const CsvOptions& options) {
  Plan plan;
  plan.file = header.file;
  plan.dialect = header.dialect;
  plan.named = header.named;
  plan.names = header.names;
  plan.fields.resize(header.names.size());
  plan.missing = MissingTokens(options.missing_tokens);
  plan.notes = header.notes;
  return plan;
}

Plan plan_discovery(const Header& header, const CsvOptions& options) {
  const FieldFinder finder(header);
  const Roles roles = find_roles(finder, header, options);
  Plan plan = start_plan(header, options);
  plan.label_field = roles.target;
  plan.weight_field = roles.weights;
  if (roles.target) {
    plan.fields[*roles.target].use = FieldUse::label;
    plan.target = plan.names[*roles.target];
  }
  if (roles.weights) { plan.fields[*roles.weights].use = FieldUse::weight; }
  for (const std::size_t field : feature_fields(finder, header, roles, options.columns)) {
    add_feature(plan, field);
  }
  if (plan.columns.empty()) {
    fail_usage(header.file + " has no column left to learn from" + columns_sentence(plan.names));
  }
  for (const auto& [name, kind] : options.kinds) {
    set_kind(plan, finder.require(name, "kinds"), kind, roles);
  }
  plan.assign_slots();
  return plan;
}

}  // namespace logodds::csv
