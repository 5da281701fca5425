// Numbers from sklearn.utils.murmurhash3_32 and HashingVectorizer.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "text/terms.hpp"

using namespace logodds::text;
using namespace logodds::text::testing;

TEST_CASE("MurmurHash3_x86_32 with seed 0") {
  CHECK(murmur_hash("") == 0);
  CHECK(murmur_hash("a") == 1009084850);
  CHECK(murmur_hash("ab") == -1681926305);
  CHECK(murmur_hash("abc") == -1277324294);
  CHECK(murmur_hash("abcd") == 1139631978);
  CHECK(murmur_hash("hello") == 613153351);
  CHECK(murmur_hash("odds and ends") == -219038060);
  CHECK(murmur_hash("\u0441\u043B\u043E\u0432\u043E") == 1723038053);
}

TEST_CASE("the bucket is the magnitude of the signed hash") {
  CHECK(murmur_hash("hello") > 0);
  CHECK(hash_bucket("hello", 10) == static_cast<std::uint32_t>(murmur_hash("hello")) % 1024);
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string term = std::to_string(random());
    const auto magnitude = std::llabs(static_cast<long long>(murmur_hash(term)));
    const unsigned bits = 1 + static_cast<unsigned>(random() % 31);
    REQUIRE(hash_bucket(term, bits) == magnitude % (1LL << bits));
  }
}

TEST_CASE("a hashed term is its bucket in as many digits as the greatest has") {
  const std::uint32_t bucket = hash_bucket("hello", 20);
  char expected[16];
  std::snprintf(expected, sizeof(expected), "#%05x", bucket);
  CHECK(terms_of({.hash_bits = 20}, "Hello") == Terms{expected});
  CHECK(terms_of({.hash_bits = 1}, "Hello")[0].size() == 2);
  CHECK(terms_of({.hash_bits = 31}, "Hello")[0].size() == 9);
}
