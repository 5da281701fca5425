// Models to bytes and files, and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logodds/modelfile/atomic_file.hpp"
#include "logodds/models/classifier.hpp"

namespace logodds::modelfile {

/// The whole model as a container. Metadata: "family", "schema" (JSON: target, labels, columns with
/// name, kind, levels), "options" (JSON object of strings).
[[nodiscard]] std::string to_bytes(const Classifier& model);
/// `name` stands in error sentences. Throws Error(model_file).
[[nodiscard]] std::unique_ptr<Classifier> from_bytes(std::string_view bytes,
                                                     const std::string& name);

void save(const Classifier& model, const std::string& path);
[[nodiscard]] std::unique_ptr<Classifier> load(const std::string& path);

}  // namespace logodds::modelfile
