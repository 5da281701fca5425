// How unlikely rows of each class are by chance, found by drawing some: for outliers where no
// closed form is known (SPEC 3.6).
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
  explicit Simulation(const Product& product);

  /// P(a row of C_k is as unlikely as one of log density `log_density`, in the factors whose flag
  /// in `observed` is '1'): (1 + drawn rows that are) / (1 + drawn rows).
  [[nodiscard]] double p_value(const std::string& observed, std::size_t k, double log_density);

 private:
  /// Log densities of the drawn rows of each class, in ascending order.
  using Sorted = std::vector<std::vector<double>>;
  [[nodiscard]] std::shared_ptr<const Sorted> sorted(const std::string& observed);

  std::size_t draws_;                       ///< by class
  std::vector<std::vector<double>> terms_;  ///< by class: draws x factors
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Sorted>> kept_;
};

}  // namespace logodds::models::naive_bayes
