#include "models/binary/links.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace logodds::models::binary;

namespace {

constexpr Link kLinks[] = {Link::logit, Link::probit, Link::cloglog};

/// Computed with mpmath at 400 digits, derivatives as central differences with a step of 1e-60.
struct Reference {
  Link link;
  double eta;
  double log_shares[2];  ///< ln p, ln(1 - p)
  double second[2];      ///< slope and curvature of -ln p
  double first[2];       ///< slope and curvature of -ln(1 - p)
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> all{
      {Link::logit,
       -40.0,
       {-40.0, -4.248354255291589e-18},
       {-1.0, 4.248354255291589e-18},
       {4.248354255291589e-18, 4.248354255291589e-18}},
      {Link::logit,
       -5.25,
       {-5.255233798151743, -0.0052337981517430318},
       {-0.9947798743064416, 0.0051928759813018486},
       {0.0052201256935583971, 0.0051928759813018486}},
      {Link::logit, 0.0, {-0.69314718055994531, -0.69314718055994531}, {-0.5, 0.25}, {0.5, 0.25}},
      {Link::logit,
       2.0,
       {-0.1269280110429725, -2.1269280110429725},
       {-0.11920292202211756, 0.10499358540350652},
       {0.88079707797788244, 0.10499358540350652}},
      {Link::logit,
       30.0,
       {-9.3576229688397368e-14, -30.000000000000094},
       {-9.357622968839299e-14, 9.3576229688384233e-14},
       {0.99999999999990642, 9.3576229688384233e-14}},
      {Link::probit,
       -40.0,
       {-804.60844201375379, 0.0},
       {-40.024968847207264, 0.99937733162140861},
       {0.0, 0.0}},
      {Link::probit,
       -5.25,
       {-16.391880010037793, -7.6049608056658512e-8},
       {-5.4286553883860983, 0.96985853682640362},
       {4.1284713025986109e-7, 2.1674476043070237e-6}},
      {Link::probit,
       -4.75,
       {-13.798571593147467, -1.017083759798215e-6},
       {-4.9450301392146927, 0.96442991647189294},
       {5.0295124040252298e-6, 2.3890209215114864e-5}},
      {Link::probit,
       -0.5,
       {-1.1759117615936186, -0.36894641528865639},
       {-1.1410777703680645, 0.73151959284412105},
       {0.50916043383703349, 0.5138245643036329}},
      {Link::probit,
       2.0,
       {-0.023012909328963488, -3.7831843336820319},
       {-0.055247862678989959, 0.11354805168857645},
       {2.3732155328228409, 0.88572089958591874}},
      {Link::probit,
       30.0,
       {-4.9067139271481871e-198, -454.3212439563432},
       {-1.4736461348785475e-196, 4.4209384046356426e-195},
       {30.033259667433677, 0.99889622848810991}},
      {Link::cloglog,
       -700.0,
       {-700.0, -9.8596765437597709e-305},
       {-1.0, 4.9298382718798854e-305},
       {9.8596765437597709e-305, 9.8596765437597709e-305}},
      {Link::cloglog,
       -40.0,
       {-40.0, -4.248354255291589e-18},
       {-1.0, 2.1241771276457945e-18},
       {4.248354255291589e-18, 4.248354255291589e-18}},
      {Link::cloglog,
       -7.0,
       {-7.0004559063357475, -0.00091188196555451621},
       {-0.99954412831128171, 0.00045580239466124884},
       {0.00091188196555451621, 0.00091188196555451621}},
      {Link::cloglog,
       -6.5,
       {-6.5007516254160986, -0.0015034391929775724},
       {-0.99924846876428803, 0.00075134287494933987},
       {0.0015034391929775724, 0.0015034391929775724}},
      {Link::cloglog,
       0.0,
       {-0.45867514538708189, -1.0},
       {-0.58197670686932642, 0.33869688733846589},
       {1.0, 1.0}},
      {Link::cloglog,
       3.0,
       {-1.8921786966284627e-9, -20.085536923187668},
       {-3.8005425112356633e-8, 7.2535394570773867e-7},
       {20.085536923187668, 20.085536923187668}},
  };
  return all;
}

/// In units of the wanted number.
double error(double found, double wanted) {
  return wanted == 0.0 ? std::abs(found) : std::abs(found - wanted) / std::abs(wanted);
}

}  // namespace

