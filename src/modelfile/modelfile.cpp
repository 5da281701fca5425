#include "logodds/modelfile/modelfile.hpp"

#include <type_traits>
#include <utility>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "logodds/modelfile/model_writing.hpp"
#include "logodds/models/adjusted.hpp"
#include "logodds/registry/descriptive.hpp"
#include "logodds/registry/registry.hpp"
#include "modelfile/read_file.hpp"
#include "modelfile/schema_json.hpp"

namespace logodds::modelfile {
namespace {

/// By the record that the file names, of a family of classifiers or of a descriptive one.
template <class Record>
auto loaded(const Reader& reader, const Record& record, bool labelled) {
  try {
    Schema schema = read_schema(reader, labelled);
    Options options(record.options, read_options(reader));
    auto model = record.load(reader, std::move(schema), std::move(options));
    if constexpr (std::is_same_v<Record, FamilyRecord>) {
      return load_adjusted(reader, std::move(model));
    } else {
      return model;
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::model_file) { throw; }
    reader.fail(error.what());  // what is wrong in a file is the file's fault, not the caller's
  }
}

/// The record of what a file holds: one of the two.
struct Held {
  const FamilyRecord* family = nullptr;
  const DescriptiveRecord* descriptive = nullptr;
};

Held held_by(const Reader& reader, const std::string& name) {
  const std::string& wanted = reader.metadata("family");
  std::string known;
  for (const auto* const records : {&families(), &clusterings()}) {
    for (const auto& record : *records) {
      if (record.name == wanted) { return {.family = &record}; }
      known += (known.empty() ? "" : ", ") + record.name;
    }
  }
  for (const auto& record : descriptive_records()) {
    if (record.name == wanted) { return {.descriptive = &record}; }
    known += ", " + record.name;
  }
  throw Error(ErrorCode::model_file, name + ": it holds a model of the family '" + wanted +
                                         "', which this build does not have (it has " + known +
                                         "); open it with the logodds that saved it");
}

Writer writer_of(const Model& model) {
  Writer writer;
  writer.metadata("family", model.family());
  writer.metadata("schema", schema_text(model.schema()));
  writer.metadata("options", options_text(model.options()));
  model.save(writer);
  return writer;
}

}  // namespace

std::string to_bytes(const Model& model) { return writer_of(model).bytes(); }

void write(const Model& model, const std::function<void(std::string_view)>& to) {
  writer_of(model).write(to);
}

std::unique_ptr<Model> any_from_bytes(std::string_view bytes, const std::string& name) {
  const Reader reader(bytes, name);
  const Held held = held_by(reader, name);
  if (held.family != nullptr) { return loaded(reader, *held.family, true); }
  return loaded(reader, *held.descriptive, held.descriptive->labelled);
}

std::unique_ptr<Classifier> from_bytes(std::string_view bytes, const std::string& name) {
  const Reader reader(bytes, name);
  const Held held = held_by(reader, name);
  if (held.family != nullptr) { return loaded(reader, *held.family, true); }
  throw Error(ErrorCode::model_file, name + ": it holds " + held.descriptive->holds +
                                         " and no classifier; " + held.descriptive->use);
}

std::unique_ptr<DescriptiveModel> descriptive_from_bytes(std::string_view bytes,
                                                         const std::string& name) {
  const Reader reader(bytes, name);
  const Held held = held_by(reader, name);
  if (held.descriptive != nullptr) {
    return loaded(reader, *held.descriptive, held.descriptive->labelled);
  }
  throw Error(ErrorCode::model_file,
              name + ": it holds a classifier of the family " + held.family->name +
                  ", neither axes nor a line; 'logodds predict MODEL DATA' decides about rows "
                  "with it");
}

void save(const Model& model, const std::string& path) {
  const Writer writer = writer_of(model);  // whatever cannot be saved leaves the file as it was
  AtomicFile file(path);
  writer.write([&](std::string_view piece) { file.write(piece); });
  file.finish();
}

std::unique_ptr<Model> load_any(const std::string& path) {
  const Bytes bytes = read_file(path);
  return any_from_bytes({bytes.data(), bytes.size()}, path);
}

std::unique_ptr<Classifier> load(const std::string& path) {
  const Bytes bytes = read_file(path);
  return from_bytes({bytes.data(), bytes.size()}, path);
}

std::unique_ptr<DescriptiveModel> load_descriptive(const std::string& path) {
  const Bytes bytes = read_file(path);
  return descriptive_from_bytes({bytes.data(), bytes.size()}, path);
}

}  // namespace logodds::modelfile
