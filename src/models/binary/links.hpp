// The three links of a two-class model: p = P(second class | x) = F(eta), eta linear in x.
#pragma once

#include <cstdint>
#include <string>

namespace logodds::models::binary {

/// logit: F = 1 / (1 + e^-eta); probit: F = Phi(eta); cloglog: F = 1 - exp(-e^eta).
enum class Link : std::uint8_t { logit, probit, cloglog };

/// "logit", "probit" or "cloglog", as the option's choices are spelled.
[[nodiscard]] Link parse_link(const std::string& name);
/// eta with F(eta) = p, for p in (0, 1).
[[nodiscard]] double link_of(Link link, double p);

/// ln p and ln(1 - p), for eta of either sign without bound. Relative errors: a few epsilon; that
/// of the one which is near 0, e^-t with a large t, some t epsilon. -infinity where the number
/// itself is below -1e308.
struct LogShares {
  double second = 0.0;  ///< ln p
  double first = 0.0;   ///< ln(1 - p)
};
[[nodiscard]] LogShares log_shares(Link link, double eta);

/// The loss -ln P(class | eta) of one row and its derivatives in eta. All three losses are convex,
/// so the curvature is >= 0. Relative errors are below 1e-12, in the tails, too: nothing cancels or
/// overflows there. A loss beyond 1e308 is infinite.
struct RowLoss {
  double value = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};
[[nodiscard]] RowLoss row_loss(Link link, double eta, bool second);

/// Expected curvature, F'^2 / (p (1 - p)): the Fisher information of a row about its eta. It is
/// minus the product of the slopes of both classes.
[[nodiscard]] double information(Link link, double eta);

}  // namespace logodds::models::binary
