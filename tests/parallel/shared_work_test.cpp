#include "parallel/shared_work.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "logodds/parallel/blocks.hpp"

using logodds::parallel::SharedWork;

TEST_CASE("shared work: every piece once, every step after the one before [threads]") {
  for (const int threads : {1, 2, 7}) {
    std::vector<int> first(20, 0);
    std::vector<int> last(10, 0);
    SharedWork work({{[] { return std::size_t{20}; }, [&](std::size_t i) { ++first[i]; }},
                     {[] { return std::size_t{0}; }, [](std::size_t) { FAIL("no piece"); }},
                     {[&] { return first.size() / 2; },
                      [&](std::size_t i) { last[i] += 10 * first[2 * i] + first[2 * i + 1]; }}});
    std::atomic<int> finished = 0;
    logodds::parallel::run_threads(threads, [&](int) {
      work.finish();
      finished += last == std::vector<int>(10, 11) ? 1 : 0;
    });
    CHECK(finished == threads);
    work.finish();  // nothing is left
    CHECK(first == std::vector<int>(20, 1));
  }
  SharedWork({}).finish();
  SharedWork({{[] { return std::size_t{0}; }, [](std::size_t) { FAIL("no piece"); }}}).finish();
}

TEST_CASE("shared work: what a piece throws reaches everybody, and no later step runs [threads]") {
  SharedWork work({{[] { return std::size_t{5}; },
                    [](std::size_t i) {
                      if (i == 3) { throw std::runtime_error("three"); }
                    }},
                   {[] { return std::size_t{1}; }, [](std::size_t) { FAIL("too far"); }}});
  std::atomic<int> refused = 0;
  logodds::parallel::run_threads(3, [&](int) {
    try {
      work.finish();
    } catch (const std::runtime_error&) { ++refused; }
  });
  CHECK(refused == 3);
  CHECK_THROWS_AS(work.finish(), std::runtime_error);
}
