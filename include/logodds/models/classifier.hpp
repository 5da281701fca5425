// A fitted model, as the command, Python and the web see it.
#pragma once

#include <span>
#include <string>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/models/description.hpp"
#include "logodds/registry/options.hpp"

namespace logodds {

namespace modelfile {
class Writer;
}

class Classifier {
 public:
  Classifier(std::string family, Schema schema, Options options)
      : family_(std::move(family)), schema_(std::move(schema)), options_(std::move(options)) {}
  Classifier(const Classifier&) = delete;
  Classifier& operator=(const Classifier&) = delete;
  virtual ~Classifier() = default;

  /// Discriminants a_k(x) for every row of the block, up to a constant of the row:
  /// out is row-major, block.rows x labels().size(). The block must be complete (no missing
  /// values) unless the family says it takes them. -infinity is a score. Scores that overflow may
  /// be NaN or infinite: score(), evaluate() and posteriors() refuse such a row.
  virtual void log_scores(const RowBlock& block, std::span<double> out) const = 0;
  [[nodiscard]] virtual Description describe() const = 0;
  /// Adds the family's own tensors; schema and options are written by modelfile::to_bytes().
  virtual void save(modelfile::Writer& writer) const = 0;

  [[nodiscard]] const std::string& family() const { return family_; }
  [[nodiscard]] const Schema& schema() const { return schema_; }
  [[nodiscard]] const std::vector<std::string>& labels() const { return schema_.labels; }
  [[nodiscard]] const Options& options() const { return options_; }

 private:
  std::string family_;
  Schema schema_;
  Options options_;
};

}  // namespace logodds
