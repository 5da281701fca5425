// Models to bytes and files, and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logodds/modelfile/atomic_file.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/descriptive.hpp"

namespace logodds::modelfile {

/// The whole model as a container. Metadata: "family", "schema" (JSON: target, labels, columns with
/// name, kind, levels), "options" (JSON object of strings).
[[nodiscard]] std::string to_bytes(const Model& model);
/// Whatever the file holds: a Classifier or a DescriptiveModel. `name` stands in error sentences.
/// Throws Error(model_file).
[[nodiscard]] std::unique_ptr<Model> any_from_bytes(std::string_view bytes,
                                                    const std::string& name);
/// Throws Error(model_file) as well when it is of the other kind, saying what it is good for.
[[nodiscard]] std::unique_ptr<Classifier> from_bytes(std::string_view bytes,
                                                     const std::string& name);
[[nodiscard]] std::unique_ptr<DescriptiveModel> descriptive_from_bytes(std::string_view bytes,
                                                                       const std::string& name);

void save(const Model& model, const std::string& path);
[[nodiscard]] std::unique_ptr<Model> load_any(const std::string& path);
[[nodiscard]] std::unique_ptr<Classifier> load(const std::string& path);
[[nodiscard]] std::unique_ptr<DescriptiveModel> load_descriptive(const std::string& path);

}  // namespace logodds::modelfile
