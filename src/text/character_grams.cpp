#include "text/character_grams.hpp"

namespace logodds::text {

void CharacterGrams::keep_last() {
  const std::size_t kept = std::min(count_, longest_ - 1);
  const std::size_t first = count_ - kept;
  const std::uint32_t begin = starts_[first];
  std::memmove(bytes_.data(), bytes_.data() + begin, end_ - begin);
  for (std::size_t i = 0; i < kept; ++i) { starts_[i] = starts_[first + i] - begin; }
  count_ = done_ = kept;
  end_ -= begin;
}

}  // namespace logodds::text
