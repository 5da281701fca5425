#include "kernels/ahead.hpp"

#include "kernels/kernels.hpp"

namespace logodds::kernels {

constinit thread_local Announced announced{nullptr, nullptr};

void announce(const double* next, std::size_t count) { announced = {next, next + count}; }

}  // namespace logodds::kernels
