// Which columns a picture shows.
#pragma once

#include <string>
#include <vector>

namespace logodds::plots {

/// The places in `names` of what option --columns lists ("a,b"), in its order. Throws Error(usage)
/// with the nearest name; `what`: "columns of numbers".
[[nodiscard]] std::vector<std::size_t> listed_columns(const std::string& list,
                                                      const std::vector<std::string>& names,
                                                      const std::string& what);
/// "a, b and 3 others"
[[nodiscard]] std::string some_names(const std::vector<std::string>& names, std::size_t most = 4);

}  // namespace logodds::plots
