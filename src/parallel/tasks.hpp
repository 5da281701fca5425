// Pieces of work of any size that do not depend on each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "logodds/context.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::parallel {

/// Runs task(i) for i < count in up to context.threads threads; each result must have its own
/// place. `what` is being done, for the progress bar.
template <class Task>
void run_tasks(std::size_t count, const Context& context, std::string_view what, Task task) {
  std::size_t next = 0;
  run_blocks<std::size_t>(
      useful_threads(context.threads, count), std::max<std::size_t>(count, 1),
      [&](std::size_t& i) {
        i = next++;
        if (context.progress && i < count) {
          context.progress(
              {.what = what, .fraction = static_cast<double>(i) / static_cast<double>(count)});
        }
        return i < count;
      },
      [&](std::size_t& i) { task(i); }, [](std::size_t&, std::size_t) {});
}

}  // namespace logodds::parallel
