#include "kernels/ahead.hpp"

#include <cstdint>
#include <memory>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("announced lines are handed out once, in order, and no further than announced") {
  const std::vector<double> memory(10 * kLineDoubles);
  announce(memory.data(), memory.size());
  const Lines first = announced.take(4, nullptr);
  CHECK(first.first == memory.data());
  CHECK(first.step == kLineDoubles);
  CHECK(announced.take(4, nullptr).first == memory.data() + 4 * kLineDoubles);
  const double known = 0.0;
  const Lines none = announced.take(4, &known);
  CHECK(none.first == &known);
  CHECK(none.step == 0);
  announce(nullptr, 0);
  CHECK(announced.take(1, &known).step == 0);
}

TEST_CASE("a hint at memory that is gone changes no result") {
  const Rows rows(300, 32, 0);
  std::vector<std::uint32_t> members;
  for (std::uint32_t r = 0; r < 300; r += 2) { members.push_back(r); }
  const std::vector<double> shift = normal_values(32);
  for_each_level([&] {
    const auto scatter = [&] {
      std::vector<double> sums(32, 0.0), found(32 * 32, 0.0);
      member_scatter(rows.first(), members.data(), members.size(), 32, 32, nullptr, shift.data(),
                     sums.data(), found.data());
      return found;
    };
    const auto expected = scatter();
    auto gone = std::make_unique<double[]>(1 << 20);
    announce(gone.get(), 1 << 20);
    gone.reset();
    CHECK(scatter() == expected);
    announce(nullptr, 0);
  });
}
