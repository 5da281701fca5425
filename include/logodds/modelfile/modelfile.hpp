// Models to bytes and files, and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logodds/models/classifier.hpp"

namespace logodds::modelfile {

/// The whole model as a container. Metadata: "family", "schema" (JSON: target, labels, columns with
/// name, kind, levels), "options" (JSON object of strings).
[[nodiscard]] std::string to_bytes(const Classifier& model);
/// `name` stands in error sentences. Throws Error(model_file).
[[nodiscard]] std::unique_ptr<Classifier> from_bytes(std::string_view bytes,
                                                     const std::string& name);

/// Writes to a temporary file beside `path`, syncs it and renames it over `path`: whatever happens,
/// `path` holds the old content or the new. Throws Error(io).
void write_file_atomically(const std::string& path, std::string_view bytes);

void save(const Classifier& model, const std::string& path);
[[nodiscard]] std::unique_ptr<Classifier> load(const std::string& path);

}  // namespace logodds::modelfile
