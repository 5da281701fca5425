// How exact a sum over rows is.
#pragma once

namespace logodds::models::softmax {

enum class Digits { single_precision, double_precision };

}  // namespace logodds::models::softmax
