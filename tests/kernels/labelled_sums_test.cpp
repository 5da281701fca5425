#include "kernels/labelled_sums.hpp"

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

TEST_CASE("labelled_sums and moved_sums: the bits of the reference at every level") {
  constexpr std::size_t kLabels = 4;
  for_each_shape([&](const Rows& rows) {
    const auto shift = normal_values(rows.d);
    const auto weights = positive_values(rows.n);
    std::vector<std::int32_t> labels(rows.n);
    std::vector<RowMove> moves;
    for (std::size_t r = 0; r < rows.n; ++r) {
      labels[r] = static_cast<std::int32_t>((r * 5) % kLabels);
      if (r % 3 == 0) { moves.push_back({r, labels[r], static_cast<std::int32_t>(r % kLabels)}); }
    }
    for (const double* const w : std::vector<const double*>{nullptr, weights.data()}) {
      std::vector<double> expected(kLabels * rows.d, 0.25);
      reference::labelled_sums(rows.first(), rows.n, rows.d, rows.stride, w, shift.data(),
                               labels.data(), expected.data());
      std::vector<double> moved = expected;
      reference::moved_sums(rows.first(), rows.d, rows.stride, shift.data(), moves.data(),
                            moves.size(), moved.data());
      for_each_level([&] {
        std::vector<double> sums(kLabels * rows.d, 0.25);
        labelled_sums(rows.first(), rows.n, rows.d, rows.stride, w, shift.data(), labels.data(),
                      sums.data());
        CHECK(sums == expected);
        moved_sums(rows.first(), rows.d, rows.stride, shift.data(), moves.data(), moves.size(),
                   sums.data());
        CHECK(sums == moved);
      });
    }
  });
}
