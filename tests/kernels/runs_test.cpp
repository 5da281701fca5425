// Edges of runs against the plain loop: every length, and bits in all densities.
#include "kernels/runs.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

template <class Kernel>
std::vector<std::uint32_t> edges_by(const Kernel& kernel, const std::vector<std::uint64_t>& bits,
                                    std::size_t size, bool singles) {
  std::vector<std::uint32_t> edges(size + 8);
  edges.resize(kernel(bits.data(), size, singles, edges.data()));
  return edges;
}

}  // namespace

TEST_CASE("run_edges agrees with the reference at every length") {
  std::mt19937_64 random(11);
  for (std::size_t size = 0; size < 300; ++size) {
    for (const int density : {0, 1, 2, 3}) {
      std::vector<std::uint64_t> bits(size / 64 + 2);  // those behind `size` mean nothing
      for (auto& word : bits) {
        const std::uint64_t some = random();
        word = density == 0 ? some & random() & random() : density == 1 ? some : some | random();
        if (density == 3) { word = ~std::uint64_t{0}; }
      }
      for_each_level([&] {
        for (const bool singles : {false, true}) {
          CHECK(edges_by(run_edges, bits, size, singles) ==
                edges_by(reference::run_edges, bits, size, singles));
        }
      });
    }
  }
}

TEST_CASE("run_edges, by hand") {
  const std::vector<std::uint64_t> bits{std::uint64_t{0b11} << 62U | 0b1011, 0b101, 0};
  using Edges = std::vector<std::uint32_t>;
  for_each_level([&] {
    CHECK(edges_by(run_edges, bits, 128, true) == Edges{0, 2, 3, 4, 62, 65, 66, 67});
    CHECK(edges_by(run_edges, bits, 128, false) == Edges{0, 2, 62, 65});
    CHECK(edges_by(run_edges, bits, 63, false) == Edges{0, 2});
    CHECK(edges_by(run_edges, bits, 64, false) == Edges{0, 2, 62, 64});
    CHECK(edges_by(run_edges, bits, 0, true).empty());
  });
}
