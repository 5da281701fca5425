#include "choose/closed_forms.hpp"

#include <algorithm>
#include <array>

#include "choose/statistics_of_folds.hpp"
#include "choose/statistics_without_row.hpp"
#include "models/gaussian/gaussian.hpp"
#include "models/gaussian/leave_one_out.hpp"
#include "models/naive_bayes/naive_bayes.hpp"

namespace logodds::choose {

namespace {

template <Family F>
std::unique_ptr<FoldModels> folds_of(const FamilyRecord& family, const Table& table,
                                     std::vector<RowRange> folds, MissingRows missing) {
  return std::make_unique<StatisticsOfFolds<F>>(family, table, std::move(folds), missing);
}

template <Family F, DirectPosteriors<F> Direct = nullptr>
std::unique_ptr<FoldModels> rows_of(const FamilyRecord& family, const Table& table,
                                    MissingRows missing) {
  return std::make_unique<StatisticsWithoutRow<F>>(family, table, missing, Direct);
}

using models::gaussian::GaussianFamily;
using models::naive_bayes::NaiveFamily;

constexpr std::array<ClosedForm, 3> kClosedForms = {{
    {"gaussian", folds_of<GaussianFamily>,
     rows_of<GaussianFamily, models::gaussian::leave_one_out>},
    {"naive-bayes", folds_of<NaiveFamily>, rows_of<NaiveFamily>},
    {"table", folds_of<NaiveFamily>, rows_of<NaiveFamily>},
}};

}  // namespace

const ClosedForm* find_closed_form(std::string_view family) {
  const auto* const found = std::ranges::find(kClosedForms, family, &ClosedForm::family);
  return found == kClosedForms.end() ? nullptr : found;
}

}  // namespace logodds::choose
