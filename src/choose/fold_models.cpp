#include "choose/fold_models.hpp"

#include "choose/closed_forms.hpp"

namespace logodds::choose {

namespace {

std::vector<RowRange> single_rows(const Table& table) {
  std::vector<RowRange> rows;
  for (std::size_t r = 0; r < table.rows; ++r) { rows.push_back({r, r + 1}); }
  return rows;
}

/// Models fitted to the rows themselves.
class FittedToRows final : public FoldModels {
 public:
  FittedToRows(const FamilyRecord& family, const Table& table, std::vector<RowRange> folds,
               MissingRows missing)
      : family_(family), table_(table), folds_(std::move(folds)), missing_(missing) {}

  void prepare(const Options&, const Context&) override {}

  [[nodiscard]] Fit without(std::size_t fold, const Options& options,
                            const Context& context) const override {
    const auto source =
        open_rows(table_, {{0, folds_[fold].begin}, {folds_[fold].end, table_.rows}});
    return family_.make_learner(options)->fit(*source, missing_, context);
  }

 private:
  const FamilyRecord& family_;
  const Table& table_;
  std::vector<RowRange> folds_;
  MissingRows missing_;
};

}  // namespace

bool from_statistics(const FamilyRecord& family) {
  return find_closed_form(family.name) != nullptr;
}

std::unique_ptr<FoldModels> fold_models(const FamilyRecord& family, const Table& table,
                                        std::vector<RowRange> folds, MissingRows missing) {
  if (const ClosedForm* const form = find_closed_form(family.name)) {
    return form->folds(family, table, std::move(folds), missing);
  }
  return std::make_unique<FittedToRows>(family, table, std::move(folds), missing);
}

std::unique_ptr<FoldModels> row_models(const FamilyRecord& family, const Table& table,
                                       MissingRows missing) {
  if (const ClosedForm* const form = find_closed_form(family.name)) {
    return form->rows(family, table, missing);
  }
  return std::make_unique<FittedToRows>(family, table, single_rows(table), missing);
}

}  // namespace logodds::choose
