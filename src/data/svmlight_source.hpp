// svmlight files as a source of row blocks.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logodds/data/sparse.hpp"

namespace logodds {

/// Like open_svmlight() and open_svmlight_pairs(), from bytes in memory that outlive the source.
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_bytes(std::string_view bytes,
                                                               const std::string& name);
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_bytes(std::string_view bytes,
                                                               const std::string& name,
                                                               const Schema& schema,
                                                               LabelUse labels);
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_pairs_bytes(std::string_view bytes,
                                                                     const std::string& name);

}  // namespace logodds
