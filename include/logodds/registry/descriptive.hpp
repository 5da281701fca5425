// One record a kind of descriptive model: its name in files, its options, how it is fitted and
// loaded.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/models/descriptive.hpp"
#include "logodds/registry/options.hpp"

namespace logodds {

namespace modelfile {
class Reader;
}

struct DescriptiveRecord {
  std::string name;
  std::string holds;  ///< what a file of it holds: "principal axes"
  std::string use;    ///< what to do with such a file: "'logodds project MODEL DATA' writes ..."
  bool labelled = false;  ///< the rows must have labels
  std::vector<OptionSpec> options;
  std::function<DescriptiveFit(BlockSource&, Options, MissingRows, const Context&)> fit;
  std::function<std::unique_ptr<DescriptiveModel>(const modelfile::Reader&, Schema, Options)> load;
};

[[nodiscard]] const std::vector<DescriptiveRecord>& descriptive_records();
/// Null when there is none of that name.
[[nodiscard]] const DescriptiveRecord* find_descriptive(std::string_view name);

}  // namespace logodds
