// The two methods that find axes: principal and canonical.
#pragma once

#include <string>

#include "logodds/models/axes.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/descriptive_family.hpp"
#include "models/axes/statistics.hpp"

namespace logodds::models::axes {

/// How many axes are wanted: option `components`.
class ComponentCount {
 public:
  explicit ComponentCount(const std::string& text);
  /// Of axes with these eigenvalues, falling, of which the first `varying` are more than rounding.
  /// Throws Error(usage) for more than vary; `what` ("principal") stands in the sentence.
  [[nodiscard]] std::size_t chosen(std::span<const double> values, std::size_t varying,
                                   double total, const std::string& what) const;
  /// The option's value in its shortest form; throws std::invalid_argument.
  [[nodiscard]] static std::string canonical(const std::string& value);

 private:
  std::string text_;
};

struct PrincipalFamily {
  using Statistics = AxesStatistics;
  using Result = FittedAxes;
  static AxesStatistics start(const Options&) { return AxesStatistics(Grouping::together); }
  static FittedAxes estimate(const AxesStatistics& statistics, EstimatorInput input);
  static AxesStatistics load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                        const Options&) {
    return AxesStatistics::load(reader, schema, Grouping::together);
  }
};

struct CanonicalFamily {
  using Statistics = AxesStatistics;
  using Result = FittedAxes;
  static AxesStatistics start(const Options&) { return AxesStatistics(Grouping::by_class); }
  static FittedAxes estimate(const AxesStatistics& statistics, EstimatorInput input);
  static AxesStatistics load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                        const Options&) {
    return AxesStatistics::load(reader, schema, Grouping::by_class);
  }
};

}  // namespace logodds::models::axes
