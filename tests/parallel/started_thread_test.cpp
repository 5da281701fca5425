#include "parallel/started_thread.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <deque>

#ifdef __GLIBC__
#include <sched.h>
#endif

using logodds::parallel::StartedThread;

TEST_CASE("a started thread runs its body once, and its end is waited for") {
  std::atomic<int> runs{0};
  {
    std::deque<StartedThread> threads;
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&runs] { ++runs; });
    }
  }
  CHECK(runs == 5);
}

#ifdef __GLIBC__
TEST_CASE("a started thread may run wherever its starter may, and leaves that one alone") {
  cpu_set_t before;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  cpu_set_t inside;
  CPU_ZERO(&inside);
  {
    const StartedThread thread([&] { ::sched_getaffinity(0, sizeof inside, &inside); });
  }
  CHECK(CPU_EQUAL(&inside, &before));
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&after, &before));
}

TEST_CASE("a thread is started where there is one processor only") {
  cpu_set_t before;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  const int own = ::sched_getcpu();
  REQUIRE(own >= 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(own), &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  std::atomic<bool> ran{false};
  {
    const StartedThread thread([&ran] { ran = true; });
  }
  CHECK(ran);
  REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
}
#endif
