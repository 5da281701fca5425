// From flags to what the library asks for: how to read, how to run.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "logodds/logodds.hpp"
#include "progress.hpp"

namespace logodds::app {

/// "a,b\,c" is "a" and "b,c". Throws Error(usage) for an empty item.
[[nodiscard]] std::vector<std::string> split_list(std::string_view flag, std::string_view text);

/// The model that the first argument names, or another one.
[[nodiscard]] std::unique_ptr<Classifier> load_model(const Arguments& arguments,
                                                     std::size_t index = 0);
/// The same, of whatever kind it is.
[[nodiscard]] std::unique_ptr<Model> load_any_model(const Arguments& arguments,
                                                    std::size_t index = 0);
[[nodiscard]] CsvOptions csv_options(const Arguments& arguments);
[[nodiscard]] MissingRows missing_rows(const Arguments& arguments);
/// `bar` must outlive the context.
[[nodiscard]] Context make_context(const Arguments& arguments, ProgressBar& bar);

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace logodds::app
