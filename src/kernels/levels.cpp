// The choice of instruction set: the only place that asks the processor.
#include "kernels/targets.hpp"

#include <hwy/highway.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"

namespace logodds::kernels {
namespace {

struct Level {
  const char* name;
  std::int64_t targets;
};

constexpr std::array kLevels{Level{"avx512", HWY_AVX3 | HWY_AVX3_DL},
                             Level{"avx2", HWY_AVX2},
                             Level{"sse4", HWY_SSE4},
                             Level{"neon", HWY_NEON},
                             Level{"wasm", HWY_WASM},
                             Level{"plain", HWY_SCALAR | HWY_EMU128}};

/// Targets that were compiled and that the processor has, whatever level is in use.
std::int64_t machine_targets() {
  static const std::int64_t targets = HWY_SUPPORTED_TARGETS & HWY_TARGETS;
  return targets;
}

/// Those left by set_level; 0: all. Kept here because asking Highway 1.0 resets its choice.
std::atomic<std::int64_t> chosen_targets{0};

void choose(std::int64_t targets) {
  hwy::DisableTargets(~targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  chosen_targets = targets;
}

std::string joined_levels() {
  std::string names;
  for (const std::string& name : available_levels()) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace

std::vector<std::string> available_levels() {
  std::vector<std::string> names;
  for (const Level& level : kLevels) {
    if ((level.targets & machine_targets()) != 0) { names.emplace_back(level.name); }
  }
  return names;
}

std::string level() {
  const std::int64_t chosen = chosen_targets != 0 ? chosen_targets.load() : machine_targets();
  for (const Level& level : kLevels) {
    if ((level.targets & chosen) != 0) { return level.name; }
  }
  return "plain";
}

void set_level(std::string_view name) {
  if (name.empty()) { return choose(machine_targets()); }
  for (const Level& level : kLevels) {
    if (level.name == name && (level.targets & machine_targets()) != 0) {
      return choose(level.targets & machine_targets());
    }
  }
  throw Error(ErrorCode::usage, "vector level '" + std::string(name) +
                                    "' is not available here; choose one of: " + joined_levels());
}

}  // namespace logodds::kernels
