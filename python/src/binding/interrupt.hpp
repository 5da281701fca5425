// Long work that Ctrl-C can stop.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <type_traits>

#include "logodds/context.hpp"

namespace logodds::binding {

struct Interrupted {};  ///< thrown to end the work; never leaves run_interruptibly()

/// Runs work(context) in the caller's thread, without the GIL. That thread, in which alone Python
/// sees signals, looks for them now and then when it calls `context.progress`; after one, this and
/// the next call of any other thread end the work, and the signal's exception is raised. The work
/// has no thread of its own, because while its caller slept the system would give both processors
/// of a small machine to its threads only after some milliseconds.
template <class Work>
auto run_interruptibly(int threads, Work work) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  const auto caller = std::this_thread::get_id();
  auto last_look = Clock::now();
  std::atomic<bool> stop = false;
  std::optional<nanobind::python_error> signal;
  Context context{.threads = threads};
  context.progress = [&](const Progress&) {
    if (std::this_thread::get_id() == caller && !stop &&
        Clock::now() - last_look >= kBetweenLooks) {
      last_look = Clock::now();
      const nanobind::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) {
        signal.emplace();
        stop = true;
      }
    }
    if (stop) { throw Interrupted{}; }
  };
  const auto unlocked = [&] {
    const nanobind::gil_scoped_release no_gil;
    return work(context);
  };
  try {
    if constexpr (std::is_void_v<decltype(work(context))>) {
      unlocked();
      if (!signal) { return; }
    } else {
      auto result = unlocked();
      if (!signal) { return result; }
    }
  } catch (const Interrupted&) {
    if (!signal) { throw; }
  }
  throw nanobind::python_error(std::move(*signal));
}

}  // namespace logodds::binding
