// Pictures of models of made-up rows.
#pragma once

#include <map>
#include <string>

#include "logodds/plots/plots.hpp"
#include "support/sample.hpp"

namespace logodds::test {

/// The rows, read against the model's schema.
inline plots::PlotInput input_of(const Classifier& model, const Sample& sample) {
  return {.model = &model, .open_rows = [&model, &sample] {
            MatrixData data = sample.data();
            data.allow_missing = true;
            return open_matrix(data, model.schema());
          }};
}

inline Fit trained(const Sample& sample, const std::string& family,
                   const std::map<std::string, std::string>& options = {}) {
  const auto source = open_matrix(sample.data());
  return train(*source, family, options);
}

}  // namespace logodds::test
