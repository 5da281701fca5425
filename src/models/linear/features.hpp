// What the coefficients of a model are multiplied with: the columns of the design, and their basis
// expansion if one is asked for.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/registry/options.hpp"
#include "models/linear/basis.hpp"

namespace logodds::modelfile {
class Reader;
class Writer;
}  // namespace logodds::modelfile

namespace logodds::models::linear {

/// `--basis`: "none", "polynomial:DEGREE", "spline:KNOTS" or "interactions".
[[nodiscard]] OptionSpec basis_option();

/// What is taken off the columns of numbers before they are multiplied with each other: their
/// means, so that x and x^2 are hardly correlated; or nothing, where features may not be negative.
enum class Centering : std::uint8_t { means, none };

/// The columns of the design as they are and behind them, of a polynomial or of interactions, the
/// products of them, minus their means; of a spline, the further functions of each column of
/// numbers, column by column.
class Features {
 public:
  /// The design itself, without an expansion.
  Features(const Schema& schema, OneHot one_hot);
  /// With `basis`, in the form that basis_option() gives it; `rows` say where knots and means lie.
  /// Throws Error(usage) when it does not fit the columns, and Error(numeric) when features
  /// overflow.
  [[nodiscard]] static Features fitted(const Schema& schema, OneHot one_hot,
                                       const std::string& basis, const RowBlock& rows,
                                       Centering centering = Centering::means);

  [[nodiscard]] std::size_t size() const { return names().size(); }
  /// "age", "island=Biscoe", "age^2", "age x height", "age spline 1", ...
  [[nodiscard]] const std::vector<std::string>& names() const {
    return names_.empty() ? design_.names() : names_;
  }
  [[nodiscard]] const Design& design() const { return design_; }
  /// True when the features are the columns of the design.
  [[nodiscard]] bool plain() const { return wish_.kind == BasisKind::none; }
  /// True when feature i is the i-th column of numbers: sparse rows can be used as they are.
  [[nodiscard]] bool takes_sparse() const;
  /// Dense rows; the block's own memory if the features are its columns of numbers, else `scratch`.
  /// A sparse block is spread out.
  [[nodiscard]] DesignRows encode(const RowBlock& block, std::vector<double>& scratch) const;

  /// What a feature belongs to when a decision is explained: a column of the schema, or columns
  /// together ("age+height"). `of_feature[i]` is an index into `parts`.
  [[nodiscard]] const std::vector<std::string>& parts() const {
    return parts_.empty() ? design_.names() : parts_;
  }
  [[nodiscard]] const std::vector<std::size_t>& of_feature() const { return of_feature_; }

  /// Tensors basis.center or basis.knots.
  void save(modelfile::Writer& writer) const;
  /// As fitted(); knots and means come from the file.
  [[nodiscard]] static Features load(const modelfile::Reader& reader, const Schema& schema,
                                     OneHot one_hot, const std::string& basis);

 private:
  [[nodiscard]] std::size_t numbers() const;  ///< columns of the design that are no indicators
  void fit_products(const RowBlock& rows, Centering centering);
  void fit_splines(const Schema& schema, const RowBlock& rows);
  void name_products();
  void name_splines();
  void expand(const double* design, std::vector<double>& centered, double* out) const;

  Design design_;
  std::vector<std::string> names_;  ///< empty: those of the design
  std::vector<std::string> parts_;  ///< empty: the columns of the design, which are numbers
  std::vector<std::size_t> of_feature_;
  BasisWish wish_;
  Products products_;
  std::vector<double> center_;  ///< of the design: what is taken off before columns are multiplied
  /// Of each column of numbers; empty where it stays as it is.
  std::vector<std::vector<double>> knots_;
};

/// Throws Error(numeric) for more features than a model can have that needs a matrix of them.
void check_matrix_fits(const Features& features, const std::string& model);

}  // namespace logodds::models::linear
