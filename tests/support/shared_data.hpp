// Where the real data sets are, when they are there at all.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace logodds::test {

/// The path of a file in the shared data folder (LOGODDS_SHARED_DATA, or ../shared/data beside the
/// repository), or nothing, after saying that a check was skipped.
inline std::optional<std::string> shared_data(const std::string& relative) {
  namespace fs = std::filesystem;
  const char* given = std::getenv("LOGODDS_SHARED_DATA");
  const fs::path here = fs::path(__FILE__).parent_path();  // tests/support
  const fs::path folder = given != nullptr ? fs::path(given) : here / "../../../shared/data";
  const fs::path file = folder / relative;
  if (fs::exists(file)) { return file.string(); }
  std::cout << "skipped: " << relative << " is not in the shared data folder\n";
  return std::nullopt;
}

}  // namespace logodds::test
