// Where the real data sets are, when they are there at all.
#pragma once

#include <optional>
#include <string>

namespace logodds::test {

/// The path of a file in the shared data folder (LOGODDS_SHARED_DATA, or ../shared/data beside the
/// repository), or nothing, after saying that a check was skipped.
[[nodiscard]] std::optional<std::string> shared_data(const std::string& relative);

}  // namespace logodds::test
