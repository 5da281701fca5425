// What only a model of p(x | C_k) can do: densities, outliers, drawn rows.
#pragma once

#include <cstdint>
#include <span>

#include "logodds/data/row_block.hpp"

namespace logodds {

class Generative {
 public:
  Generative() = default;
  Generative(const Generative&) = default;
  Generative(Generative&&) = default;
  Generative& operator=(const Generative&) = default;
  Generative& operator=(Generative&&) = default;
  virtual ~Generative() = default;

  /// ln pi_k, every one finite.
  [[nodiscard]] virtual std::span<const double> log_priors() const = 0;
  /// Free parameters, for AIC and BIC.
  [[nodiscard]] virtual double parameter_count() const = 0;
  /// ln p(x, C_k) = ln pi_k + ln p(x | C_k), with every constant; row-major rows x classes. Missing
  /// values are integrated out.
  virtual void log_joint(const RowBlock& block, std::span<double> out) const = 0;
  /// For each row the largest over the classes of P(a row of C_k is as unlikely as x): small for a
  /// row that no class explains.
  virtual void outlier_p_values(const RowBlock& block, std::span<double> out) const = 0;
  /// Rows first_row, ..., first_row + rows - 1 of the endless sequence that `seed` stands for: a
  /// class by its prior, then x from its density. Sets labels, numbers and codes of `out`. The same
  /// bits on every machine, however the sequence is cut.
  virtual void sample(std::uint64_t seed, std::size_t first_row, std::size_t rows,
                      RowBuffer& out) const = 0;
};

}  // namespace logodds
