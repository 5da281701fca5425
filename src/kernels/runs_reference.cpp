#include "kernels/runs.hpp"

namespace logodds::kernels::reference {

std::size_t run_edges(const std::uint64_t* bits, std::size_t size, bool singles,
                      std::uint32_t* edges) {
  std::size_t count = 0;
  const auto marked = [&](std::size_t i) { return i < size && (bits[i / 64] >> i % 64 & 1U) != 0; };
  for (std::size_t begin = 0; begin < size;) {
    std::size_t end = begin;
    while (marked(end)) { ++end; }
    if (end > begin + (singles ? 0 : 1)) {
      edges[count++] = static_cast<std::uint32_t>(begin);
      edges[count++] = static_cast<std::uint32_t>(end);
    }
    begin = end + 1;
  }
  return count;
}

}  // namespace logodds::kernels::reference
