// usage: logodds_tokens UNIT SHORTEST LONGEST KEEP_CASE HASH_BITS [STOP_WORD...]
// For tests in other languages: reads documents (64-bit length, bytes) and writes, for each, the
// number of its terms and of every term its length, bytes and amount (64 bits each but the bytes).
// Everything is in the machine's byte order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "text/term_reader.hpp"

using namespace logodds::text;

namespace {

bool read_bytes(void* to, std::size_t bytes) { return std::fread(to, 1, bytes, stdin) == bytes; }

template <class Value>
void append(std::string& out, Value value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int count, char** words) {
  if (count < 6) { return 2; }
  TermRules rules{.unit = static_cast<Unit>(number(words[1])),
                  .shortest = number(words[2]),
                  .longest = number(words[3]),
                  .keep_case = number(words[4]) != 0,
                  .hash_bits = static_cast<unsigned>(number(words[5]))};
  rules.stop_words.insert(words + 6, words + count);
  TermReader reader(rules);
  std::uint64_t size = 0;
  while (read_bytes(&size, sizeof(size))) {
    std::string document(size, '\0');
    if (!read_bytes(document.data(), size)) { return 2; }
    std::uint64_t terms = 0;
    std::string out;
    reader.read(document, [&](std::string_view term, double amount) {
      ++terms;
      append(out, std::uint64_t{term.size()});
      out += term;
      append(out, amount);
    });
    std::fwrite(&terms, sizeof(terms), 1, stdout);
    std::fwrite(out.data(), 1, out.size(), stdout);
  }
  return 0;
}
