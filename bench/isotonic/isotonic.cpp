// build/bin/logodds_isotonic FILE: reads points (all x, then all y, as doubles), then for every
// line of standard input does what it says and answers "done".
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "logodds/posterior/isotonic.hpp"

namespace {

std::vector<double> read_all(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

void write_all(const std::string& path, std::span<const double> first,
               std::span<const double> second) {
  std::ofstream file(path, std::ios::binary);
  for (const auto part : {first, second}) {
    file.write(reinterpret_cast<const char*>(part.data()),
               static_cast<std::streamsize>(part.size_bytes()));
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) { return 2; }
  const std::vector<double> points = read_all(words[1]);
  const std::span<const double> x(points.data(), points.size() / 2);
  const std::span<const double> y(points.data() + x.size(), x.size());
  std::vector<double> sorted(x.begin(), x.end());
  std::vector<double> to_sort = sorted;  // a copy is no part of sorting
  logodds::posterior::MonotoneLine line;
  bool fitted = false;
  for (std::string task; std::getline(std::cin, task);) {
    if (task == "isotonic") {
      line = logodds::posterior::isotonic(x, y);
      fitted = true;
    } else if (task == "sort") {
      std::ranges::sort(to_sort);
      sorted.swap(to_sort);
      fitted = false;
    } else if (fitted) {
      write_all(task.substr(task.find(' ') + 1), line.x, line.y);
    } else {
      write_all(task.substr(task.find(' ') + 1), sorted, {});
    }
    std::cout << "done\n" << std::flush;
    if (task == "sort") { std::ranges::copy(x, to_sort.begin()); }
  }
  return 0;
}
