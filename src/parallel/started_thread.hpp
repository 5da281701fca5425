// A thread that begins at once, if a processor is free.
#pragma once

#include <functional>

#ifdef __GLIBC__
#include <pthread.h>
#else
#include <thread>
#endif

namespace logodds::parallel {

/// Linux may queue a new thread behind the one that starts it, and look for a free processor some
/// milliseconds later, when pieces of work of that size are done already: it is therefore started
/// on any processor but that of the caller, and may go anywhere from then on.
class StartedThread {
 public:
  /// `body` must not throw. Throws std::system_error when the system has no more threads to give.
  explicit StartedThread(std::function<void()> body);
  StartedThread(const StartedThread&) = delete;
  StartedThread(StartedThread&&) = delete;
  StartedThread& operator=(const StartedThread&) = delete;
  StartedThread& operator=(StartedThread&&) = delete;
  /// Waits for its end.
  ~StartedThread();

 private:
#ifdef __GLIBC__
  static void* run(void* self);

  std::function<void()> body_;
  cpu_set_t allowed_;  ///< to the caller, hence to the thread after its start
  bool away_;          ///< whether it is started elsewhere
  pthread_t thread_;
#else
  std::thread thread_;
#endif
};

}  // namespace logodds::parallel
