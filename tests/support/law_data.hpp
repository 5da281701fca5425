// What the laws are run on: every family with every choice of its options, and tables that fit it.
#pragma once

#include <doctest/doctest.h>

#include "support/table.hpp"

namespace logodds::test {

struct Variant {
  std::string family;
  OptionMap options;
  bool as_it_comes = false;  ///< no option is chosen that would change the answer

  [[nodiscard]] const FamilyRecord& record() const { return find_family(family); }
  /// "gaussian --covariance own"
  [[nodiscard]] std::string name() const;
  /// The rows tell the model, whatever their order and the seed.
  [[nodiscard]] bool one_answer() const;
  /// Models trained apart can be merged: no option asks to forget rows.
  [[nodiscard]] bool mergeable() const;
  /// No class is treated unlike the others.
  [[nodiscard]] bool symmetric() const;
};

/// Each law is run once for each of these, with the families that take such rows.
enum class Rows : std::uint8_t { numbers_and_levels, levels, documents, two_classes, causes };

/// A table, and the variants that are run on it.
struct LawData {
  Rows kind = Rows::numbers_and_levels;
  Table table;
  std::size_t classes = 0;

  [[nodiscard]] bool fits(const Variant& variant) const;
  /// Runs `law` on every variant that takes the table, with its name in the report of a failure.
  template <class Law>
  void for_every_family(Law law) const;
  /// The same, without the variants whose answer depends on the order of the rows.
  template <class Law>
  void for_every_answer(Law law) const;
};

/// Every family as it comes, and once with each value of each of its choices and with each of its
/// flags.
[[nodiscard]] const std::vector<Variant>& variants();

/// One kind of rows after the other: to be called once, at the start of a test case.
[[nodiscard]] LawData law_data(std::size_t rows, std::uint64_t seed);

template <class Law>
void LawData::for_every_family(Law law) const {
  for (const auto& variant : variants()) {
    if (!fits(variant)) { continue; }
    const std::string name = variant.name();
    CAPTURE(name);
    law(variant);
  }
}

template <class Law>
void LawData::for_every_answer(Law law) const {
  for_every_family([&](const Variant& variant) {
    if (variant.one_answer()) { law(variant); }
  });
}

}  // namespace logodds::test
