// The JSON header of a container, read without trust.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::modelfile {

struct HeaderTensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> offsets;  ///< data_offsets: two numbers in a sound file
};

struct Header {
  bool sound = false;  ///< the text was read to its end and held nothing else than these
  std::map<std::string, std::string, std::less<>> metadata;
  std::vector<HeaderTensor> tensors;  ///< in the order of the text; names may repeat
};

/// What could be read before the first thing that has no place in a header. Memory stays within a
/// small multiple of the text's length, whatever the text.
[[nodiscard]] Header parse_header(std::string_view text);

}  // namespace logodds::modelfile
