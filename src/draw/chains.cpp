#include "draw/chains.hpp"

#include <unordered_map>

namespace logodds::draw {

std::vector<std::vector<std::uint32_t>> chains(const std::vector<Link>& links) {
  std::unordered_map<std::uint32_t, std::size_t> by_start;
  std::unordered_map<std::uint32_t, std::size_t> by_end;
  for (std::size_t i = 0; i < links.size(); ++i) {
    by_start.emplace(links[i].first, i);
    by_end.emplace(links[i].second, i);
  }
  std::vector<bool> used(links.size(), false);
  std::vector<std::vector<std::uint32_t>> result;
  const auto follow = [&](std::size_t first) {
    std::vector<std::uint32_t> chain{links[first].first};
    for (std::size_t i = first; !used[i];) {
      used[i] = true;
      chain.push_back(links[i].second);
      const auto next = by_start.find(links[i].second);
      if (next == by_start.end()) { break; }
      i = next->second;
    }
    result.push_back(std::move(chain));
  };
  for (std::size_t i = 0; i < links.size(); ++i) {  // open ones, from their beginnings
    if (!used[i] && !by_end.contains(links[i].first)) { follow(i); }
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!used[i]) { follow(i); }
  }
  return result;
}

}  // namespace logodds::draw
