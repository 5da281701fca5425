// Leave-one-out errors of R's MASS (lda and qda with CV=TRUE), here by forgetting, each row
// being taken out of the model of all rows and predicted by what is left, and by cross-validation.
//
// What R does: covariances divided by n - 1 of the rows that are left (lda: by n minus the number
// of classes), and the priors of all rows, the left-out one among them. So: --divisor n-1, and
// --priors given as the shares of the classes in the whole file.
//
// R counts 26 errors of qda on wdbc: the 25 rows below, and row 153, for which CV=TRUE gives no
// class at all. (It subtracts the least distance of the whole table before it exponentiates, not
// that of the row, so that both densities of a row far out are 0 and its posterior is 0/0.) MASS's
// own qda, fitted without row 153, classifies it rightly, as we do.
#include <doctest/doctest.h>

#include "logodds/choose/cross_validation.hpp"
#include "logodds/logodds.hpp"
#include "support/sample.hpp"
#include "support/shared_data.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// A whole file in memory.
struct Rows {
  std::vector<std::string> names, label_names;
  std::vector<double> values;
  std::vector<std::int64_t> labels;

  [[nodiscard]] MatrixData data(std::size_t first, std::size_t count) const {
    MatrixData part{.features =
                        row_major(values.data() + first * names.size(), count, names.size())};
    part.names = names;
    part.labels = labels.data() + first;
    part.label_names = label_names;
    return part;
  }
};

Rows read(const std::string& path, const CsvOptions& options) {
  Rows rows;
  const auto source = open_csv(path, options);
  for (const auto& column : source->columns()) { rows.names.push_back(column.name); }
  RowBuffer buffer;
  while (source->take(buffer)) {
    source->parse(buffer);
    const RowBlock block = buffer.view();
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const row = block.numeric + r * block.numeric_stride;
      rows.values.insert(rows.values.end(), row, row + block.numeric_columns);
      rows.labels.push_back(block.labels[r]);
    }
    rows.label_names = buffer.label_values.values();  // all rows are in one block
  }
  const auto found = rows.label_names;
  std::sort(rows.label_names.begin(), rows.label_names.end(), label_less);
  for (auto& label : rows.labels) {
    label = codes_between(found, rows.label_names)[static_cast<std::size_t>(label)];
  }
  return rows;
}

/// "a=0.2,b=0.8": shares of all rows.
std::string full_priors(const Rows& rows) {
  std::string text;
  for (std::size_t k = 0; k < rows.label_names.size(); ++k) {
    const auto count =
        std::count(rows.labels.begin(), rows.labels.end(), static_cast<std::int64_t>(k));
    text += (k == 0 ? "" : ",") + rows.label_names[k] + "=" +
            format_number(static_cast<double>(count) / static_cast<double>(rows.labels.size()));
  }
  return text;
}

std::vector<std::size_t> wrong_by_forgetting(const Rows& rows, const OptionMap& options) {
  const auto model =
      train(*open_matrix(rows.data(0, rows.labels.size())), "gaussian", options).model;
  std::vector<std::size_t> wrong;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    const auto rest = forget(*model, *open_matrix(rows.data(r, 1))).model;
    const auto row = open_matrix(rows.data(r, 1), rest->schema());
    if (evaluate(*rest, *row).measures.errors() > 0.0) { wrong.push_back(r + 1); }
  }
  return wrong;
}

/// Trained anew without each row instead of forgetting it.
std::vector<std::size_t> wrong_by_retraining(const Rows& rows, const OptionMap& options) {
  const std::size_t d = rows.names.size();
  std::vector<std::size_t> wrong;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    Rows others = rows;
    const auto at = static_cast<std::ptrdiff_t>(r);
    const auto width = static_cast<std::ptrdiff_t>(d);
    others.values.erase(others.values.begin() + at * width,
                        others.values.begin() + (at + 1) * width);
    others.labels.erase(others.labels.begin() + at);
    const auto rest =
        train(*open_matrix(others.data(0, others.labels.size())), "gaussian", options).model;
    const auto row = open_matrix(rows.data(r, 1), rest->schema());
    if (evaluate(*rest, *row).measures.errors() > 0.0) { wrong.push_back(r + 1); }
  }
  return wrong;
}

/// In closed form, all rows at once.
std::vector<std::size_t> wrong_by_cross_validation(const Rows& rows, const OptionMap& options) {
  const auto source = open_matrix(rows.data(0, rows.labels.size()));
  const auto found = choose::cross_validate(
      *source,
      {.family = "gaussian", .options = options, .leave_one_out = true, .keep_posteriors = true});
  const std::size_t classes = rows.label_names.size();
  std::vector<std::size_t> wrong;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    const std::span<const double> row(found.grid[0].posteriors.data() + r * classes, classes);
    if (decide::argmax(row) != static_cast<std::size_t>(rows.labels[r])) { wrong.push_back(r + 1); }
  }
  return wrong;
}

/// Numbers of the rows that R predicts wrongly, from 1.
struct Reference {
  std::string file;
  CsvOptions options;
  std::vector<std::size_t> linear, quadratic;
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> all{
      {"wine/wine.csv", {.target = "class"}, {97, 122}, {82}},
      {"wdbc/wdbc.csv",
       {.target = "Diagnosis", .ignore = {"ID"}},
       {13,  14,  39,  41,  42,  74,  82,  87,  92,  136, 185, 191,
        195, 198, 216, 256, 262, 264, 298, 445, 490, 515, 537, 542},
       {41,  42,  82,  87,  92,  100, 136, 158, 209, 214, 216, 256, 264,
        289, 292, 298, 376, 386, 415, 422, 466, 492, 509, 529, 542}}};
  return all;
}

}  // namespace

TEST_CASE("golden: leave-one-out, as R's MASS on wine and wdbc") {
  for (const Reference& reference : references()) {
    const auto path = shared_data(reference.file);
    if (!path) { continue; }
    CAPTURE(reference.file);
    const Rows rows = read(*path, reference.options);
    OptionMap options{{"divisor", "n-1"}, {"priors", full_priors(rows)}};
    CHECK(wrong_by_forgetting(rows, options) == reference.linear);
    CHECK(wrong_by_retraining(rows, options) == reference.linear);
    CHECK(wrong_by_cross_validation(rows, options) == reference.linear);
    options["covariance"] = "own";
    CHECK(wrong_by_forgetting(rows, options) == reference.quadratic);
    CHECK(wrong_by_retraining(rows, options) == reference.quadratic);
    CHECK(wrong_by_cross_validation(rows, options) == reference.quadratic);
  }
}
