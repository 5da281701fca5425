#include "parallel/started_thread.hpp"

#include <cstddef>
#include <system_error>
#include <utility>

#ifdef __GLIBC__
#include <sched.h>
#endif

namespace logodds::parallel {

#ifdef __GLIBC__

namespace {

/// The processors of a thread, and how it is to be started.
class Attributes {
 public:
  Attributes() { ::pthread_attr_init(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes(Attributes&&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  Attributes& operator=(Attributes&&) = delete;
  ~Attributes() { ::pthread_attr_destroy(&attributes_); }

  /// All of them but the caller's; false where there is no other, or the system does not tell.
  [[nodiscard]] bool exclude_own(const cpu_set_t& allowed) {
    const int own = ::sched_getcpu();
    if (own < 0 || own >= CPU_SETSIZE) { return false; }
    cpu_set_t others = allowed;
    CPU_CLR(static_cast<std::size_t>(own), &others);
    return CPU_COUNT(&others) > 0 &&
           ::pthread_attr_setaffinity_np(&attributes_, sizeof others, &others) == 0;
  }
  [[nodiscard]] const pthread_attr_t* get() const { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

}  // namespace

void* StartedThread::run(void* self) {
  auto& thread = *static_cast<StartedThread*>(self);
  if (thread.away_) { ::sched_setaffinity(0, sizeof thread.allowed_, &thread.allowed_); }
  thread.body_();
  return nullptr;
}

StartedThread::StartedThread(std::function<void()> body) : body_(std::move(body)) {
  Attributes attributes;
  away_ =
      ::sched_getaffinity(0, sizeof allowed_, &allowed_) == 0 && attributes.exclude_own(allowed_);
  int error = ::pthread_create(&thread_, attributes.get(), &run, this);
  if (error != 0 && away_) {  // not allowed to choose: wherever the system likes
    away_ = false;
    error = ::pthread_create(&thread_, nullptr, &run, this);
  }
  if (error != 0) { throw std::system_error(error, std::system_category()); }
}

StartedThread::~StartedThread() { ::pthread_join(thread_, nullptr); }

#else

StartedThread::StartedThread(std::function<void()> body) : thread_(std::move(body)) {}

StartedThread::~StartedThread() { thread_.join(); }

#endif

}  // namespace logodds::parallel
