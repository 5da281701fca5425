# Standard headers are read once a target instead of once a file: a quarter of g++'s time. Sources
# include what they use all the same, so that this can be left out. clang does without, because its
# precompiled headers name the folder they were made in, and ccache could not share them.
set(LOGODDS_STANDARD_HEADERS
  <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring> <deque>
  <filesystem> <functional> <limits> <map> <memory> <mutex> <numbers> <numeric> <optional> <random>
  <set> <span> <stdexcept> <string> <string_view> <thread> <unordered_map> <utility> <variant>
  <vector>)

# logodds_precompile_headers(target [header version]): these, and one of another library.
function(logodds_precompile_headers target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  list(APPEND headers ${LOGODDS_STANDARD_HEADERS} ${ARGV1})
  target_precompile_headers(${target} PRIVATE ${headers})
  # g++ never writes the same bytes twice: for ccache this text stands for them (CCACHE_PCH_EXTSUM).
  file(CONFIGURE OUTPUT CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum
       CONTENT "${CMAKE_CXX_COMPILER_VERSION} ${headers} ${ARGV2}\n" @ONLY)
endfunction()
