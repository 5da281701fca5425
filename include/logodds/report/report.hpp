// One page about a model: what was fitted, how good it is on labelled rows, where it errs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::report {

/// Labelled rows, read against the model's schema; each call opens them from the first row on.
struct RowsOf {
  std::string name;  ///< of the file
  std::function<std::unique_ptr<BlockSource>()> open{};
};

struct ReportInput {
  const Classifier* model = nullptr;
  std::string model_name;
  RowsOf data;
  RowsOf training{};  ///< without open(): not given
  /// They are known to be the same rows; make_report() also finds that out by itself, unless they
  /// have more columns than it keeps rows of.
  bool training_is_data = false;
  /// Command lines, or what else makes this page again.
  std::vector<std::string> how_made{};
  std::string version{};
};

struct ReportOptions {
  double level = 0.95;         ///< of the intervals
  std::size_t rows_shown = 8;  ///< of those that the model is most wrong and most unsure about
};

struct ReportPage {
  std::string html;
  std::vector<std::string> notes;  ///< the warnings that are on the page
};

/// A self-contained page: no network, light and dark, for phones and paper. The data is read once.
/// Throws Error(usage) for a model whose classes no label is to be compared with.
[[nodiscard]] ReportPage make_report(const ReportInput& input, const ReportOptions& options = {},
                                     const Context& context = {});

}  // namespace logodds::report
