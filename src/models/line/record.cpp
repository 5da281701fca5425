#include "models/line/family.hpp"

namespace logodds::models::line {

DescriptiveRecord record();

DescriptiveRecord record() {
  return make_descriptive<LineFamily>({
      .name = "line",
      .holds = "a least-squares line",
      .use = "'logodds line MODEL DATA' writes its values at the rows of a file",
      .options = {{.name = "no-intercept",
                   .type = OptionType::flag,
                   .default_value = "false",
                   .help = "the line goes through the origin"}},
      .fit = {},
      .load = {},
  });
}

}  // namespace logodds::models::line
