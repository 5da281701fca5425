// Long work that Ctrl-C can stop.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "logodds/context.hpp"

namespace logodds::binding {

struct Interrupted {};  ///< thrown to end the work; never leaves run_interruptibly()

/// Runs work(context) without the GIL in a thread of its own, while the caller, in whose thread
/// alone Python sees signals, looks for them now and then. After a signal the next call of
/// `context.progress` ends the work, and the signal's exception is raised.
template <class Work>
auto run_interruptibly(int threads, Work work) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  std::atomic<bool> stop = false;
  Context context{.threads = threads};
  context.progress = [&stop](const Progress&) {
    if (stop) { throw Interrupted{}; }
  };
  std::packaged_task<decltype(work(context))()> task([&] { return work(context); });
  auto result = task.get_future();
  std::optional<nanobind::python_error> signal;
  {
    const nanobind::gil_scoped_release no_gil;
    std::thread worker(std::move(task));
    while (result.wait_for(kBetweenLooks) != std::future_status::ready) {
      if (stop) { continue; }
      const nanobind::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) {
        signal.emplace();
        stop = true;
      }
    }
    worker.join();
  }
  if (signal) { throw nanobind::python_error(std::move(*signal)); }
  return result.get();
}

}  // namespace logodds::binding
