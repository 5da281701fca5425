// Which vector instructions the inner loops use. The best of the machine, unless told otherwise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logodds::kernels {

/// Vector levels this machine can run, best first: "avx512", "avx2", "sse4", "plain".
[[nodiscard]] std::vector<std::string> available_levels();
/// The level in use.
[[nodiscard]] std::string level();
/// Uses `name` from now on; empty: the best. Throws Error(usage) naming the available ones.
/// Not to be called while other threads compute.
void set_level(std::string_view name);

}  // namespace logodds::kernels
