#include "models/linear/basis.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "logodds/error.hpp"

namespace logodds::models::linear {

namespace {

constexpr std::size_t kMostDegrees = 50;
constexpr std::size_t kMostKnots = 1000;

std::size_t parse_count(std::string_view digits, std::size_t most, const std::string& what) {
  std::size_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, number);
  if (result.ec == std::errc() && result.ptr == end && number >= 1 && number <= most) {
    return number;
  }
  throw std::invalid_argument("needs a number of " + what + " from 1 to " + std::to_string(most) +
                              " behind the colon");
}

/// Which columns of the design hold 0 and 1 only.
std::vector<bool> zero_one_columns(const Schema& schema, const Design& design) {
  std::vector<bool> result;
  for (const Column& column : schema.columns) {
    if (column.number()) { result.push_back(column.kind == ColumnKind::binary); }
  }
  result.resize(design.size(), true);  // the indicators come behind the numbers
  return result;
}

[[noreturn]] void refuse_number(const Design& design, const BasisWish& wish) {
  const bool polynomial = wish.kind == BasisKind::polynomial;
  throw Error(
      ErrorCode::usage,
      "--basis " +
          (polynomial ? "polynomial:" + std::to_string(wish.number) : std::string("interactions")) +
          " makes more than " + std::to_string(kMostFeatures) + " features of " +
          std::to_string(design.size()) + " columns; " +
          (polynomial && wish.number > 2 ? "take a lower degree, or " : "") +
          "leave columns out with --ignore");
}

}  // namespace

BasisWish parse_basis(const std::string& text) {
  constexpr std::string_view kPolynomial = "polynomial:";
  constexpr std::string_view kSpline = "spline:";
  if (text == "none") { return {}; }
  if (text == "interactions") { return {BasisKind::interactions, 2}; }
  const std::string_view view(text);
  if (view.starts_with(kPolynomial)) {
    return {BasisKind::polynomial,
            parse_count(view.substr(kPolynomial.size()), kMostDegrees, "degrees")};
  }
  if (view.starts_with(kSpline)) {
    return {BasisKind::spline, parse_count(view.substr(kSpline.size()), kMostKnots, "knots")};
  }
  throw std::invalid_argument(
      "is no basis; take none, interactions, polynomial:2 (or another degree) or spline:3 (or "
      "another number of knots)");
}

Products::Products(const Schema& schema, const Design& design, const BasisWish& wish)
    : columns_(design.size()) {
  const std::vector<bool> zero_one = zero_one_columns(schema, design);
  std::size_t begin = 0;  // what the products of the degree below are; of degree 1, the columns
  std::size_t end = columns_;
  for (std::size_t degree = 2; degree <= wish.number && begin < end; ++degree) {
    add_degree(design, zero_one, begin, end, degree, wish);
    begin = end;
    end = columns_ + terms_.size();
  }
}

void Products::add_degree(const Design& design, const std::vector<bool>& zero_one,
                          std::size_t begin, std::size_t end, std::size_t degree,
                          const BasisWish& wish) {
  for (std::size_t left = begin; left < end; ++left) {
    const std::size_t last = degree == 2 ? left : terms_[left - columns_].right;
    const bool different = wish.kind == BasisKind::interactions;
    for (std::size_t right = last + (different ? 1 : 0); right < columns_; ++right) {
      const Term term{static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right)};
      if (!may_follow(design, zero_one, term)) { continue; }
      if (columns_ + terms_.size() >= kMostFeatures) { refuse_number(design, wish); }
      terms_.push_back(term);
    }
  }
}

bool Products::may_follow(const Design& design, const std::vector<bool>& zero_one,
                          const Term& term) const {
  const DesignColumn& right = design.columns()[term.right];
  const auto clash = [&](std::size_t column) {
    const DesignColumn& other = design.columns()[column];
    if (column == term.right) { return static_cast<bool>(zero_one[column]); }
    return right.level >= 0 && other.level >= 0 && other.position == right.position;
  };
  if (term.left < columns_) { return !clash(term.left); }
  const auto before = members(term.left - columns_);
  return std::ranges::none_of(before, clash);
}

std::vector<std::size_t> Products::members(std::size_t term) const {
  std::vector<std::size_t> columns;
  std::size_t at = columns_ + term;
  while (at >= columns_) {
    const Term& product = terms_[at - columns_];
    columns.push_back(product.right);
    at = product.left;
  }
  columns.push_back(at);
  std::ranges::reverse(columns);
  return columns;
}

std::string Products::name(std::size_t term, const std::vector<std::string>& columns) const {
  const auto factors = members(term);
  std::string name;
  for (std::size_t i = 0; i < factors.size();) {
    std::size_t next = i;
    while (next < factors.size() && factors[next] == factors[i]) { ++next; }
    name += (name.empty() ? "" : " x ") + columns[factors[i]];
    if (next - i > 1) { name += "^" + std::to_string(next - i); }
    i = next;
  }
  return name;
}

void Products::fill(const double* row, double* out) const {
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    const double left = term.left < columns_ ? row[term.left] : out[term.left - columns_];
    out[t] = left * row[term.right];
  }
}

}  // namespace logodds::models::linear
