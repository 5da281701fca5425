// Posteriors to decisions by what they cost, by thresholds, or to no decision at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logodds::decide {

/// A row that is not decided.
inline constexpr std::int32_t kReject = -1;
/// What stands for it where decisions are named.
inline constexpr const char* kRejectName = "reject";

/// C(k, d): what it costs to decide for d where k is true. Negative costs are gains.
class Costs {
 public:
  /// Row-major classes x classes, rows the truth; `reject`: the cost of not deciding, by truth, or
  /// nothing when every row is to be decided. Throws Error(usage) for a number that is not finite.
  Costs(std::size_t classes, std::vector<double> matrix, std::vector<double> reject = {});
  /// 1 for a wrong decision, 0 for a right one.
  static Costs zero_one(std::size_t classes);

  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] bool can_reject() const { return !reject_.empty(); }
  /// `decision` may be kReject where can_reject().
  [[nodiscard]] double cost(std::size_t truth, std::int32_t decision) const {
    return decision == kReject ? reject_[truth]
                               : matrix_[truth * classes_ + static_cast<std::size_t>(decision)];
  }
  /// sum_k p_k C(k, decision)
  [[nodiscard]] double expected(std::span<const double> posteriors, std::int32_t decision) const;
  /// The decision of least expected cost: ties to the first class, and a class before a rejection.
  [[nodiscard]] std::int32_t cheapest(std::span<const double> posteriors) const;
  [[nodiscard]] bool has_negative() const;

 private:
  std::size_t classes_;
  std::vector<double> matrix_;
  std::vector<double> reject_;
};

/// How posteriors become a decision. Without anything set: the largest posterior.
struct Policy {
  std::optional<Costs> costs{};
  /// One a class, 0: none; or empty. A class with a threshold is decided exactly where its
  /// posterior reaches it (of several such, the one with the largest p_k / t_k); where none is, the
  /// largest posterior among the classes without threshold decides, and where every class has one,
  /// the row is rejected.
  std::vector<double> thresholds{};
  /// A decision whose posterior is below this is rejected.
  double reject_below = 0.0;

  [[nodiscard]] bool plain() const { return !costs && thresholds.empty() && reject_below <= 0.0; }
};

/// The index of a class, or kReject. Costs stand before thresholds.
[[nodiscard]] std::int32_t decide(const Policy& policy, std::span<const double> posteriors);

/// "a:b=5,b:a=1,a:reject=0.5,reject=2": truth, decision, cost; "reject=2" is for every truth. Pairs
/// that are not named cost 1, right decisions 0. A backslash takes the next character as it is.
/// Throws Error(usage) that begins with `option`.
[[nodiscard]] Costs parse_costs(const std::string& text, const std::vector<std::string>& labels,
                                const std::string& option);
/// A CSV file with a row for every true class, a column for every decision, and perhaps one called
/// `reject`; the first column names the rows. Throws Error(io | input) that names file, line and
/// column.
[[nodiscard]] Costs read_costs(const std::string& path, const std::vector<std::string>& labels);
/// "spam=0.8,eggs=0.5", each above 0 and at most 1; by label. Throws Error(usage).
[[nodiscard]] std::vector<double> parse_thresholds(const std::string& text,
                                                   const std::vector<std::string>& labels,
                                                   const std::string& option);

}  // namespace logodds::decide
