// Where runs of marked bytes begin and end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

/// Begin and end of every run of 1 among the first `size` bits, one after the other, to `edges`,
/// which needs room for `size` + 8; returns how many numbers these are. Without `singles` a run of
/// one bit is none. Of the 64 bits behind the last that hold one of `size`, the first is read, too.
[[nodiscard]] std::size_t run_edges(const std::uint64_t* bits, std::size_t size, bool singles,
                                    std::uint32_t* edges);

namespace reference {
[[nodiscard]] std::size_t run_edges(const std::uint64_t* bits, std::size_t size, bool singles,
                                    std::uint32_t* edges);
}  // namespace reference

}  // namespace logodds::kernels
