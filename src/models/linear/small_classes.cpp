#include "models/linear/small_classes.hpp"

#include <algorithm>

namespace logodds::models::linear {

void note_small_classes(const RowBlock& rows, const std::vector<std::string>& labels,
                        std::vector<std::string>& notes) {
  std::vector<std::size_t> counts(labels.size(), 0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    ++counts[static_cast<std::size_t>(rows.labels[r])];
  }
  const auto single = static_cast<std::size_t>(std::ranges::count(counts, std::size_t{1}));
  if (single == 0 || labels.size() < 2) { return; }
  if (single == labels.size()) {
    notes.emplace_back(
        "there are as many classes as rows, each of one row, so nothing can be learnt about them; "
        "are these labels classes (in a table --target names their column)?");
    return;
  }
  const auto first =
      static_cast<std::size_t>(std::ranges::find(counts, std::size_t{1}) - counts.begin());
  const std::string others =
      single == 1 ? "" : " and " + std::to_string(single - 1) + " other classes";
  notes.push_back("the class '" + labels[first] + "'" + others + (single == 1 ? " has" : " have") +
                  " only one row, which does not tell how such rows spread; give more rows, or "
                  "leave such classes out");
}

}  // namespace logodds::models::linear
