// The families whose models come from statistics of the rows in closed form, so that folds and
// single rows can be taken away from these.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "choose/fold_models.hpp"

namespace logodds::choose {

struct ClosedForm {
  std::string_view family;
  std::unique_ptr<FoldModels> (*folds)(const FamilyRecord&, const Table&, std::vector<RowRange>,
                                       MissingRows);
  std::unique_ptr<FoldModels> (*rows)(const FamilyRecord&, const Table&, MissingRows);
};

/// Null for a family that is fitted to the rows.
[[nodiscard]] const ClosedForm* find_closed_form(std::string_view family);

}  // namespace logodds::choose