TEST_CASE("links: logarithms and derivatives are exact to 1e-12 of themselves, in the tails, too") {
  for (const auto& r : references()) {
    CAPTURE(static_cast<int>(r.link));
    CAPTURE(r.eta);
    const LogShares shares = log_shares(r.link, r.eta);
    const RowLoss second = row_loss(r.link, r.eta, true);
    const RowLoss first = row_loss(r.link, r.eta, false);
    const double bound = 2e-16 * (50.0 + r.eta * r.eta);
    CHECK(error(shares.second, r.log_shares[0]) < bound);
    CHECK(error(shares.first, r.log_shares[1]) < bound);
    CHECK(second.value == -shares.second);
    CHECK(first.value == -shares.first);
    CHECK(error(second.slope, r.second[0]) < 1e-12);
    CHECK(error(second.curvature, r.second[1]) < 1e-12);
    CHECK(error(first.slope, r.first[0]) < 1e-12);
    CHECK(error(first.curvature, r.first[1]) < 1e-12);
  }
}

TEST_CASE("links: derivatives are those of finite differences") {
  for (const Link link : kLinks) {
    for (double eta = -8.0; eta <= 3.0; eta += 0.37) {
      for (const bool second : {false, true}) {
        CAPTURE(static_cast<int>(link));
        CAPTURE(eta);
        constexpr double kStep = 1e-5;
        const RowLoss here = row_loss(link, eta, second);
        const RowLoss up = row_loss(link, eta + kStep, second);
        const RowLoss down = row_loss(link, eta - kStep, second);
        CHECK(here.slope == doctest::Approx((up.value - down.value) / (2 * kStep)).epsilon(1e-6));
        CHECK(here.curvature ==
              doctest::Approx((up.slope - down.slope) / (2 * kStep)).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("links: logit and probit treat both classes alike; cloglog does not") {
  for (const double eta : {-50.0, -3.0, 0.25, 7.0}) {
    for (const Link link : {Link::logit, Link::probit}) {
      CHECK(log_shares(link, eta).second == log_shares(link, -eta).first);
      CHECK(row_loss(link, eta, true).slope == -row_loss(link, -eta, false).slope);
      CHECK(row_loss(link, eta, true).curvature == row_loss(link, -eta, false).curvature);
      CHECK(information(link, eta) == doctest::Approx(information(link, -eta)).epsilon(1e-14));
    }
    CHECK(log_shares(Link::cloglog, eta).second != log_shares(Link::cloglog, -eta).first);
  }
}

TEST_CASE("links: posteriors add up to 1, and the link of a posterior is its eta") {
  for (const Link link : kLinks) {
    for (double eta = -6.0; eta <= 2.0; eta += 0.5) {
      const LogShares shares = log_shares(link, eta);
      CHECK(std::exp(shares.first) + std::exp(shares.second) ==
            doctest::Approx(1.0).epsilon(1e-14));
      CHECK(link_of(link, std::exp(shares.second)) == doctest::Approx(eta).epsilon(1e-9));
    }
  }
}

TEST_CASE("links: information is the mean of the squared slope") {
  for (const Link link : kLinks) {
    for (const double eta : {-20.0, -4.0, -1.0, 0.0, 0.5, 2.0, 3.5}) {
      const LogShares shares = log_shares(link, eta);
      const double second = row_loss(link, eta, true).slope;
      const double first = row_loss(link, eta, false).slope;
      const double mean =
          std::exp(shares.second) * second * second + std::exp(shares.first) * first * first;
      CHECK(information(link, eta) == doctest::Approx(mean).epsilon(1e-10));
    }
  }
}

TEST_CASE("links: far out nothing is NaN, and the losses have their limits") {
  for (const Link link : kLinks) {
    for (const double eta : {-1e300, -1e10, -1000.0, 1000.0, 1e10, 1e300}) {
      CAPTURE(static_cast<int>(link));
      CAPTURE(eta);
      const LogShares shares = log_shares(link, eta);
      CHECK(!std::isnan(shares.first));
      CHECK(!std::isnan(shares.second));
      CHECK((eta > 0.0 ? shares.second : shares.first) == 0.0);
      CHECK((eta > 0.0 ? shares.first : shares.second) <= -1000.0);
      for (const bool second : {false, true}) {
        const RowLoss loss = row_loss(link, eta, second);
        CHECK(!std::isnan(loss.slope));
        CHECK(loss.curvature >= 0.0);
      }
      CHECK(information(link, eta) >= 0.0);
    }
  }
  CHECK(row_loss(Link::probit, -1e100, true).curvature == doctest::Approx(1.0));
  CHECK(row_loss(Link::logit, -1e100, true).value == 1e100);
  CHECK(log_shares(Link::cloglog, -1e100).second == -1e100);
}
