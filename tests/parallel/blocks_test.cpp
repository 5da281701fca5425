#include "logodds/parallel/blocks.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace logodds::parallel;

namespace {

struct Number {
  int value = 0;
};

/// Sends 0 .. count-1 through the pipeline and returns what each lane committed, in its order.
std::vector<std::vector<int>> run(int threads, std::size_t lanes, int count) {
  std::vector<std::vector<int>> committed(lanes);
  int next = 0;
  run_blocks<Number>(
      threads, lanes,
      [&](Number& number) {
        number.value = next;
        return next++ < count;
      },
      [](Number& number) {
        // Later blocks are quicker, so that they arrive out of order.
        std::this_thread::sleep_for(std::chrono::microseconds(number.value % 7 == 0 ? 300 : 10));
      },
      [&](Number& number, std::size_t lane) { committed[lane].push_back(number.value); });
  return committed;
}

}  // namespace

TEST_CASE(
    "run_blocks commits the blocks of a lane in their order, for any number of threads [threads]") {
  for (const int threads : {1, 2, 7}) {
    const auto committed = run(threads, 3, 100);
    for (std::size_t lane = 0; lane < 3; ++lane) {
      std::vector<int> expected;
      for (int i = static_cast<int>(lane); i < 100; i += 3) { expected.push_back(i); }
      CHECK(committed[lane] == expected);
    }
  }
}

TEST_CASE("run_blocks with no block does nothing") { CHECK(run(4, 2, 0)[0].empty()); }

TEST_CASE("run_blocks throws the failure of the first block, not of the first thread [threads]") {
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::string message;
    int next = 0;
    try {
      run_blocks<Number>(
          4, 1,
          [&](Number& number) {
            number.value = next;
            return next++ < 1000;
          },
          [](Number& number) {
            if (number.value == 5) {
              std::this_thread::sleep_for(std::chrono::milliseconds(2));
              throw std::runtime_error("five");
            }
            if (number.value == 7) { throw std::runtime_error("seven"); }
          },
          [](Number&, std::size_t) {});
    } catch (const std::runtime_error& error) { message = error.what(); }
    CHECK(message == "five");
  }
}

TEST_CASE(
    "run_blocks passes on a failure of take and of commit, and commits nothing after it "
    "[threads]") {
  int next = 0;
  CHECK_THROWS_WITH(run_blocks<Number>(
                        3, 1,
                        [&](Number& number) -> bool {
                          number.value = next++;
                          if (next == 10) { throw std::runtime_error("take"); }
                          return true;
                        },
                        [](Number&) {}, [](Number&, std::size_t) {}),
                    "take");
  next = 0;
  std::vector<int> committed;
  CHECK_THROWS_WITH(run_blocks<Number>(
                        3, 1,
                        [&](Number& number) {
                          number.value = next;
                          return next++ < 50;
                        },
                        [](Number&) {},
                        [&](Number& number, std::size_t) {
                          if (number.value == 20) { throw std::runtime_error("commit"); }
                          committed.push_back(number.value);
                        }),
                    "commit");
  CHECK(committed.size() == 20);
}

TEST_CASE("run_lanes runs every lane once and throws the first failure by lane [threads]") {
  std::vector<std::atomic<int>> runs(50);
  run_lanes(3, runs.size(), [&](std::size_t lane) { ++runs[lane]; });
  for (const auto& count : runs) { CHECK(count == 1); }
  CHECK_THROWS_WITH(run_lanes(3, 50,
                              [](std::size_t lane) {
                                if (lane % 10 == 4) {
                                  throw std::runtime_error(std::to_string(lane));
                                }
                              }),
                    "4");
}
