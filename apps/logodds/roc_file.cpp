#include "roc_file.hpp"

#include "csv_writing.hpp"
#include "logodds/error.hpp"
#include "logodds/measure/ranking.hpp"
#include "output_file.hpp"

namespace logodds::app {

namespace {

void append_point(std::string& text, const measure::RocCurve& curve, std::size_t i) {
  if (i == 0) {
    text += ",inf";
  } else {
    text += ',';
    append_number(text, curve.thresholds[i]);
  }
  for (const double value :
       {curve.false_positive_rates[i], curve.true_positive_rates[i], curve.precisions[i]}) {
    text += ',';
    append_number(text, value);
  }
  text += '\n';
}

}  // namespace

void check_roc_place(const Arguments& arguments) {
  if (!arguments.has("roc")) { return; }
  const std::string path = arguments.text("roc");
  for (const std::string& input : arguments.positionals()) {
    refuse_same_file(path, input, "--roc");
  }
  refuse_option_files(path, arguments, "--roc");
  check_place(path, "--roc");
}

void write_roc(const Arguments& arguments, const measure::Measures& measures,
               const std::vector<std::string>& labels) {
  if (!arguments.has("roc")) { return; }
  const measure::KeptRows* const kept = measures.kept_rows();
  if (kept == nullptr) {
    throw Error(ErrorCode::usage,
                "--roc needs the rows in memory, and they are too many; evaluate a part of them");
  }
  OutputFile file(arguments.text("roc"));
  file.write("class,threshold,false_positive_rate,true_positive_rate,precision\n");
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const measure::RocCurve curve = measure::roc_curve(*kept, k);
    std::string text;
    for (std::size_t i = 0; i < curve.thresholds.size(); ++i) {
      text += csv_field(labels[k]);
      append_point(text, curve, i);
    }
    file.write(text);
  }
  file.finish();
}

}  // namespace logodds::app
