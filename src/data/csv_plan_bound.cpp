// Plans for rows that are read against the schema of a fitted model.
#include <string_view>
#include <unordered_set>

#include "data/csv_plan.hpp"
#include "data/csv_text.hpp"
#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::csv {
namespace {

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::input, sentence); }

std::size_t free_fields(const Roles& roles) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < roles.ignored.size(); ++i) {
    count += !roles.ignored[i] && i != roles.target && i != roles.weights ? 1U : 0U;
  }
  return count;
}

/// " (did you mean 'x'?)" for the nearest column of the file that is no feature of the model.
std::string suggestion(const std::string& name, const Header& header, const Roles& roles,
                       const Schema& schema) {
  std::unordered_set<std::string_view> features;
  for (const auto& column : schema.columns) { features.insert(column.name); }
  std::vector<std::string> free;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const bool taken = roles.ignored[i] || i == roles.target || i == roles.weights;
    if (!taken && !features.contains(header.names[i])) { free.push_back(header.names[i]); }
  }
  const std::string nearest = nearest_name(name, free);
  return nearest.empty() ? "" : " (did you mean " + shown(nearest) + "?)";
}

// Without --target the model's own target column is looked for by name. In a file without a header
// a name such as x5 is only a position, so it counts there when labels are wanted, or when the file
// has one column more than the model.
void find_target(Roles& roles, const FieldFinder& finder, const Header& header,
                 const Schema& schema, Labels labels) {
  const bool required = labels == Labels::required;
  if (!roles.target && !schema.target.empty()) {
    const auto found = finder.find(schema.target);
    const bool by_name = found && header.names[*found] == schema.target;
    const bool extra = free_fields(roles) == schema.columns.size() + 1;
    if (by_name && !roles.ignored[*found] && found != roles.weights &&
        (header.named || required || extra)) {
      roles.target = found;
    }
  }
  if (required && !roles.target) {
    const std::string name = schema.target.empty() ? "" : " '" + schema.target + "'";
    fail(header.file + " has no label column" + name +
         suggestion(schema.target, header, roles, schema) + "; name the column with --target");
  }
}

void use_feature(Plan& plan, std::size_t field, std::size_t column) {
  plan.fields[field].use = FieldUse::number;
  plan.fields[field].column = column;
}

void match_by_position(Plan& plan, const Roles& roles, const Schema& schema) {
  const std::size_t have = free_fields(roles);
  if (have != schema.columns.size()) {
    fail(plan.file + " has " + std::to_string(have) + " feature columns, but the model has " +
         std::to_string(schema.columns.size()) +
         "; without a header they are matched by position, so give exactly these columns in order "
         "(name the label column with --target N)");
  }
  std::size_t column = 0;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    if (!roles.ignored[field] && field != roles.target && field != roles.weights) {
      use_feature(plan, field, column++);
    }
  }
}

void match_by_name(Plan& plan, const Roles& roles, const FieldFinder& finder, const Header& header,
                   const Schema& schema) {
  for (std::size_t column = 0; column < schema.columns.size(); ++column) {
    const std::string& name = schema.columns[column].name;
    const auto field = finder.find(name);
    if (!field || plan.names[*field] != name) {
      const std::string near = suggestion(name, header, roles, schema);
      fail(plan.file + " has no column '" + name + "', which the model needs" + near +
           (near.empty() ? "; add" : "; rename or add") + " the column (its values may be empty)");
    }
    if (roles.ignored[*field] || field == roles.target || field == roles.weights) {
      fail(plan.file + ": column '" + name +
           "' is a feature of the model, so it cannot be ignored or serve as target or weights");
    }
    use_feature(plan, *field, column);
  }
}

void note_unused(Plan& plan, const Roles& roles) {
  constexpr std::size_t kMostNames = 10;
  std::vector<std::string> unused;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    if (plan.fields[field].use == FieldUse::skip && field != roles.target &&
        !roles.ignored[field]) {
      unused.push_back(plan.names[field]);
    }
  }
  if (!unused.empty()) {
    plan.notes.push_back(plan.file +
                         ": columns not used by the model: " + name_list(unused, kMostNames));
  }
}

void bind_codes(Plan& plan, const Schema& schema) {
  plan.columns_given = plan.bound = true;
  for (const auto& column : schema.columns) {
    plan.columns.push_back({column.name, column.coded(), column.kind, column.text()});
    if (column.coded()) { plan.level_codes.emplace_back(column.levels); }
  }
  plan.label_codes = Dictionary(schema.labels);
  plan.assign_slots();
}

/// Kinds are left open: a new number may make a count real, a new level a binary one categorical.
void take_columns(Plan& plan, const Schema& schema) {
  plan.columns_given = true;
  for (const auto& column : schema.columns) {
    plan.columns.push_back({column.name, column.coded(), std::nullopt, column.text()});
  }
  if (!schema.target.empty()) { plan.target = schema.target; }
  plan.assign_slots();
}

/// Which field is the label, the weight, and which column of the schema.
Plan matched_plan(const Header& header, const CsvOptions& options, const Schema& schema,
                  Labels labels) {
  const FieldFinder finder(header);
  CsvOptions without_kinds = options;
  without_kinds.kinds.clear();  // the model has them
  Roles roles = find_roles(finder, header, without_kinds);
  find_target(roles, finder, header, schema, labels);
  Plan plan = start_plan(header, options);
  if (labels != Labels::unread && roles.target) {
    plan.target = plan.names[*roles.target];
    plan.label_field = roles.target;
    plan.fields[*roles.target].use = FieldUse::label;
  }
  if (roles.weights) {
    plan.weight_field = roles.weights;
    plan.fields[*roles.weights].use = FieldUse::weight;
  }
  if (header.named) {
    match_by_name(plan, roles, finder, header, schema);
  } else {
    match_by_position(plan, roles, schema);
  }
  note_unused(plan, roles);
  return plan;
}

}  // namespace

Plan plan_bound(const Header& header, const CsvOptions& options, const Schema& schema,
                Labels labels) {
  Plan plan = matched_plan(header, options, schema, labels);
  plan.lenient_labels = labels == Labels::if_there;
  bind_codes(plan, schema);
  return plan;
}

Plan plan_extending(const Header& header, const CsvOptions& options, const Schema& schema) {
  const bool labelled = !schema.labels.empty();
  Plan plan = matched_plan(header, options, schema, labelled ? Labels::required : Labels::unread);
  take_columns(plan, schema);
  return plan;
}

}  // namespace logodds::csv
