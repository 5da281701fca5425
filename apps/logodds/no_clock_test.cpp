// libhwy, when it is loaded, measures for some milliseconds how finely the processor's clock ticks,
// for benchmarks that nobody runs here. The program's own function comes before the library's.
#include <cstdint>

namespace hwy::platform {

// NOLINTBEGIN(readability-identifier-naming): the library's name
[[gnu::visibility("default")]] std::uint64_t TimerResolution();
std::uint64_t TimerResolution() { return 1; }
// NOLINTEND(readability-identifier-naming)

}  // namespace hwy::platform
