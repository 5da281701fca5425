#include "plots/chosen_columns.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/registry/options.hpp"
#include "models/lists.hpp"

namespace logodds::plots {

std::vector<std::size_t> listed_columns(const std::string& list,
                                        const std::vector<std::string>& names,
                                        const std::string& what) {
  std::vector<std::size_t> found;
  for (const std::string& part : models::split(list, ',')) {
    const std::string name = models::unescaped(part);
    const auto place = std::ranges::find(names, name);
    if (place == names.end()) {
      throw Error(ErrorCode::usage, "option --columns: '" + name + "' is none of the " + what +
                                        " of the model" + did_you_mean(name, names));
    }
    const auto index = static_cast<std::size_t>(place - names.begin());
    if (std::ranges::find(found, index) != found.end()) {
      throw Error(ErrorCode::usage, "option --columns names '" + name + "' twice");
    }
    found.push_back(index);
  }
  return found;
}

std::string some_names(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  if (shown < names.size()) { text += " and " + std::to_string(names.size() - shown) + " others"; }
  return text;
}

}  // namespace logodds::plots
