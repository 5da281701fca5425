#include "logodds/modelfile/modelfile.hpp"

#include <utility>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/registry/registry.hpp"
#include "modelfile/read_file.hpp"
#include "modelfile/schema_json.hpp"

namespace logodds::modelfile {
namespace {

const FamilyRecord& family_of(const Reader& reader, const std::string& name) {
  const std::string& wanted = reader.metadata("family");
  std::string known;
  for (const auto* const records : {&families(), &clusterings()}) {
    for (const auto& family : *records) {
      if (family.name == wanted) { return family; }
      known += (known.empty() ? "" : ", ") + family.name;
    }
  }
  throw Error(ErrorCode::model_file, name + ": it holds a model of the family '" + wanted +
                                         "', which this build does not have (it has " + known +
                                         "); open it with the logodds that saved it");
}

}  // namespace

std::string to_bytes(const Classifier& model) {
  Writer writer;
  writer.metadata("family", model.family());
  writer.metadata("schema", schema_text(model.schema()));
  writer.metadata("options", options_text(model.options()));
  model.save(writer);
  return writer.bytes();
}

std::unique_ptr<Classifier> from_bytes(std::string_view bytes, const std::string& name) {
  const Reader reader(bytes, name);
  const FamilyRecord& family = family_of(reader, name);
  try {
    Schema schema = read_schema(reader);
    Options options(family.options, read_options(reader));
    return family.load(reader, std::move(schema), std::move(options));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::model_file) { throw; }
    reader.fail(error.what());  // what is wrong in a file is the file's fault, not the caller's
  }
}

void save(const Classifier& model, const std::string& path) {
  write_file_atomically(path, to_bytes(model));
}

std::unique_ptr<Classifier> load(const std::string& path) {
  const Bytes bytes = read_file(path);
  return from_bytes({bytes.data(), bytes.size()}, path);
}

}  // namespace logodds::modelfile
