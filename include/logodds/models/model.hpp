// What a model file holds, whether it decides about rows or describes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logodds/data/schema.hpp"
#include "logodds/models/description.hpp"
#include "logodds/registry/options.hpp"

namespace logodds {

namespace modelfile {
class Writer;
}

/// A parameter as an array, row-major.
struct NamedArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

class Model {
 public:
  Model(std::string family, Schema schema, Options options)
      : family_(std::move(family)), schema_(std::move(schema)), options_(std::move(options)) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual Description describe() const = 0;
  /// The parameters, for programs: "means", "covariances", "priors", ...
  [[nodiscard]] virtual std::vector<NamedArray> arrays() const { return {}; }
  /// One of them, without the work for the others; of no shape when there is none of that name.
  [[nodiscard]] virtual NamedArray array(std::string_view name) const {
    for (auto& found : arrays()) {
      if (found.name == name) { return std::move(found); }
    }
    return {};
  }
  /// Adds the family's own tensors; schema and options are written by modelfile::to_bytes().
  virtual void save(modelfile::Writer& writer) const = 0;

  [[nodiscard]] const std::string& family() const { return family_; }
  [[nodiscard]] const Schema& schema() const { return schema_; }
  [[nodiscard]] const Options& options() const { return options_; }

 private:
  std::string family_;
  Schema schema_;
  Options options_;
};

}  // namespace logodds
