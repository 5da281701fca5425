#include "parallel/team.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using logodds::parallel::Team;

TEST_CASE(
    "team: every piece of every round is done once, whatever the number of threads [threads]") {
  for (const int threads : {1, 2, 7}) {
    std::vector<int> done(16, 0);
    Team::run(threads, [&](Team& team) {
      for (std::size_t round = 0; round < 300; ++round) {
        const std::size_t count = round % 17;
        team.each(count, [&](std::size_t piece) { ++done[piece]; });
      }
    });
    for (std::size_t piece = 0; piece < done.size(); ++piece) {
      int wanted = 0;
      for (std::size_t round = 0; round < 300; ++round) { wanted += piece < round % 17 ? 1 : 0; }
      CHECK(done[piece] == wanted);
    }
  }
}

TEST_CASE("team: the first failure by number is thrown, and the team goes on [threads]") {
  for (const int threads : {1, 2, 7}) {
    std::string said;
    int after = 0;
    Team::run(threads, [&](Team& team) {
      try {
        team.each(8, [](std::size_t piece) {
          if (piece >= 3) { throw std::runtime_error(std::to_string(piece)); }
        });
      } catch (const std::runtime_error& error) { said = error.what(); }
      std::vector<int> done(8, 0);
      team.each(8, [&](std::size_t piece) { done[piece] = 1; });
      after = std::accumulate(done.begin(), done.end(), 0);
    });
    CHECK(said == "3");
    CHECK(after == 8);
  }
}

TEST_CASE("team: what the body throws reaches the caller, and the helpers go home [threads]") {
  for (const int threads : {1, 3}) {
    CHECK_THROWS_AS(Team::run(threads, [](Team&) { throw std::runtime_error("stop"); }),
                    std::runtime_error);
  }
}
