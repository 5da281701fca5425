// Lines of label, tab and document as a source of row blocks.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logodds/data/documents.hpp"

namespace logodds {

/// Like open_lines(), from bytes in memory that outlive the source: for tests, fuzzers and the
/// browser. `name` stands in messages.
[[nodiscard]] std::unique_ptr<BlockSource> open_lines_bytes(std::string_view bytes,
                                                            const std::string& name);
[[nodiscard]] std::unique_ptr<BlockSource> open_lines_bytes(std::string_view bytes,
                                                            const std::string& name,
                                                            const Schema& schema, LabelUse labels);

}  // namespace logodds
