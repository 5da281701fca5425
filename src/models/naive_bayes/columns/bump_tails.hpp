// A sum of normal bumps far from all values, one side at a time. Of the values on one side of x the
// nearest is the edge, at z bandwidths; the others lie d behind it, and
//     sum_v w exp(-(z + d)^2 / 2) = exp(-z^2 / 2) L(z),  L(z) = sum_v w exp(-d (z + d / 2)).
// Only d up to about 60 / z count. Where that are many values all the same, L has a LogPiece for
// every sixteenth of an octave of z.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/naive_bayes/columns/log_piece.hpp"

namespace logodds::models::naive_bayes::columns {

class BumpTails {
 public:
  static constexpr double kLeast = 4.0;  ///< least z
  enum class Side { below, above };      ///< where the values are, as seen from x

  /// `reach`: values whose z^2 is larger than that of the nearest by this much do not count.
  BumpTails(std::span<const double> values, double width, double reach);

  /// ln L(z), z >= kLeast; `edge`: the place of the nearest value among `values`, which are those
  /// of the constructor.
  [[nodiscard]] double log_sum(std::span<const double> values, std::span<const double> weights,
                               Side side, std::size_t edge, double z) const;

 private:
  /// An edge with many values behind it.
  struct Edge {
    std::size_t value;
    double farthest;  ///< z up to which they are many
    LazyPieces pieces;
  };
  /// Values from the edge on that count at z.
  struct Window {
    std::size_t first;
    std::size_t count;
  };

  void add_edge(std::span<const double> values, Side side, std::size_t edge);
  [[nodiscard]] const Edge* find_edge(Side side, std::size_t edge) const;
  [[nodiscard]] Window window(std::span<const double> values, Side side, std::size_t edge,
                              double z) const;
  [[nodiscard]] double inverse_width(Side side) const;
  [[nodiscard]] LogPiece piece_of(std::span<const double> values, std::span<const double> weights,
                                  Side side, std::size_t edge, double low, double half) const;

  double width_;
  double reach_;
  std::vector<Edge> below_;  ///< by value
  std::vector<Edge> above_;
};

}  // namespace logodds::models::naive_bayes::columns
