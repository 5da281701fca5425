#include "models/binary/links.hpp"

#include <cmath>
#include <numbers>

#include "random/normal.hpp"

namespace logodds::models::binary {

namespace {

constexpr double kLogRootTwoPi = 0.91893853320467274178;  // ln sqrt(2 pi)

// ---- logit; t is eta for the second class and -eta for the first

double log_sigmoid(double t) {
  return t < 0.0 ? t - std::log1p(std::exp(t)) : -std::log1p(std::exp(-t));
}

double sigmoid(double t) {
  const double e = std::exp(-std::abs(t));
  return (t < 0.0 ? e : 1.0) / (1.0 + e);
}

RowLoss logit_loss(double t) {
  const double miss = sigmoid(-t);
  return {-log_sigmoid(t), -miss, miss * sigmoid(t)};
}

// ---- probit

/// Where the continued fraction below takes over from erfc.
constexpr double kFarTail = -5.0;

/// Laplace's continued fraction, for x >= 5:
///   phi(x) / Q(x) = x + 1 / (x + 2 / (x + 3 / (x + ...))),   Q(x) = 1 - Phi(x);
/// what is returned is the part after the first x. 40 terms give all digits at x = 5.
double mills_excess(double x) {
  constexpr int kTerms = 40;
  double tail = x;
  for (int k = kTerms; k >= 2; --k) { tail = x + k / tail; }
  return 1.0 / tail;
}

/// ln Phi(t)
double log_normal(double t) {
  if (t < kFarTail) {
    const double x = -t;
    return -0.5 * x * x - kLogRootTwoPi - std::log(x + mills_excess(x));
  }
  if (t < 0.0) { return std::log(0.5 * std::erfc(-t / std::numbers::sqrt2)); }
  return std::log1p(-0.5 * std::erfc(t / std::numbers::sqrt2));
}

RowLoss probit_loss(double t) {
  if (t < kFarTail) {
    const double excess = mills_excess(-t);
    const double mills = excess - t;
    return {-log_normal(t), -mills, mills * excess};
  }
  const double log_share = log_normal(t);
  const double mills = std::exp(-0.5 * t * t - kLogRootTwoPi - log_share);
  return {-log_share, -mills, mills * (mills + t)};
}

// ---- complementary log-log, with u = e^eta: 1 - p = e^-u

/// Below this u, series in u have all digits.
constexpr double kSmall = 1e-3;
/// Above this u, u e^-u is 0 in double precision.
constexpr double kLarge = 800.0;

/// ln(1 - e^-u)
double log_hit(double eta, double u) {
  if (u < kSmall) { return eta + u * (-0.5 + u * (1.0 / 24.0 - u * u / 2880.0)); }
  return u < std::numbers::ln2 ? std::log(-std::expm1(-u)) : std::log1p(-std::exp(-u));
}

RowLoss cloglog_hit(double eta) {
  const double u = std::exp(eta);
  if (u > kLarge) { return {}; }
  if (u < kSmall) {
    const double rest = u * (0.5 + u * (1.0 / 12.0 - u * u / 720.0));  // q + u - 1
    const double q = rest - u + 1.0;
    return {-log_hit(eta, u), -q, q * rest};
  }
  const double q = u / std::expm1(u);
  return {-log_hit(eta, u), -q, q * (q + u - 1.0)};
}

RowLoss cloglog_miss(double eta) {
  const double u = std::exp(eta);
  return {u, u, u};
}

}  // namespace

Link parse_link(const std::string& name) {
  if (name == "probit") { return Link::probit; }
  return name == "cloglog" ? Link::cloglog : Link::logit;
}

double link_of(Link link, double p) {
  switch (link) {
    case Link::probit:
      return random::normal_quantile(p);
    case Link::cloglog:
      return std::log(-std::log1p(-p));
    case Link::logit:
      break;
  }
  return std::log(p) - std::log1p(-p);
}

LogShares log_shares(Link link, double eta) {
  switch (link) {
    case Link::probit:
      return {log_normal(eta), log_normal(-eta)};
    case Link::cloglog: {
      const double u = std::exp(eta);
      return {log_hit(eta, u), -u};
    }
    case Link::logit:
      break;
  }
  return {log_sigmoid(eta), log_sigmoid(-eta)};
}

RowLoss row_loss(Link link, double eta, bool second) {
  if (link == Link::cloglog) { return second ? cloglog_hit(eta) : cloglog_miss(eta); }
  RowLoss loss =
      link == Link::logit ? logit_loss(second ? eta : -eta) : probit_loss(second ? eta : -eta);
  if (!second) { loss.slope = -loss.slope; }
  return loss;
}

double information(Link link, double eta) {
  if (link == Link::cloglog && eta > 7.0) { return 0.0; }  // u^2 e^-u < 1e-400, and u may overflow
  return -row_loss(link, eta, true).slope * row_loss(link, eta, false).slope;
}

}  // namespace logodds::models::binary
