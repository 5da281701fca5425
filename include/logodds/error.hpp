// The one error type of the library: a code for programs, a sentence for people.
#pragma once

#include <stdexcept>
#include <string>

namespace logodds {

enum class ErrorCode {
  usage,       ///< an option, name or value that the caller chose does not exist or does not fit
  input,       ///< the data cannot be read as asked (the sentence names file, line, column, value)
  model_file,  ///< a model file is damaged, truncated, of another version, or not a model file
  numeric,     ///< the data does not determine the model (singular covariance, one class, ...)
  io           ///< the operating system refused to open, read, write or rename
};

/// `what()` is one sentence that says what is wrong, where, and what to do about it.
/// It carries no program name and no trailing newline: the edge that shows it adds them.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace logodds
