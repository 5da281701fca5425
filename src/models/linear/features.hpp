// What the coefficients of a model are multiplied with: the columns of the design, and their basis
// expansion if one is asked for.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/registry/options.hpp"

namespace logodds::modelfile {
class Reader;
class Writer;
}  // namespace logodds::modelfile

namespace logodds::models::linear {

/// `--basis`: "none", "polynomial:DEGREE", "spline:KNOTS" or "interactions".
[[nodiscard]] OptionSpec basis_option();

class Features {
 public:
  /// The design itself, without an expansion.
  Features(const Schema& schema, OneHot one_hot);
  /// With `basis`, in the form that basis_option() gives it; `rows` say where knots and means lie.
  /// Throws Error(usage) when it does not fit the columns.
  [[nodiscard]] static Features fitted(const Schema& schema, OneHot one_hot,
                                       const std::string& basis, const RowBlock& rows);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  /// "age", "island=Biscoe", "age^2", "age x height", ...
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Design& design() const { return design_; }
  /// True when the features are the columns of the design.
  [[nodiscard]] bool plain() const { return true; }
  /// True when feature i is the i-th column of numbers: sparse rows can be used as they are.
  [[nodiscard]] bool takes_sparse() const;
  /// Dense rows; the block's own memory if the features are its columns of numbers, else `scratch`.
  /// A sparse block is spread out.
  [[nodiscard]] DesignRows encode(const RowBlock& block, std::vector<double>& scratch) const;

  /// What a feature belongs to when a decision is explained: a column of the schema, or columns
  /// together ("age x height"). `of_feature[i]` is an index into `parts`.
  [[nodiscard]] const std::vector<std::string>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<std::size_t>& of_feature() const { return of_feature_; }

  void save(modelfile::Writer& writer) const;
  /// As fitted(); knots and means come from the file.
  [[nodiscard]] static Features load(const modelfile::Reader& reader, const Schema& schema,
                                     OneHot one_hot, const std::string& basis);

 private:
  Design design_;
  std::vector<std::string> names_;
  std::vector<std::string> parts_;
  std::vector<std::size_t> of_feature_;
};

}  // namespace logodds::models::linear
