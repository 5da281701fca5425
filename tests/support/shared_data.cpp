#include "support/shared_data.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace logodds::test {

std::optional<std::string> shared_data(const std::string& relative) {
  namespace fs = std::filesystem;
  const char* given = std::getenv("LOGODDS_SHARED_DATA");
  // Not __FILE__: ccache makes it relative to the folder of the build.
  const fs::path folder =
      given != nullptr ? fs::path(given) : fs::path(LOGODDS_REPOSITORY) / "../shared/data";
  const fs::path file = folder / relative;
  if (fs::exists(file)) { return file.string(); }
  std::cout << "skipped: " << relative << " is not in the shared data folder\n";
  return std::nullopt;
}

}  // namespace logodds::test
