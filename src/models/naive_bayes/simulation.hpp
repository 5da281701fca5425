// How unlikely rows of each class are by chance, found by drawing some: for outliers where no
// closed form is known.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/naive_bayes/factor.hpp"

namespace logodds::models::naive_bayes {

struct Product;

class Simulation {
 public:
  /// Keeps a reference to the product.
  explicit Simulation(const Product& product);

  /// P(a row of C_k that lacks the same values is as unlikely as one of log density
  /// `log_density`): (1 + drawn rows that are) / (1 + drawn rows). `observed` has a '1' for each
  /// column of numbers, then for each coded one, that the row has.
  [[nodiscard]] double p_value(const std::string& observed, std::size_t k, double log_density);

 private:
  /// The drawn rows of a class, by columns.
  struct Drawn {
    std::vector<double> numbers;
    std::vector<std::vector<std::int32_t>> codes;
  };
  using Terms = std::vector<double>;  ///< one a drawn row
  /// Log densities of the drawn rows of each class, in ascending order.
  using Sorted = std::vector<Terms>;

  [[nodiscard]] std::shared_ptr<const Sorted> sorted(const std::string& observed);
  [[nodiscard]] const Terms& terms(std::size_t k, std::size_t f, const std::string& observed);
  [[nodiscard]] bool has(const Place& place, const std::string& observed) const;

  const Product& product_;
  std::size_t numeric_;
  std::size_t draws_;         ///< by class
  std::vector<Drawn> drawn_;  ///< by class
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Sorted>> kept_;
  /// By class, factor and which of its inputs are there.
  std::map<std::pair<std::size_t, std::string>, Terms> terms_;
};

}  // namespace logodds::models::naive_bayes
